// Buttons that download a document as a PDF in the user's language: an invoice, a credit note, or the receipt of a transaction.
import { DownloadSimple } from '@phosphor-icons/react';
import { useTranslation } from 'react-i18next';
import { useCall } from '@/api/useCall';
import { invoiceFile, receiptFile } from '@/api/wallet';
import { currentLanguage } from '@/i18n';
import { Button } from '../Button';
import { saveFile } from '../saveFile';
import s from './order.module.css';

interface InvoiceButtonProps extends Pick<DocumentButtonProps, 'bordered'> {
  /** That of an invoice or of a credit note. */
  number: string;
}

export function InvoiceButton({ number, bordered }: InvoiceButtonProps) {
  const call = useCall(invoiceFile);
  const save = () => call.run({ InvoiceNumber: number, Language: currentLanguage() }, saveFile);
  return <DocumentButton number={number} bordered={bordered} loading={call.isBusy} onSave={save} />;
}

export function ReceiptButton({ number, transactionId }: { number: string; transactionId: number }) {
  const call = useCall(receiptFile);
  const save = () => call.run({ TransactionId: transactionId, Language: currentLanguage() }, saveFile);
  return <DocumentButton number={number} loading={call.isBusy} onSave={save} />;
}

interface DocumentButtonProps {
  number: string;
  /** Otherwise it is flush with the text above. */
  bordered?: boolean | undefined;
  loading: boolean;
  onSave: () => void;
}

function DocumentButton({ number, bordered = false, loading, onSave }: DocumentButtonProps) {
  const { t } = useTranslation('invoices');
  return (
    <Button
      size="small"
      {...(!bordered && { variant: 'ghost', className: s.document })}
      icon={<DownloadSimple size={15} aria-hidden="true" />}
      loading={loading}
      aria-label={t('save', { Number: number })}
      onClick={onSave}
    >
      {number}
    </Button>
  );
}
