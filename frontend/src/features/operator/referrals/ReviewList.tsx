// Referrals with held commissions, and what the two accounts have in common, to approve or reject.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { loadReviews, REVIEWS, reviewReferral } from '@/api/referrals';
import { useCall } from '@/api/useCall';
import { core } from '@/core';
import { useMay } from '@/stores/may';
import { Button } from '@/ui/Button';
import { type Column, DataGrid } from '@/ui/DataGrid';
import { TextField } from '@/ui/Field';
import { ConfirmDialog } from '@/ui/FormDialog';
import { RowCard, RowLine } from '@/ui/RowCard';
import { EmptyState } from '@/ui/State';
import { DateText, MoneyText } from '@/ui/texts';
import { showToast } from '@/ui/toast';
import s from './referrals.module.css';

type Marked = Schemas['ReferralToReview'];
type Decision = Schemas['ReferralDecision'];

export function ReviewList() {
  const { t } = useTranslation('referrals');
  const mayDecide = useMay()('Operator/ReviewReferral');
  const [dialog, setDialog] = useState<{ marked: Marked; decision: Decision }>();
  const doubts = (row: Marked) => row.Doubts.map((doubt) => t(`operator.doubt.${doubt}`)).join(', ');
  const buttons = (row: Marked) => (
    <span className={s.buttons}>
      <Button size="small" onClick={() => setDialog({ marked: row, decision: 'approve' })}>
        {t('operator.approve')}
      </Button>
      <Button size="small" variant="danger" onClick={() => setDialog({ marked: row, decision: 'refuse' })}>
        {t('operator.reject')}
      </Button>
    </span>
  );
  const columns: Column<Marked>[] = [
    { field: 'Email', title: t('operator.email'), width: 220, flex: 1, always: true, cell: (row) => row.Email },
    { field: 'ReferrerEmail', title: t('operator.referrer'), width: 220, flex: 1, cell: (row) => row.ReferrerEmail },
    { field: 'Doubts', title: t('operator.doubts'), width: 200, cell: doubts },
    {
      field: 'Held',
      title: t('operator.held'),
      width: 120,
      align: 'right',
      cell: (row) => <MoneyText amount={row.Held} currency={row.Currency} />,
    },
    {
      field: 'SignedUpAt',
      title: t('operator.signedUpAt'),
      width: 190,
      sortable: true,
      cell: (row) => <DateText value={row.SignedUpAt} />,
    },
    ...(mayDecide
      ? [{ field: 'Actions', title: t('operator.decision'), width: 200, always: true, cell: buttons }]
      : []),
  ];
  return (
    <>
      <DataGrid<Marked>
        name={REVIEWS}
        label={t('operator.reviews')}
        columns={columns}
        rowId={(row) => String(row.AccountId)}
        load={loadReviews({ Filter: {}, Search: '' })}
        visibleRows={8}
        card={(row) => (
          <RowCard low>
            <strong>{row.Email}</strong>
            <RowLine soft>{t('operator.referrerLine', { Email: row.ReferrerEmail })}</RowLine>
            <RowLine>
              <small>
                {t('operator.doubtsLine', {
                  Doubts: doubts(row),
                  Amount: core().displayMoney(row.Held, row.Currency),
                })}
              </small>
              {mayDecide && buttons(row)}
            </RowLine>
          </RowCard>
        )}
        empty={<EmptyState title={t('operator.noReviews')}>{t('operator.noReviewsHint')}</EmptyState>}
      />
      {dialog && <DecisionDialog {...dialog} onClose={() => setDialog(undefined)} />}
    </>
  );
}

function DecisionDialog({ marked, decision, onClose }: { marked: Marked; decision: Decision; onClose: () => void }) {
  const { t } = useTranslation('referrals');
  const call = useCall(reviewReferral);
  const [note, setNote] = useState('');
  const isApproval = decision === 'approve';
  const held = core().displayMoney(marked.Held, marked.Currency);
  const onDone = () => {
    showToast(isApproval ? t('operator.approved') : t('operator.rejected'), 'success');
    onClose();
  };
  return (
    <ConfirmDialog
      call={call}
      title={isApproval ? t('operator.approveTitle') : t('operator.rejectTitle')}
      action={isApproval ? t('operator.approve') : t('operator.reject')}
      cancel={t('operator.cancel')}
      danger={!isApproval}
      onConfirm={() => call.run({ AccountId: marked.AccountId, Decision: decision, Note: note }, onDone)}
      onClose={onClose}
    >
      <div className={s.form}>
        <p>
          {marked.ReferrerEmail} → {marked.Email}
        </p>
        <p>{isApproval ? t('operator.approveHint', { Amount: held }) : t('operator.rejectHint', { Amount: held })}</p>
        <TextField label={t('operator.note')} {...call.bind('Note', note, setNote)} />
      </div>
    </ConfirmDialog>
  );
}
