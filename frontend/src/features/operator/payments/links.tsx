// Views of payments, and links of payments, cases, returns, callbacks and documents to what they are about.
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { Schemas } from '@/api/client';
import { OPERATOR_PATH, Verdict } from '@/core/constants.gen';
import { Badge } from '@/ui/State';

const PAYMENTS = `${OPERATOR_PATH}/payments`;
export const VIEW_KEY = 'view';

/** The views, with the call that each one needs. */
export const VIEWS = {
  all: 'Operator/GetPaymentList',
  transfers: 'Operator/GetPaymentList',
  cases: 'Operator/GetPaymentCaseList',
  returns: 'Operator/GetPaymentReturnList',
  callbacks: 'Order/GetCallbackList',
  rates: 'Operator/GetExchangeRateList',
} as const;
export type View = keyof typeof VIEWS;

const viewOf = (view: View, filter: Record<string, string>) =>
  `${PAYMENTS}?${new URLSearchParams({ [VIEW_KEY]: view, ...filter })}`;

/** An account in the address; empty if it is not a number. */
export const accountIn = (text: string) => (/^[1-9]\d{0,14}$/.test(text) ? text : '');

export const OrderLink = ({ number }: { number: string }) => (
  <Link to={`${OPERATOR_PATH}/orders?OrderNumber=${number}`}>{number}</Link>
);

export const PaymentLink = ({ id }: { id: string }) => (
  <Link to={`${PAYMENTS}?${new URLSearchParams({ Search: id })}`}>{id}</Link>
);

export const AccountLink = ({ of: { AccountId, Email } }: { of: { AccountId: number; Email: string } }) => (
  <Link to={`${OPERATOR_PATH}/accounts/${AccountId}`}>{Email}</Link>
);

/** All that gateways took back from a customer. */
export function ReturnsLink({ accountId }: { accountId: number }) {
  const { t } = useTranslation('payments');
  return <Link to={viewOf('returns', { AccountId: String(accountId) })}>{t('view.returns')}</Link>;
}

/** Verdicts after which somebody should look at the payment. */
const TO_CHECK: readonly Schemas['Verdict'][] = [Verdict.WrongAmount, Verdict.WrongCurrency, Verdict.CreditWallet];

/** The verdict on the last callback of a payment, with a link to all of them. */
export function LastVerdict({ of: { PaymentId, LastVerdict: verdict } }: { of: Schemas['AccountPayment'] }) {
  const { t } = useTranslation('orders');
  if (!verdict) return <span>–</span>;
  const text = t(`verdict.${verdict}`);
  return (
    <Link to={viewOf('callbacks', { PaymentId })}>
      {TO_CHECK.includes(verdict) ? <Badge tone="warn">{text}</Badge> : text}
    </Link>
  );
}
