// A date range picker.
import DatePicker from 'react-datepicker';
import s from './ui.module.css';
import { useCalendar } from './useCalendar';

/** First and last day, `YYYY-MM-DD`; empty for an open end. */
export type Range = [string, string];

const asText = (day: Date | null) =>
  day
    ? `${day.getFullYear()}-${String(day.getMonth() + 1).padStart(2, '0')}-${String(day.getDate()).padStart(2, '0')}`
    : '';
const asDay = (text: string) => (text ? new Date(`${text}T00:00:00`) : null);

export function DateRange({
  label,
  value,
  onChange,
}: {
  label: string;
  value: Range;
  onChange: (range: Range) => void;
}) {
  const calendar = useCalendar();
  return (
    <DatePicker
      {...calendar}
      selectsRange
      isClearable
      startDate={asDay(value[0])}
      endDate={asDay(value[1])}
      onChange={([from, to]) => onChange([asText(from), asText(to)])}
      dateFormat="yyyy-MM-dd"
      rangeSeparator=" – "
      placeholderText={label}
      ariaLabelledBy={label}
      className={s.input ?? ''}
      wrapperClassName="date-range"
    />
  );
}
