// Downloads the account's data.
import { DownloadSimple } from '@phosphor-icons/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { download } from '@/api/client';
import { Button } from '@/ui/Button';
import { Section } from '@/ui/Section';
import { saveFile } from '@/ui/saveFile';
import s from '../account.module.css';

export function ExportSection() {
  const { t } = useTranslation('account');
  const [isBusy, setBusy] = useState(false);
  const save = async () => {
    setBusy(true);
    try {
      saveFile(await download('User/ExportData', {}));
    } catch {
      // The API client has shown the error toast.
    } finally {
      setBusy(false);
    }
  };
  return (
    <Section
      title={t('export.title')}
      lead={t('export.lead')}
      footer={
        <Button icon={<DownloadSimple size={16} />} loading={isBusy} onClick={save}>
          {t('export.submit')}
        </Button>
      }
    >
      <p className={s.soft}>{t('export.what')}</p>
    </Section>
  );
}
