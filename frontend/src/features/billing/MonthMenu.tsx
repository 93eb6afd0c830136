// Downloads the invoices and credit notes of a month as one file.
import { DownloadSimple } from '@phosphor-icons/react';
import { useTranslation } from 'react-i18next';
import { useCall } from '@/api/useCall';
import { exportInvoices } from '@/api/wallet';
import { shownTimeZone } from '@/core';
import { currentLanguage } from '@/i18n';
import { Button } from '@/ui/Button';
import { monthBefore, monthName, today } from '@/ui/days';
import { Menu } from '@/ui/Overlay';
import { saveFile } from '@/ui/saveFile';
import { showToast } from '@/ui/toast';

/** How many months the menu lists; older documents are in the list. */
const MONTHS = 12;

export function MonthMenu() {
  const { t } = useTranslation('billing');
  const call = useCall(exportInvoices, { silent: true });
  const months = () => Array.from({ length: MONTHS }, (_, count) => monthBefore(today(shownTimeZone()), count));
  const save = (range: [string, string]) =>
    call.run(
      { StartAndEndTime: range },
      (file) => saveFile(new File([file], `invoices-${range[0].slice(0, 7)}.zip`)),
      (error) => showToast(error.message, typeof error.data.Key === 'string' ? 'info' : 'error'),
    );
  return (
    <Menu
      label={t('invoices.monthHint')}
      trigger={
        <Button icon={<DownloadSimple size={17} aria-hidden="true" />} loading={call.isBusy}>
          {t('invoices.month')}
        </Button>
      }
      items={() =>
        months().map((range) => ({
          key: range[0],
          label: monthName(range[0], currentLanguage()),
          onSelect: () => save(range),
        }))
      }
    />
  );
}
