// History of an order: timeline, payments and documents.
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { Card } from '../Page';
import { Badge } from '../State';
import { DateText, MoneyText } from '../texts';
import { InvoiceButton } from './DocumentButtons';
import s from './order.module.css';
import { paymentTone } from './paymentTone';

type Order = Schemas['OrderView'];

/** Events so far, and the expiry of what was bought. */
export function Timeline({ order, end }: { order: Order; end: string | undefined }) {
  const { t } = useTranslation('orders');
  const isOver = end !== undefined && new Date(end.replace(' ', 'T')).getTime() <= Date.now();
  return (
    <ol className={s.timeline} aria-label={t('timeline')}>
      {order.Timeline.map((moment) => (
        <li key={`${moment.Event} ${moment.At} ${moment.Amount}`} data-event={moment.Event}>
          <div>
            <strong>{t(`event.${moment.Event}`)}</strong>
            {moment.Amount && <MoneyText amount={moment.Amount} currency={order.Currency} />}
          </div>
          <DateText value={moment.At} />
        </li>
      ))}
      {end && (
        <li data-event={isOver ? 'ended' : 'ends'}>
          <strong>{isOver ? t('expired') : t('expires')}</strong>
          <DateText value={end} />
        </li>
      )}
    </ol>
  );
}

export function Payments({ order }: { order: Order }) {
  const { t } = useTranslation('orders');
  if (order.Payments.length === 0) return null;
  return (
    <Card title={t('payments')}>
      <ul className={s.entries}>
        {order.Payments.map((payment) => (
          <li key={payment.PaymentId}>
            <div>
              <strong>{t(`method.${payment.PaymentMethod}`)}</strong>
              <DateText value={payment.CreatedAt} />
            </div>
            <Badge tone={paymentTone(payment.State)}>{t(`payment.${payment.State}`)}</Badge>
            <MoneyText amount={payment.Credited ?? payment.Amount} currency={payment.Currency} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The invoice and the credit notes with their reasons, to download. */
export function Documents({ order }: { order: Order }) {
  const { t } = useTranslation(['orders', 'invoices']);
  if (order.Invoices.length === 0) return null;
  const reasonOf = (number: string) => order.Refunds.find((refund) => refund.CreditNote === number)?.Reason;
  return (
    <Card title={t('documents')}>
      <ul className={s.entries}>
        {order.Invoices.map((invoice) => {
          const isCreditNote = Boolean(invoice.Corrects);
          return (
            <li key={invoice.InvoiceNumber}>
              <div>
                <strong>{t(`invoices:kind.${invoice.Kind}`)}</strong>
                <DateText value={invoice.IssuedAt} />
                {isCreditNote && <span>{reasonOf(invoice.InvoiceNumber) || t('invoices:notDelivered')}</span>}
              </div>
              <InvoiceButton number={invoice.InvoiceNumber} bordered />
              <span>
                {isCreditNote && '−'}
                <MoneyText amount={invoice.Total} currency={invoice.Currency} />
              </span>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
