// Referrals: link, rule, earnings, and referred accounts.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { referralsQuery } from '@/api/referrals';
import { queryClient } from '@/stores/queries';
import { useUserStore } from '@/stores/user';
import { SegmentedControl } from '@/ui/Controls';
import { LoadingState } from '@/ui/Loading';
import { useFilters } from '@/ui/listAddress';
import { Card, Page } from '@/ui/Page';
import { ErrorState } from '@/ui/State';
import { CommissionList } from './CommissionList';
import { EarnedChart } from './EarnedChart';
import { Figures } from './Figures';
import { LinkCard } from './LinkCard';
import { MoveDialog } from './MoveDialog';
import { ReferredList } from './ReferredList';
import { RuleCard } from './RuleCard';
import s from './referrals.module.css';

const REFERRED = 'referred';

/** Prefetches the figures. */
export function preloadReferrals() {
  if (useUserStore.getState().info) queryClient().prefetchQuery(referralsQuery);
  return null;
}

export function ReferralsPage() {
  const { t } = useTranslation('referrals');
  const [isMoving, setMoving] = useState(false);
  const [{ List }, change] = useFilters(['List', 'State']);
  const found = useQuery(referralsQuery);
  const data = found.data;
  const view = List === REFERRED ? REFERRED : 'commissions';
  return (
    <Page title={t('title')} description={t('lead')}>
      {!data && (
        <Card>
          {found.isError ? (
            <ErrorState error={found.error} onRetry={() => found.refetch()} />
          ) : (
            <LoadingState rows={8} />
          )}
        </Card>
      )}
      {data && (
        <div className={s.columns}>
          <div className={s.stack}>
            <Figures referrals={data} onMove={() => setMoving(true)} />
            <EarnedChart referrals={data} />
          </div>
          <div className={s.stack}>
            <LinkCard referrals={data} />
            <RuleCard referrals={data} />
          </div>
        </div>
      )}
      {data && (
        <section className={s.lists}>
          <SegmentedControl
            label={t('lists')}
            value={view}
            onChange={(chosen) => change({ List: chosen === REFERRED ? REFERRED : '', State: '', Sort: '' })}
            segments={[
              { value: 'commissions', label: t('commissions.title') },
              { value: REFERRED, label: t('referred.title') },
            ]}
          />
          {view === REFERRED ? <ReferredList /> : <CommissionList />}
        </section>
      )}
      {isMoving && data && <MoveDialog referrals={data} onClose={() => setMoving(false)} />}
    </Page>
  );
}
