// Downloads invoices and credit notes.
import { useState } from 'react';
import { download } from '@/api/client';
import { currentLanguage } from '@/i18n';
import { saveFile } from '../saveFile';

/** Downloads a document as a PDF in the user's language; returns the one in progress. */
export function useInvoiceFile() {
  const [busy, setBusy] = useState<string>();
  const save = async (invoiceNumber: string) => {
    setBusy(invoiceNumber);
    try {
      saveFile(await download('Billing/GetInvoicePdf', { InvoiceNumber: invoiceNumber, Language: currentLanguage() }));
    } catch {
      // The API client has shown the error toast.
    } finally {
      setBusy(undefined);
    }
  };
  return { save, busy };
}
