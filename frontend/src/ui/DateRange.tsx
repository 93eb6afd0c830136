// A range of days, picked from a calendar.
import { zhCN } from 'date-fns/locale/zh-CN';
import DatePicker, { registerLocale } from 'react-datepicker';
import 'react-datepicker/dist/react-datepicker.css';
import './date-range.css';
import { useTranslation } from 'react-i18next';
import { DATE_LOCALE, FIRST_YEAR, LAST_YEAR } from '@/core/constants.gen';
import { currentLanguage } from '@/i18n';
import s from './ui.module.css';

registerLocale(DATE_LOCALE.zh, zhCN);

/** First and last day, `YYYY-MM-DD`; empty where the range is open. */
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
  useTranslation();
  return (
    <DatePicker
      selectsRange
      isClearable
      startDate={asDay(value[0])}
      endDate={asDay(value[1])}
      onChange={([from, to]) => onChange([asText(from), asText(to)])}
      minDate={new Date(FIRST_YEAR, 0, 1)}
      maxDate={new Date(LAST_YEAR, 11, 31)}
      locale={DATE_LOCALE[currentLanguage()]}
      dateFormat="yyyy-MM-dd"
      dateFormatCalendar={currentLanguage() === 'zh' ? 'yyyy年M月' : 'MMMM yyyy'}
      placeholderText={label}
      ariaLabelledBy={label}
      className={s.input ?? ''}
      wrapperClassName="date-range"
      showYearDropdown
      dropdownMode="select"
    />
  );
}
