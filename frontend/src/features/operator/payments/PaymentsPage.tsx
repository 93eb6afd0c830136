// Payments of all customers, bank transfers to confirm, cases, disputes and refunds, gateway callbacks, and exchange rates, in views.
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { useMay } from '@/stores/may';
import { SegmentedControl } from '@/ui/Controls';
import { Page } from '@/ui/Page';
import { CallbackList } from './CallbackList';
import { CaseList } from './CaseList';
import { ExchangeRates } from './ExchangeRates';
import { VIEW_KEY, VIEWS, type View } from './links';
import { PaymentList } from './PaymentList';
import s from './payments.module.css';
import { ReturnList } from './ReturnList';

const ALL = Object.keys(VIEWS) as View[];

export function PaymentsPage() {
  const { t } = useTranslation('payments');
  const [parameters, setParameters] = useSearchParams();
  const may = useMay();
  const views = ALL.filter((one) => may(VIEWS[one]));
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
      <Shown view={view} />
    </Page>
  );
}

function Shown({ view }: { view: View }) {
  switch (view) {
    case 'cases':
      return <CaseList />;
    case 'returns':
      return <ReturnList />;
    case 'callbacks':
      return <CallbackList />;
    case 'rates':
      return <ExchangeRates />;
    default:
      return <PaymentList key={view} view={view} />;
  }
}
