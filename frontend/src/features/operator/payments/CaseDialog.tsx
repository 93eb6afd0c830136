// One case of a payment: what it means, what arrived, and how an operator closes it.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { closePaymentCase, type PaymentCase } from '@/api/operatorPayments';
import { useCall } from '@/api/useCall';
import { core, screenRules } from '@/core';
import { PaymentCaseKind } from '@/core/constants.gen';
import { useMay } from '@/stores/may';
import { useUserStore } from '@/stores/user';
import { Button } from '@/ui/Button';
import { TextAreaField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import { Dialog } from '@/ui/Overlay';
import { Copied } from '@/ui/Secret';
import { Badge } from '@/ui/State';
import { DateText, MoneyText } from '@/ui/texts';
import { showToast } from '@/ui/toast';
import { AccountLink, OrderLink, PaymentLink, ReturnsLink } from './links';
import s from './payments.module.css';

/** Kinds of cases about money that went back, or should. */
const OF_RETURNS: readonly PaymentCaseKind[] = [
  PaymentCaseKind.Disputed,
  PaymentCaseKind.DisputeLost,
  PaymentCaseKind.DisputeWon,
  PaymentCaseKind.RefundedElsewhere,
  PaymentCaseKind.Invalidated,
  PaymentCaseKind.RefundFailed,
  PaymentCaseKind.RefundByHand,
];

interface CaseProps {
  of: PaymentCase;
}

export function CaseState({ of: { ClosedAt } }: CaseProps) {
  const { t } = useTranslation('payments');
  return <Badge tone={ClosedAt ? 'neutral' : 'warn'}>{t(ClosedAt ? 'cases.isClosed' : 'cases.isOpen')}</Badge>;
}

export const CaseCustomer = ({ of: { AccountId, Email } }: CaseProps) =>
  AccountId && Email ? <AccountLink of={{ AccountId, Email }} /> : <span>–</span>;

export const CaseOrder = ({ of: { OrderNumber } }: CaseProps) =>
  OrderNumber ? <OrderLink number={OrderNumber} /> : <span>–</span>;

/** What the gateway reports, in its own currency. */
export const CaseReported = ({ of: { Reported, ReportedCurrency, Currency } }: CaseProps) =>
  Reported ? <MoneyText amount={Reported} currency={ReportedCurrency ?? Currency} /> : <span>–</span>;

interface CaseDialogProps extends CaseProps {
  onClose: () => void;
}

export function CaseDialog({ of, onClose }: CaseDialogProps) {
  const { t } = useTranslation(['payments', 'common']);
  const may = useMay();
  if (!of.ClosedAt && may('Operator/ClosePaymentCase')) return <CloseCase of={of} onClose={onClose} />;
  return (
    <Dialog
      open
      onClose={onClose}
      title={t(`cases.kind.${of.Kind}`)}
      actions={<Button onClick={onClose}>{t('common:close')}</Button>}
    >
      <div className={s.form}>
        <CaseFacts of={of} />
      </div>
    </Dialog>
  );
}

function CloseCase({ of, onClose }: CaseDialogProps) {
  const { t } = useTranslation('payments');
  const call = useCall(closePaymentCase);
  const own = useUserStore((state) => state.info?.Email);
  const [note, setNote] = useState('');
  const body = { CaseId: of.CaseId, Note: note };
  const onDone = ({ ClosedBy: Email }: PaymentCase) => {
    // What was closed before keeps the other operator's note.
    if (Email && Email !== own) showToast(t('cases.doneBefore', { Email }), 'warning');
    else showToast(t('cases.done'), 'success');
    onClose();
  };
  return (
    <FormDialog
      call={call}
      title={t(`cases.kind.${of.Kind}`)}
      action={t('cases.close')}
      className={s.form}
      onSubmit={(event) => call.submit(event, { broken: screenRules().validateCloseCase(body), body, onDone })}
      onClose={onClose}
    >
      <CaseFacts of={of} />
      <TextAreaField
        label={t('cases.note')}
        hint={t('cases.noteHint')}
        rows={3}
        {...call.bind('Note', note, setNote)}
      />
    </FormDialog>
  );
}

function CaseFacts({ of }: CaseProps) {
  const { t } = useTranslation(['payments', 'orders']);
  const { Kind, Gateway, Subject, PaymentId, AccountId, Currency, Due, Credited, OpenedAt, ClosedAt, ClosedBy, Note } =
    of;
  const shown = (amount: string | null | undefined) => (amount ? core().displayMoney(amount, Currency) : '–');
  return (
    <>
      <p>{t(`cases.kindHint.${Kind}`)}</p>
      {AccountId && OF_RETURNS.includes(Kind) && <ReturnsLink accountId={AccountId} />}
      {(Due || Credited) && (
        <p>
          <strong>{t('cases.amounts', { Due: shown(Due), Credited: shown(Credited) })}</strong>
        </p>
      )}
      <dl className={s.facts}>
        <dt>{t('cases.reported')}</dt>
        <dd>
          <CaseReported of={of} />
        </dd>
        <dt>{t('callbacks.gateway')}</dt>
        <dd>{t(`orders:method.${Gateway}`)}</dd>
        <dt>{t('customer')}</dt>
        <dd>
          <CaseCustomer of={of} />
        </dd>
        <dt>{t('order')}</dt>
        <dd>
          <CaseOrder of={of} />
        </dd>
        <dt>{t('payment')}</dt>
        <dd>{PaymentId ? <PaymentLink id={PaymentId} /> : <Copied text={Subject} label={t('cases.copySubject')} />}</dd>
        <dt>{t('cases.opened')}</dt>
        <dd>
          <DateText value={OpenedAt} />
        </dd>
        {ClosedAt && (
          <>
            <dt>{t('cases.closedAt')}</dt>
            <dd>
              <DateText value={ClosedAt} />
            </dd>
            <dt>{t('cases.closedBy')}</dt>
            <dd>{ClosedBy ?? '–'}</dd>
            <dt>{t('cases.note')}</dt>
            <dd className={s.note}>{Note || '–'}</dd>
          </>
        )}
      </dl>
    </>
  );
}
