// Payments of all customers, bank transfers to confirm, and gateway callbacks, in three views.
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { useMay } from '@/stores/may';
import { SegmentedControl } from '@/ui/Controls';
import { Page } from '@/ui/Page';
import { CallbackList } from './CallbackList';
import { VIEW_KEY, VIEWS, type View } from './links';
import { PaymentList } from './PaymentList';
import s from './payments.module.css';

export function PaymentsPage() {
  const { t } = useTranslation('payments');
  const [parameters, setParameters] = useSearchParams();
  const may = useMay();
  const views = VIEWS.filter((one) => one !== 'callbacks' || may('Order/GetCallbackList'));
  const view = views.find((one) => one === parameters.get(VIEW_KEY)) ?? 'all';
  return (
    <Page wide title={t('title')} description={t(`lead.${view}`)}>
      <div className={s.views}>
        <SegmentedControl<View>
          label={t('view.label')}
          value={view}
          segments={views.map((value) => ({ value, label: t(`view.${value}`) }))}
          // Filters and pages belong to one view.
          onChange={(next) => setParameters(next === 'all' ? {} : { [VIEW_KEY]: next }, { replace: true })}
        />
      </div>
      {view === 'callbacks' ? <CallbackList /> : <PaymentList key={view} view={view} />}
    </Page>
  );
}
