// Saves a month for the accountant: the orders and documents of all customers as one ZIP file.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { exportMonth } from '@/api/operatorPayments';
import { useCall } from '@/api/useCall';
import { shownTimeZone } from '@/core';
import { currentLanguage } from '@/i18n';
import { monthBefore, monthName, today } from '@/ui/days';
import { SelectField } from '@/ui/Field';
import { FormDialog } from '@/ui/FormDialog';
import { Progress } from '@/ui/Progress';
import { saveFile } from '@/ui/saveFile';
import { showToast } from '@/ui/toast';
import s from './payments.module.css';

/** This month and the twelve before it. */
const MONTHS = 13;

const nameOf = (day: string) => monthName(day, currentLanguage());

export function MonthDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('payments');
  const call = useCall(exportMonth, { silent: true });
  const [months] = useState(() =>
    Array.from({ length: MONTHS }, (_, count) => monthBefore(today(shownTimeZone()), count)),
  );
  // The last one is complete.
  const [index, setIndex] = useState(1);
  const [from = '', to = ''] = months[index] ?? [];
  const onDone = (file: File) => {
    const month = from.slice(0, 'YYYY-MM'.length);
    saveFile(new File([file], `accounting-${month}.zip`));
    showToast(t('month.done', { Month: nameOf(from) }), 'success');
    onClose();
  };
  return (
    <FormDialog
      call={call}
      title={t('month.title')}
      action={t('month.submit')}
      className={s.form}
      onSubmit={(event) => call.submit(event, { body: { StartAndEndTime: [from, to] }, onDone })}
      onClose={onClose}
    >
      <SelectField
        label={t('month.label')}
        value={from}
        disabled={call.isBusy}
        onChange={(event) => {
          setIndex(event.target.selectedIndex);
          call.forgetRefusal();
        }}
      >
        {months.map(([first]) => (
          <option key={first} value={first}>
            {nameOf(first)}
          </option>
        ))}
      </SelectField>
      <div className={s.contents}>
        <p>{t('month.contents')}</p>
        <ul>
          {(['invoices', 'orders', 'documents'] as const).map((part) => (
            <li key={part}>{t(`month.${part}`)}</li>
          ))}
        </ul>
        <p className={s.soft}>{t('month.zone')}</p>
      </div>
      {call.isBusy && <Progress label={t('month.busy')} />}
    </FormDialog>
  );
}
