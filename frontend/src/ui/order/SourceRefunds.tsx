// Refunds of an order that go back to where its money came from: how far each has come, and what is to be done about it.
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { claimRefund } from '@/api/orders';
import { useCall } from '@/api/useCall';
import { core } from '@/core';
import { RefundProgress } from '@/core/constants.gen';
import { Button } from '../Button';
import { Card } from '../Page';
import { RowCard, RowLine } from '../RowCard';
import { Copied } from '../Secret';
import { Badge } from '../State';
import { DateText, MoneyText } from '../texts';
import { REFUND_TONES } from './refundProgress';
import s from './refunds.module.css';

type Order = Schemas['OrderView'];

interface SourceRefundsProps {
  order: Pick<Order, 'Refunds' | 'Currency'>;
  /** For its customer, who says where a refund goes; otherwise for operators. */
  isOwn?: boolean;
  /** Beside the title. */
  aside?: ReactNode;
}

export function SourceRefunds({ order, isOwn = false, aside }: SourceRefundsProps) {
  const { t } = useTranslation('orders');
  const rows = order.Refunds.flatMap(({ Source, CreatedAt }) => (Source ? [{ Source, CreatedAt }] : []));
  if (rows.length === 0) return null;
  return (
    <Card title={t('refunds.title')} aside={aside}>
      <ul className={s.refunds} aria-label={t('refunds.title')}>
        {rows.map(({ Source, CreatedAt }) => (
          <li key={Source.ReturnId}>
            <SourceRefund refund={Source} at={CreatedAt} currency={order.Currency} isOwn={isOwn} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

interface SourceRefundProps {
  refund: Schemas['SourceRefund'];
  at: string;
  currency: Order['Currency'];
  isOwn: boolean;
}

function SourceRefund({ refund, at, currency, isOwn }: SourceRefundProps) {
  const { t } = useTranslation('orders');
  const { Progress, Charged, ChargedCurrency, Reference } = refund;
  return (
    <RowCard>
      <RowLine>
        <strong>{t(`method.${refund.Gateway}`)}</strong>
        <MoneyText amount={refund.Amount} currency={currency} />
      </RowLine>
      <RowLine soft wrap>
        <DateText value={at} />
        {ChargedCurrency !== currency && (
          <span>{t('refunds.arrivesAs', { Amount: core().displayMoney(Charged, ChargedCurrency) })}</span>
        )}
      </RowLine>
      <RowLine wrap>
        <Badge tone={REFUND_TONES[Progress]}>{t(`refunds.progress.${Progress}`)}</Badge>
        {Reference && (
          <span className={s.reference}>
            {t('refunds.reference')}
            <Copied text={Reference} label={t('refunds.copyReference')} />
          </span>
        )}
      </RowLine>
      {Progress !== RefundProgress.Arrived && (
        <p className={s.hint}>{t(`refunds.${isOwn ? 'hint' : 'operatorHint'}.${Progress}`)}</p>
      )}
      {isOwn && Progress === RefundProgress.ToBeClaimed && <ClaimButton id={refund.ReturnId} />}
    </RowCard>
  );
}

/** Leads to the payment provider's page on which the customer says where a refund goes. */
function ClaimButton({ id }: { id: number }) {
  const { t } = useTranslation('orders');
  const call = useCall(claimRefund);
  const claim = () => call.run({ ReturnId: id }, ({ Url }) => window.location.assign(Url));
  return (
    <div>
      <Button variant="primary" loading={call.isBusy} onClick={claim}>
        {t('refunds.claim')}
      </Button>
    </div>
  );
}
