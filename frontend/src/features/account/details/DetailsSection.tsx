// Name, company, invoice address and contact details.
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { updateAccountDetails } from '@/api/account';
import { useCall } from '@/api/useCall';
import { refreshCenter, useUserStore } from '@/stores/user';
import { DetailsForm, useDetails } from '@/ui/account/DetailsForm';
import { Button } from '@/ui/Button';
import { LoadingState } from '@/ui/Loading';
import { Copied } from '@/ui/Secret';
import { Section } from '@/ui/Section';
import { ErrorState } from '@/ui/State';
import { showToast } from '@/ui/toast';
import s from '../account.module.css';

export function DetailsSection() {
  const { t } = useTranslation(['account', 'common']);
  const formId = useId();
  const details = useDetails();
  const userId = useUserStore((state) => state.info?.UserId);
  const call = useCall(updateAccountDetails);
  const saved = () => {
    refreshCenter();
    showToast(t('details.saved'), 'success');
  };
  return (
    <Section
      title={t('details.who')}
      lead={t('details.whoLead')}
      footer={
        details.data && (
          <Button type="submit" form={formId} variant="primary" loading={call.isBusy}>
            {t('common:save')}
          </Button>
        )
      }
    >
      {details.isError && !details.data && <ErrorState error={details.error} onRetry={() => details.refetch()} />}
      {details.isPending && <LoadingState rows={6} />}
      {details.data && (
        <div className={s.form}>
          <dl className={s.values}>
            <div>
              <dt>{t('details.userId')}</dt>
              <dd>
                <Copied text={String(userId ?? '')} label={t('details.copyUserId')} />
                <small>{t('details.userIdHint')}</small>
              </dd>
            </div>
          </dl>
          <DetailsForm id={formId} details={details.data} withContact call={call} onSaved={saved} />
        </div>
      )}
    </Section>
  );
}
