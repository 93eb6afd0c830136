// Imports proxy users from a file: parsed here, validated by the server, then all or none are created.
import { DownloadSimple, FileArrowUp } from '@phosphor-icons/react';
import { type ChangeEvent, type DragEvent, useDeferredValue, useId, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { importProxyUsers, type ProxyUsersImported } from '@/api/proxyUsers';
import { useCall } from '@/api/useCall';
import { type FieldErrors, loadScreenRules } from '@/core';
import { Button } from '@/ui/Button';
import { Frame } from '@/ui/Field';
import { Notice } from '@/ui/Notice';
import { Dialog } from '@/ui/Overlay';
import { Progress } from '@/ui/Progress';
import { useRules } from '@/ui/useRules';
import { nowOnWire } from '@/ui/wireTime';
import { ImportPreview } from './ImportPreview';
import s from './users.module.css';
import { FILE_HEADER, fileErrors, fileRows, saveExample, savePasswords, textOfFile } from './usersFile';

export function ImportDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['proxy_users', 'common']);
  const call = useCall(importProxyUsers);
  const areaId = useId();
  const picker = useRef<HTMLInputElement>(null);
  const [csv, setCsv] = useState('');
  // The server's result for exactly this text: errors, or the number that can be created.
  const [said, setSaid] = useState<{ of: string; errors: FieldErrors; creatable?: number }>();
  const [done, setDone] = useState<ProxyUsersImported>();
  const rules = useRules('residential', loadScreenRules);

  const text = useDeferredValue(csv);
  const file = useMemo(
    () => (text.trim() && rules.data ? rules.data.readProxyUsers(text, nowOnWire()) : undefined),
    [text, rules.data],
  );
  const answer = said?.of === csv ? said : undefined;
  const errors = useMemo(() => fileErrors({ ...file?.Errors, ...answer?.errors }), [file, answer]);
  const rows = useMemo(() => (file ? fileRows(file, errors) : []), [file, errors]);
  const isReady = text === csv && rows.length > 0 && errors.length === 0;

  const take = async (chosen: File | undefined) => {
    if (chosen) setCsv(await textOfFile(chosen));
  };
  const send = async (DryRun: boolean) => {
    if (!isReady) return;
    await call.run(
      { Csv: csv, DryRun },
      (result) => (DryRun ? setSaid({ of: csv, errors: {}, creatable: result.Created }) : setDone(result)),
      (error) => {
        const fields = error.data.Fields as FieldErrors | undefined;
        setSaid(fields && { of: csv, errors: fields });
      },
    );
  };

  if (done) return <Imported result={done} onClose={onClose} />;
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={t('import.title')}
      actions={
        <>
          <Button onClick={onClose}>{t('common:cancel')}</Button>
          {answer?.creatable === undefined ? (
            <Button variant="primary" disabled={!isReady} loading={call.isBusy} onClick={() => send(true)}>
              {t('import.check')}
            </Button>
          ) : (
            <Button variant="primary" disabled={!isReady} loading={call.isBusy} onClick={() => send(false)}>
              {t('import.create', { count: answer.creatable })}
            </Button>
          )}
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
        <p className={s.soft}>{t('import.lead')}</p>
        <div className={s.buttons}>
          <Button icon={<FileArrowUp size={16} />} onClick={() => picker.current?.click()}>
            {t('import.choose')}
          </Button>
          <Button variant="ghost" icon={<DownloadSimple size={16} />} onClick={saveExample}>
            {t('import.example')}
          </Button>
          <input
            ref={picker}
            id={`${areaId}-file`}
            className="visually-hidden"
            type="file"
            tabIndex={-1}
            aria-label={t('import.choose')}
            accept=".csv,text/csv,text/plain"
            onChange={(event: ChangeEvent<HTMLInputElement>) => {
              take(event.target.files?.[0]);
              // Resets the input, so that the same file can be chosen again.
              event.target.value = '';
            }}
          />
        </div>
        <Frame label={t('import.paste')}>
          {(described) => (
            <textarea
              {...described}
              className={s.csv}
              spellCheck={false}
              rows={6}
              placeholder={FILE_HEADER}
              value={csv}
              onChange={(event) => setCsv(event.target.value)}
            />
          )}
        </Frame>
        {file && <ImportPreview rows={rows} errors={errors} creatable={answer?.creatable} />}
        {call.isBusy && <Progress label={t('import.working', { count: rows.length })} />}
      </div>
    </Dialog>
  );
}

/** Number of created users, and a file with their passwords, including generated ones. */
function Imported({ result, onClose }: { result: ProxyUsersImported; onClose: () => void }) {
  const { t } = useTranslation(['proxy_users', 'common']);
  const rows = result.Rows ?? [];
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('import.doneTitle')}
      actions={
        <>
          <Button icon={<DownloadSimple size={16} />} onClick={() => savePasswords(rows)}>
            {t('import.savePasswords')}
          </Button>
          <Button variant="primary" onClick={onClose}>
            {t('common:done')}
          </Button>
        </>
      }
    >
      <div className={s.form}>
        <Notice tone="good">{t('import.done', { count: result.Created })}</Notice>
        <p>{t('import.passwordsHint')}</p>
      </div>
    </Dialog>
  );
}
