// The inventory of static proxies, for operators: every node in a list, and the stock by tier and city in a second tab.
import { DownloadSimple, FileArrowUp } from '@phosphor-icons/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { exportInventory } from '@/api/inventory';
import { useCall } from '@/api/useCall';
import { useMay } from '@/stores/may';
import { Button } from '@/ui/Button';
import { SegmentedControl } from '@/ui/Controls';
import { Page } from '@/ui/Page';
import { saveFile } from '@/ui/saveFile';
import { ImportDialog } from './ImportDialog';
import { STOCK, useInventoryFilter, VIEW_KEY } from './inventory';
import s from './inventory.module.css';
import { NodeList } from './NodeList';
import { StockList } from './StockList';

export function InventoryPage() {
  const { t } = useTranslation('inventory');
  const [parameters, setParameters] = useSearchParams();
  const filter = useInventoryFilter();
  const exporting = useCall(exportInventory);
  const may = useMay();
  const [isImporting, setImporting] = useState(false);
  const view = parameters.get(VIEW_KEY) === STOCK ? STOCK : 'nodes';
  const importing = may('Operator/ImportNodes') && (
    <Button variant="primary" icon={<FileArrowUp size={17} aria-hidden="true" />} onClick={() => setImporting(true)}>
      {t('import.open')}
    </Button>
  );
  return (
    <Page
      wide
      title={t('title')}
      description={t('lead')}
      actions={
        <>
          {view === 'nodes' && may('Operator/ExportInventory') && (
            <Button
              icon={<DownloadSimple size={17} aria-hidden="true" />}
              loading={exporting.isBusy}
              onClick={() => exporting.run(filter.asked, saveFile)}
            >
              {t('export')}
            </Button>
          )}
          {importing}
        </>
      }
    >
      <div className={s.tabs}>
        <SegmentedControl
          label={t('view.label')}
          value={view}
          segments={[
            { value: 'nodes', label: t('view.nodes') },
            { value: STOCK, label: t('view.stock') },
          ]}
          // Filters and pages belong to one view.
          onChange={(next) => setParameters(next === STOCK ? { [VIEW_KEY]: STOCK } : {}, { replace: true })}
        />
      </div>
      {view === STOCK ? <StockList importing={importing} /> : <NodeList filter={filter} importing={importing} />}
      {isImporting && <ImportDialog onClose={() => setImporting(false)} />}
    </Page>
  );
}
