// The planned changes of prices, the next one first, each to cancel.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { cancelPriceChange, type PlannedPrice, type Prices } from '@/api/prices';
import { useCall } from '@/api/useCall';
import { useMay } from '@/stores/may';
import { Button } from '@/ui/Button';
import { ConfirmDialog } from '@/ui/FormDialog';
import { fillText } from '@/ui/fillText';
import { Card } from '@/ui/Page';
import { Badge } from '@/ui/State';
import { DateText } from '@/ui/texts';
import { showToast } from '@/ui/toast';
import { changeBefore, formOf, valueIn } from './changes';
import s from './prices.module.css';
import { Became, useNewValueText, useSubjectText, useValueText } from './priceTexts';

interface PlannedListProps {
  /** Those of today. */
  prices: Prices;
  planned: PlannedPrice[];
}

/** A change to cancel, as the list showed it. */
interface Cancelled {
  planned: PlannedPrice;
  name: string;
  before: string;
  after: string;
}

export function PlannedList({ prices, planned }: PlannedListProps) {
  const { t } = useTranslation(['prices', 'common']);
  const subjectText = useSubjectText(prices);
  const valueText = useValueText(prices);
  const newValueText = useNewValueText(prices);
  const mayCancel = useMay()('Operator/CancelPriceChange');
  const [cancelled, setCancelled] = useState<Cancelled>();
  const texts = (one: PlannedPrice, index: number) => {
    const form = formOf(one);
    const earlier = changeBefore(planned, index);
    const before = earlier ? newValueText(earlier) : valueText(valueIn(prices, form));
    return { name: subjectText(form), before, after: newValueText(form) };
  };
  return (
    <Card title={t('planned.title')}>
      {planned.length === 0 ? (
        <p className={s.soft}>{t('planned.empty')}</p>
      ) : (
        <ul className={s.rows} aria-label={t('planned.title')}>
          {planned.map((one, index) => {
            const { name, before, after } = texts(one, index);
            return (
              <li key={one.PlanId}>
                <div>
                  <span className={s.change}>
                    <span>
                      {fillText((marks) => t('common:labelled', { Label: name, ...marks }), {
                        Value: <Became before={before} after={after} />,
                      })}
                    </span>
                    {!one.IsPossible && <Badge tone="warn">{t('planned.impossible')}</Badge>}
                  </span>
                  <small>
                    {fillText((marks) => t('planned.line', { Operator: one.Operator, ...marks }), {
                      Time: <DateText value={one.ValidFrom} />,
                    })}
                  </small>
                  {!one.IsPossible && <small>{t('planned.impossibleHint')}</small>}
                </div>
                {mayCancel && (
                  <Button
                    size="small"
                    aria-label={t('planned.cancelOf', { Name: name, Time: one.ValidFrom })}
                    onClick={() => setCancelled({ planned: one, name, before, after })}
                  >
                    {t('planned.cancel')}
                  </Button>
                )}
              </li>
            );
          })}
        </ul>
      )}
      {cancelled && <CancelDialog {...cancelled} onClose={() => setCancelled(undefined)} />}
    </Card>
  );
}

function CancelDialog({ planned, name, before, after, onClose }: Cancelled & { onClose: () => void }) {
  const { t } = useTranslation(['prices', 'common']);
  const call = useCall(cancelPriceChange);
  const onDone = () => {
    showToast(t('planned.cancelled'), 'success');
    onClose();
  };
  return (
    <ConfirmDialog
      call={call}
      title={t('planned.cancelTitle')}
      action={t('planned.cancelConfirm')}
      cancel={t('planned.keep')}
      danger
      onConfirm={() => call.run({ PlanId: planned.PlanId }, onDone)}
      onClose={onClose}
    >
      <div className={s.form}>
        <p>
          {fillText((marks) => t('planned.cancelWhat', { Name: name, ...marks }), {
            Change: <Became before={before} after={after} />,
            Time: <DateText value={planned.ValidFrom} />,
          })}
        </p>
        <p className={s.soft}>{t('planned.cancelHint')}</p>
      </div>
    </ConfirmDialog>
  );
}
