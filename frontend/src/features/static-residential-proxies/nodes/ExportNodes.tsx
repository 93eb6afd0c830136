// Exports selected proxies as a file.
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { download } from '@/api/client';
import { Button } from '@/ui/Button';
import { OptionList, SegmentedControl } from '@/ui/Controls';
import { SelectField } from '@/ui/Field';
import { Notice } from '@/ui/Notice';
import { Dialog } from '@/ui/Overlay';
import { Progress } from '@/ui/Progress';
import { saveFile } from '@/ui/saveFile';
import s from '../static.module.css';
import { PROTOCOLS, useEndpoint } from '../useEndpoint';
import type { ActionProps } from './bulkSelection';

export function ExportNodes({ selection, onClose }: ActionProps) {
  const { t } = useTranslation(['static_residential_proxies', 'common']);
  const { formats, format, setFormat, protocol, setProtocol } = useEndpoint();
  const [file, setFile] = useState<'txt' | 'csv' | 'json'>('txt');
  const [isBusy, setBusy] = useState(false);
  const formId = useId();
  const run = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    try {
      const body = { ...selection.body, Format: file, EndpointFormat: format, Protocol: protocol };
      saveFile(await download('Ips/ExportNodes', body));
      onClose(true);
    } catch {
      // The API client has shown the error toast; the dialog stays open to retry.
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      onClose={() => onClose(false)}
      title={t('export.title', { count: selection.count })}
      actions={
        <>
          <Button onClick={() => onClose(false)}>{t('common:cancel')}</Button>
          <Button type="submit" form={formId} variant="primary" loading={isBusy}>
            {t('export.submit')}
          </Button>
        </>
      }
    >
      <form id={formId} className={s.form} onSubmit={run}>
        <OptionList
          label={t('export.format')}
          value={file}
          onChange={setFile}
          options={(['txt', 'csv', 'json'] as const).map((value) => ({ value, label: t(`export.${value}`) }))}
        />
        {file === 'txt' && (
          <SelectField label={t('export.line')} value={format} onChange={(event) => setFormat(event.target.value)}>
            {formats.map((one) => (
              <option key={one} value={one}>
                {t(`format.${one}` as 'format.url')}
              </option>
            ))}
          </SelectField>
        )}
        <SegmentedControl
          label={t('export.protocol')}
          value={protocol}
          segments={[...PROTOCOLS]}
          onChange={setProtocol}
        />
        <Notice tone="warn">{t('export.secret')}</Notice>
        {isBusy && <Progress label={t('result.working', { count: selection.count })} />}
      </form>
    </Dialog>
  );
}
