// Invoices and credit notes as files.
import { useState } from 'react';
import { download } from '@/api/client';
import { currentLanguage } from '@/i18n';
import { saveFile } from '../saveFile';

/** Saves a document as a PDF in the reader's language; says which one is on its way. */
export function useInvoiceFile() {
  const [busy, setBusy] = useState<string>();
  const save = async (invoiceNumber: string) => {
    setBusy(invoiceNumber);
    try {
      saveFile(await download('Billing/GetInvoicePdf', { InvoiceNumber: invoiceNumber, Language: currentLanguage() }));
    } catch {
      // A toast has said why.
    } finally {
      setBusy(undefined);
    }
  };
  return { save, busy };
}
