// Dialog with the invoice details.
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { updateAccountDetails } from '@/api/account';
import { useCall } from '@/api/useCall';
import { refreshCenter } from '@/stores/user';
import { DetailsForm, useDetails } from '@/ui/account/DetailsForm';
import { Button } from '@/ui/Button';
import { LoadingState } from '@/ui/Loading';
import { Dialog } from '@/ui/Overlay';
import { ErrorState } from '@/ui/State';
import { showToast } from '@/ui/toast';
import s from './billing.module.css';

export function BillingDetails({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['billing', 'common']);
  const formId = useId();
  const call = useCall(updateAccountDetails);
  const details = useDetails();
  const saved = () => {
    refreshCenter();
    showToast(t('details.saved'), 'success');
    onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('details.title')}
      actions={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button type="submit" form={formId} variant="primary" loading={call.isBusy} disabled={!details.data}>
            {t('common:save')}
          </Button>
        </>
      }
    >
      {details.isError && <ErrorState error={details.error} onRetry={() => details.refetch()} />}
      {details.isPending && <LoadingState rows={6} />}
      {details.data && (
        <div className={s.form}>
          <p className={s.soft}>{t('details.lead')}</p>
          <DetailsForm id={formId} details={details.data} call={call} onSaved={saved} />
        </div>
      )}
    </Dialog>
  );
}
