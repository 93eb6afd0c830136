// Downloads invoices and credit notes.
import { useCall } from '@/api/useCall';
import { invoiceFile } from '@/api/wallet';
import { currentLanguage } from '@/i18n';
import { saveFile } from '../saveFile';

/** Downloads a document as a PDF in the user's language; returns the one in progress. */
export function useInvoiceFile() {
  const call = useCall(invoiceFile);
  return {
    save: (InvoiceNumber: string) => call.run({ InvoiceNumber, Language: currentLanguage() }, saveFile),
    busy: call.sending?.InvoiceNumber,
  };
}
