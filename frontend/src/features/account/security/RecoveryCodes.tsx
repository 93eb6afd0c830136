// Recovery codes, shown once, to copy or download.
import { Copy, DownloadSimple } from '@phosphor-icons/react';
import { useTranslation } from 'react-i18next';
import { shopOfPage } from '@/stores/config';
import { useUserStore } from '@/stores/user';
import { Button } from '@/ui/Button';
import { copy } from '@/ui/CopyButton';
import { Notice } from '@/ui/Notice';
import { Dialog } from '@/ui/Overlay';
import { saveFile } from '@/ui/saveFile';
import s from '../account.module.css';

interface RecoveryCodesProps {
  title: string;
  codes: string[];
  onClose: () => void;
}

export function RecoveryCodesDialog({ title, codes, onClose }: RecoveryCodesProps) {
  const { t } = useTranslation('account');
  const email = useUserStore((state) => state.info?.Email ?? '');
  const lines = codes.map((code) => `${code}\n`).join('');
  const save = () => {
    const shop = shopOfPage().name;
    const head = t('codes.fileHead', { Shop: shop, Email: email });
    saveFile(new File([`${head}\n\n${lines}`], `${shop.toLowerCase().replace(/\W+/g, '-')}-recovery-codes.txt`));
  };
  return (
    <Dialog
      open
      shownOnce
      onClose={onClose}
      title={title}
      actions={
        <Button variant="primary" onClick={onClose}>
          {t('codes.done')}
        </Button>
      }
    >
      <div className={s.form}>
        <p className={s.soft}>{t('codes.lead')}</p>
        <ol className={s.codes} aria-label={t('codes.list')}>
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ol>
        <div className={s.buttons}>
          <Button icon={<Copy size={16} />} onClick={() => copy(lines)}>
            {t('codes.copy')}
          </Button>
          <Button icon={<DownloadSimple size={16} />} onClick={save}>
            {t('codes.download')}
          </Button>
        </div>
        <Notice tone="warn">{t('codes.once')}</Notice>
      </div>
    </Dialog>
  );
}
