// Imports a CSV file of nodes: the server checks it, shows what would be added or what is wrong, and then adds all or nothing.
import { DownloadSimple, FileArrowUp } from '@phosphor-icons/react';
import { type ChangeEvent, type DragEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { importNodes, type NodesImported, previewImport } from '@/api/inventory';
import { useCall } from '@/api/useCall';
import { INVENTORY_MAX_MEGABYTES } from '@/core/constants.gen';
import { Button } from '@/ui/Button';
import { Notice } from '@/ui/Notice';
import { Dialog } from '@/ui/Overlay';
import { Progress } from '@/ui/Progress';
import { ScrolledTable } from '@/ui/ScrolledTable';
import { showToast } from '@/ui/toast';
import { ImportPreview } from './ImportPreview';
import s from './inventory.module.css';
import { COLUMNS, isRequired, saveExample } from './nodesFile';
import { useTiers } from './tiers';

export function ImportDialog({ onClose }: { onClose: () => void }) {
  const { t, i18n } = useTranslation(['inventory', 'common']);
  const { tiers } = useTiers();
  const checking = useCall(previewImport, { silent: true });
  const importing = useCall(importNodes, { silent: true });
  const picker = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File>();
  const [result, setResult] = useState<NodesImported>();
  const [part, setPart] = useState(0);
  const isBusy = checking.isBusy || importing.isBusy;
  const isReady = file !== undefined && result !== undefined && result.WrongCells === 0 && result.Nodes > 0;
  const refusal = importing.refusal ?? checking.refusal;

  const take = (chosen: File | undefined) => {
    if (!chosen || isBusy) return;
    importing.forgetRefusal();
    setFile(chosen);
    setResult(undefined);
    setPart(0);
    checking.run({ file: chosen, onProgress: setPart }, setResult);
  };
  const send = () => {
    if (!isReady) return;
    setPart(0);
    importing.run({ file, onProgress: setPart }, (answer) => {
      // Other nodes may have come into the inventory since the file was checked.
      if (!answer.IsImported) return setResult(answer);
      showToast(t('import.done', { count: answer.Nodes }), 'success');
      onClose();
    });
  };
  const working = () => {
    const Percent = new Intl.NumberFormat(i18n.language, { style: 'percent' }).format(part);
    if (part < 1) return t('import.uploading', { Percent });
    return importing.isBusy ? t('import.working') : t('import.checking');
  };

  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={t('import.title')}
      actions={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          <Button variant="primary" disabled={!isReady} loading={importing.isBusy} onClick={send}>
            {isReady ? t('import.submit', { count: result.Nodes }) : t('import.submitNone')}
          </Button>
        </>
      }
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is an alternative to the button inside */}
      <div
        className={s.form}
        onDragOver={(event: DragEvent) => event.preventDefault()}
        onDrop={(event: DragEvent) => {
          event.preventDefault();
          take(event.dataTransfer.files[0]);
        }}
      >
        <p className={s.soft}>{t('import.lead', { Megabytes: INVENTORY_MAX_MEGABYTES })}</p>
        <div className={s.buttons}>
          <Button
            icon={<FileArrowUp size={16} aria-hidden="true" />}
            disabled={isBusy}
            onClick={() => picker.current?.click()}
          >
            {t(file ? 'import.chooseAnother' : 'import.choose')}
          </Button>
          <Button
            variant="ghost"
            icon={<DownloadSimple size={16} aria-hidden="true" />}
            onClick={() => saveExample(tiers[0]?.VerStr ?? '')}
          >
            {t('import.example')}
          </Button>
          {file && <span className={s.fileName}>{file.name}</span>}
          <input
            ref={picker}
            className="visually-hidden"
            type="file"
            tabIndex={-1}
            aria-label={t('import.file')}
            accept=".csv,text/csv,text/plain"
            onChange={(event: ChangeEvent<HTMLInputElement>) => {
              take(event.target.files?.[0]);
              // Resets the input, so that the corrected file can be chosen again.
              event.target.value = '';
            }}
          />
        </div>
        {isBusy && <Progress label={working()} />}
        {refusal && <Notice tone="bad">{refusal.message}</Notice>}
        {result && <ImportPreview result={result} />}
        {!file && <FileColumns />}
      </div>
    </Dialog>
  );
}

/** The columns that a file has, and what is in them. */
function FileColumns() {
  const { t } = useTranslation('inventory');
  return (
    <ScrolledTable label={t('import.columns')}>
      <thead>
        <tr>
          <th scope="col">{t('import.column')}</th>
          <th scope="col">{t('import.meaning')}</th>
        </tr>
      </thead>
      <tbody>
        {COLUMNS.map((name) => (
          <tr key={name}>
            <td>
              <code>{name}</code>
            </td>
            <td data-wrap>
              {t(`import.columnHint.${name}`)}
              {!isRequired(name) && <span className={s.optional}>{t('import.optional')}</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </ScrolledTable>
  );
}
