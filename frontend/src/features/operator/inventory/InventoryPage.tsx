// The inventory of static proxies, for operators: every node in a list, the stock by tier and city, and the use cases, in tabs.
import { DownloadSimple, FileArrowUp, Plus } from '@phosphor-icons/react';
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
import { STOCK, USE_CASES, useInventoryFilter, VIEW_KEY } from './inventory';
import s from './inventory.module.css';
import { NodeList } from './NodeList';
import { StockList } from './StockList';
import { UseCaseDialog } from './UseCaseDialog';
import { UseCaseList } from './UseCaseList';

type View = 'nodes' | typeof STOCK | typeof USE_CASES;

const LABELS = { nodes: 'nodes', [STOCK]: 'stock', [USE_CASES]: 'useCases' } as const;

export function InventoryPage() {
  const { t } = useTranslation('inventory');
  const [parameters, setParameters] = useSearchParams();
  const filter = useInventoryFilter();
  const exporting = useCall(exportInventory);
  const may = useMay();
  const [isImporting, setImporting] = useState(false);
  const [isAdding, setAdding] = useState(false);
  const views: View[] = ['nodes', STOCK, ...(may('Operator/GetUseCaseList') ? [USE_CASES as View] : [])];
  const view = views.find((one) => one === parameters.get(VIEW_KEY)) ?? 'nodes';
  const importing = may('Operator/ImportNodes') && (
    <Button variant="primary" icon={<FileArrowUp size={17} aria-hidden="true" />} onClick={() => setImporting(true)}>
      {t('import.open')}
    </Button>
  );
  const adding = may('Operator/SaveUseCase') && (
    <Button variant="primary" icon={<Plus size={17} aria-hidden="true" />} onClick={() => setAdding(true)}>
      {t('useCases.add.open')}
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
          {view === USE_CASES ? adding : importing}
        </>
      }
    >
      <div className={s.tabs}>
        <SegmentedControl
          label={t('view.label')}
          value={view}
          segments={views.map((one) => ({ value: one, label: t(`view.${LABELS[one]}`) }))}
          // Filters and pages belong to one view.
          onChange={(next) => setParameters(next === 'nodes' ? {} : { [VIEW_KEY]: next }, { replace: true })}
        />
      </div>
      {view === 'nodes' && <NodeList filter={filter} importing={importing} />}
      {view === STOCK && <StockList importing={importing} />}
      {view === USE_CASES && <UseCaseList add={adding} />}
      {isImporting && <ImportDialog onClose={() => setImporting(false)} />}
      {isAdding && <UseCaseDialog onClose={() => setAdding(false)} />}
    </Page>
  );
}
