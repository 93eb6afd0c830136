// The wallet's transactions and, in a second view, the invoices and credit notes.
import { DownloadSimple } from '@phosphor-icons/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { useCall } from '@/api/useCall';
import { exportTransactions } from '@/api/wallet';
import { useIsSuspended } from '@/stores/sidebar';
import { Button } from '@/ui/Button';
import { SegmentedControl } from '@/ui/Controls';
import { useFilters } from '@/ui/listAddress';
import { Page } from '@/ui/Page';
import { saveFile } from '@/ui/saveFile';
import { BillingDetails } from './BillingDetails';
import s from './billing.module.css';
import { InvoiceList } from './InvoiceList';
import { MonthMenu } from './MonthMenu';
import { askedTransactions, TransactionList } from './TransactionList';

const VIEW_KEY = 'view';
const INVOICES = 'invoices';

export function TransactionsPage() {
  const { t } = useTranslation('billing');
  const [parameters, setParameters] = useSearchParams();
  const view = parameters.get(VIEW_KEY) === INVOICES ? INVOICES : 'transactions';
  const [filters, change] = useFilters(['Search', 'Kind', 'From', 'To']);
  const isSuspended = useIsSuspended();
  const [isEditing, setEditing] = useState(false);
  return (
    <Page
      wide
      title={t('transactions.title')}
      description={view === INVOICES ? t('invoices.lead') : t('transactions.lead')}
      actions={
        <>
          {!isSuspended && <Button onClick={() => setEditing(true)}>{t('transactions.details')}</Button>}
          {view === INVOICES ? <MonthMenu /> : <ExportButton filters={filters} />}
        </>
      }
    >
      <div className={s.views}>
        <SegmentedControl
          label={t('invoices.view')}
          value={view}
          segments={[
            { value: 'transactions', label: t('invoices.transactions') },
            { value: INVOICES, label: t('invoices.title') },
          ]}
          // Filters and pages belong to one view.
          onChange={(next) => setParameters(next === INVOICES ? { [VIEW_KEY]: INVOICES } : {}, { replace: true })}
        />
      </div>
      {view === INVOICES ? <InvoiceList /> : <TransactionList filters={filters} onChange={change} />}
      {isEditing && <BillingDetails onClose={() => setEditing(false)} />}
    </Page>
  );
}

function ExportButton({ filters }: { filters: Parameters<typeof askedTransactions>[0] }) {
  const { t } = useTranslation('billing');
  const call = useCall(exportTransactions);
  const save = () => call.run(askedTransactions(filters), saveFile);
  return (
    <Button icon={<DownloadSimple size={17} aria-hidden="true" />} loading={call.isBusy} onClick={save}>
      {t('transactions.export')}
    </Button>
  );
}
