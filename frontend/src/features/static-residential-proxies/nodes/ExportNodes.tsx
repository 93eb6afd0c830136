// Exports selected proxies as a file.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { exportNodes } from '@/api/staticProxies';
import { useCall } from '@/api/useCall';
import { OptionList, SegmentedControl } from '@/ui/Controls';
import { SelectField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import { Notice } from '@/ui/Notice';
import { Progress } from '@/ui/Progress';
import { saveFile } from '@/ui/saveFile';
import s from '../static.module.css';
import { protocolsOf, useEndpoint } from '../useEndpoint';
import type { ActionProps } from './bulkSelection';

export function ExportNodes({ selection, onClose }: ActionProps) {
  const { t } = useTranslation(['static_residential_proxies', 'common']);
  const { formats, format, setFormat, protocol, setProtocol } = useEndpoint();
  const [file, setFile] = useState<'txt' | 'csv' | 'json'>('txt');
  const call = useCall(exportNodes);
  const body = { ...selection.body, Format: file, EndpointFormat: format, Protocol: protocol };
  const onDone = (made: File) => {
    saveFile(made);
    onClose(true);
  };
  return (
    <FormDialog
      call={call}
      title={t('export.title', { count: selection.count })}
      action={t('export.submit')}
      className={s.form}
      onSubmit={(event) => call.submit(event, { body, onDone })}
      onClose={() => onClose(false)}
    >
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
      <SegmentedControl label={t('export.protocol')} value={protocol} segments={protocolsOf()} onChange={setProtocol} />
      <Notice tone="warn">{t('export.secret')}</Notice>
      {call.isBusy && <Progress label={t('result.working', { count: selection.count })} />}
    </FormDialog>
  );
}
