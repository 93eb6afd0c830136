// Downloads an invoice or a credit note by its number.
import { DownloadSimple } from '@phosphor-icons/react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/ui/Button';
import { useInvoiceFile } from '@/ui/order/useInvoiceFile';
import s from './billing.module.css';

export function InvoiceButton({ number }: { number: string }) {
  const { t } = useTranslation('invoices');
  const file = useInvoiceFile();
  return (
    <Button
      size="small"
      variant="ghost"
      className={s.document}
      icon={<DownloadSimple size={15} aria-hidden="true" />}
      loading={file.busy === number}
      aria-label={t('save', { Number: number })}
      onClick={() => file.save(number)}
    >
      {number}
    </Button>
  );
}
