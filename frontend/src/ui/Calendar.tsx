// A month calendar with a time picker beside it.
import DatePicker from 'react-datepicker';
import { useTranslation } from 'react-i18next';
import { useCalendar } from './useCalendar';
import { readField } from './wireTime';

const digits = (number: number) => String(number).padStart(2, '0');
const asText = (time: Date) =>
  `${time.getFullYear()}-${digits(time.getMonth() + 1)}-${digits(time.getDate())} ${digits(time.getHours())}:${digits(time.getMinutes())}`;

interface CalendarProps {
  /** `YYYY-MM-DD HH:mm`; any other value means nothing is selected. */
  value: string;
  onChange: (value: string) => void;
  /** Called when a time is picked. */
  onDone: () => void;
}

export function Calendar({ value, onChange, onDone }: CalendarProps) {
  const { t } = useTranslation();
  const calendar = useCalendar();
  const chosen = readField(value);
  return (
    <DatePicker
      {...calendar}
      inline
      showTimeSelect
      timeIntervals={30}
      timeFormat="HH:mm"
      timeCaption={t('calendar.time')}
      selected={chosen ?? null}
      onChange={(time: Date | null) => {
        if (!time) return;
        onChange(asText(time));
        // Picking a day keeps the calendar open for the time.
        if (chosen && chosen.toDateString() === time.toDateString()) onDone();
      }}
      calendarClassName="calendar"
    />
  );
}
