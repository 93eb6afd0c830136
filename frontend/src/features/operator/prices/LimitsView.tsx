// Limits on what one customer may leave unpaid (orders, top-ups, card requests, and held IPs by the customer's money), and on what staff do for customers.
import { PencilSimple, Plus, Trash } from '@phosphor-icons/react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type HoldStep, type Limits, limitsQuery } from '@/api/prices';
import { core } from '@/core';
import { Limit } from '@/core/constants.gen';
import { useMay } from '@/stores/may';
import { Button, IconButton } from '@/ui/Button';
import { LoadingState } from '@/ui/Loading';
import { Card } from '@/ui/Page';
import { ErrorState } from '@/ui/State';
import { useNumber } from '@/ui/texts';
import { HoldStepDialog, LimitDialog, RemoveStepDialog } from './LimitDialogs';
import s from './prices.module.css';

type LimitView = Limits['Limits'][number];
type DialogState =
  | { action: 'limit'; limit: LimitView }
  | { action: 'add' }
  | { action: 'edit' | 'remove'; step: HoldStep };

/** Those on what staff do; all others are on what a customer has open. */
const OF_STAFF: readonly LimitView['Limit'][] = [Limit.SupportRefund, Limit.ViewChanges];

/** The amount of the step for all customers, which can only be changed. */
const EVERYONE = '0.00';

export function LimitsView() {
  const limits = useQuery(limitsQuery);
  const [dialog, setDialog] = useState<DialogState>();
  const close = () => setDialog(undefined);
  if (!limits.data) {
    return (
      <Card>
        {limits.isError ? (
          <ErrorState error={limits.error} onRetry={() => limits.refetch()} />
        ) : (
          <LoadingState rows={6} />
        )}
      </Card>
    );
  }
  const { Currency } = limits.data;
  return (
    <div className={s.columns}>
      <div className={s.cards}>
        <Unpaid limits={limits.data} onOpen={setDialog} />
        <Staff limits={limits.data} onOpen={setDialog} />
      </div>
      <Held limits={limits.data} onOpen={setDialog} />
      {dialog?.action === 'limit' && <LimitDialog limit={dialog.limit} Currency={Currency} onClose={close} />}
      {dialog?.action === 'add' && <HoldStepDialog currency={Currency} onClose={close} />}
      {dialog?.action === 'edit' && <HoldStepDialog step={dialog.step} currency={Currency} onClose={close} />}
      {dialog?.action === 'remove' && <RemoveStepDialog step={dialog.step} currency={Currency} onClose={close} />}
    </div>
  );
}

interface CardProps {
  limits: Limits;
  onOpen: (dialog: DialogState) => void;
}

function Unpaid({ limits, onOpen }: CardProps) {
  const { t } = useTranslation('prices');
  const number = useNumber();
  return (
    <LimitTable
      title={t('limits.title')}
      lead={t('limits.lead')}
      limits={limits.Limits.filter((one) => !OF_STAFF.includes(one.Limit))}
      mostText={({ Most }) => number(Most)}
      onOpen={onOpen}
    />
  );
}

function Staff({ limits: { Limits, Currency }, onOpen }: CardProps) {
  const { t } = useTranslation('prices');
  const number = useNumber();
  const mostText = ({ Limit: limit, Most }: LimitView) => {
    if (limit === Limit.SupportRefund) return core().displayMoney(Most.toFixed(2), Currency);
    return Most === 0 ? t('limits.none') : number(Most);
  };
  return (
    <LimitTable
      title={t('staff.title')}
      lead={t('staff.lead')}
      limits={Limits.filter((one) => OF_STAFF.includes(one.Limit))}
      mostText={mostText}
      onOpen={onOpen}
    />
  );
}

interface LimitTableProps {
  title: string;
  lead: string;
  limits: LimitView[];
  mostText: (limit: LimitView) => string;
  onOpen: (dialog: DialogState) => void;
}

function LimitTable({ title, lead, limits, mostText, onOpen }: LimitTableProps) {
  const { t } = useTranslation('prices');
  const maySet = useMay()('Operator/SetLimit');
  return (
    <Card title={title}>
      <div className={s.part}>
        <p className={s.soft}>{lead}</p>
        <table className={s.table}>
          <caption className="visually-hidden">{title}</caption>
          <thead>
            <tr>
              <th scope="col">{t('limits.what')}</th>
              <th scope="col">{t('limits.most')}</th>
              {maySet && (
                <th scope="col">
                  <span className="visually-hidden">{t('actions')}</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {limits.map((limit) => (
              <tr key={limit.Limit}>
                <th scope="row">{t(`limit.${limit.Limit}`)}</th>
                <td>{mostText(limit)}</td>
                {maySet && (
                  <td>
                    <span className={s.buttons}>
                      <IconButton
                        size="small"
                        label={t('editOf', { Name: t(`limit.${limit.Limit}`) })}
                        onClick={() => onOpen({ action: 'limit', limit })}
                      >
                        <PencilSimple size={16} />
                      </IconButton>
                    </span>
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}

function Held({ limits: { HoldSteps, Currency }, onOpen }: CardProps) {
  const { t } = useTranslation('prices');
  const number = useNumber();
  const maySet = useMay()('Operator/SetHoldStep');
  const nameOf = ({ From }: HoldStep) =>
    From === EVERYONE ? t('hold.everyone') : t('hold.from', { Amount: core().displayMoney(From, Currency) });
  return (
    <Card
      title={t('hold.title')}
      aside={
        maySet && (
          <Button size="small" icon={<Plus size={15} aria-hidden="true" />} onClick={() => onOpen({ action: 'add' })}>
            {t('hold.add')}
          </Button>
        )
      }
    >
      <div className={s.part}>
        <p className={s.soft}>{t('hold.lead')}</p>
        <table className={s.table}>
          <caption className="visually-hidden">{t('hold.title')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('hold.money')}</th>
              <th scope="col">{t('hold.ips')}</th>
              {maySet && (
                <th scope="col">
                  <span className="visually-hidden">{t('actions')}</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {HoldSteps.map((step) => (
              <tr key={step.From}>
                <th scope="row">{nameOf(step)}</th>
                <td>{number(step.Ips)}</td>
                {maySet && (
                  <td>
                    <span className={s.buttons}>
                      <IconButton
                        size="small"
                        label={t('editOf', { Name: nameOf(step) })}
                        onClick={() => onOpen({ action: 'edit', step })}
                      >
                        <PencilSimple size={16} />
                      </IconButton>
                      {step.From !== EVERYONE && (
                        <IconButton
                          size="small"
                          label={t('removeOf', { Name: nameOf(step) })}
                          onClick={() => onOpen({ action: 'remove', step })}
                        >
                          <Trash size={16} />
                        </IconButton>
                      )}
                    </span>
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}
