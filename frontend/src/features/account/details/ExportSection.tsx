// Downloads the account's data.
import { DownloadSimple } from '@phosphor-icons/react';
import { useTranslation } from 'react-i18next';
import { exportData } from '@/api/account';
import { useCall } from '@/api/useCall';
import { Button } from '@/ui/Button';
import { Section } from '@/ui/Section';
import { saveFile } from '@/ui/saveFile';
import s from '../account.module.css';

export function ExportSection() {
  const { t } = useTranslation('account');
  const call = useCall(exportData);
  return (
    <Section
      title={t('export.title')}
      lead={t('export.lead')}
      footer={
        <Button icon={<DownloadSimple size={16} />} loading={call.isBusy} onClick={() => call.run(undefined, saveFile)}>
          {t('export.submit')}
        </Button>
      }
    >
      <p className={s.soft}>{t('export.what')}</p>
    </Section>
  );
}
