// A date range picker, with ranges that are asked for often beside the calendar.
import { useRef } from 'react';
import DatePicker from 'react-datepicker';
import { useTranslation } from 'react-i18next';
import { shownTimeZone } from '@/core';
import { LAST_DAYS, PRESETS, presetRange, today, WEEK_DAYS } from './days';
import s from './ui.module.css';
import { useCalendar } from './useCalendar';

/** First and last day, `YYYY-MM-DD`; empty for an open end. */
export type Range = [string, string];

const asText = (day: Date | null) =>
  day
    ? `${day.getFullYear()}-${String(day.getMonth() + 1).padStart(2, '0')}-${String(day.getDate()).padStart(2, '0')}`
    : '';
const asDay = (text: string) => (text ? new Date(`${text}T00:00:00`) : null);

interface DateRangeProps {
  label: string;
  value: Range;
  onChange: (range: Range) => void;
}

export function DateRange({ label, value, onChange }: DateRangeProps) {
  const calendar = useCalendar();
  const picker = useRef<DatePicker>(null);
  return (
    <DatePicker
      {...calendar}
      ref={picker}
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
    >
      <Presets
        value={value}
        onChoose={(range) => {
          onChange(range);
          picker.current?.setOpen(false);
        }}
      />
    </DatePicker>
  );
}

function Presets({ value, onChoose }: { value: Range; onChoose: (range: Range) => void }) {
  const { t } = useTranslation();
  const day = today(shownTimeZone());
  return (
    <fieldset className="date-presets">
      <legend className="visually-hidden">{t('ranges.title')}</legend>
      {PRESETS.map((preset) => {
        const range = presetRange(preset, day);
        const count = preset === 'lastWeek' ? WEEK_DAYS : LAST_DAYS;
        return (
          <button
            key={preset}
            type="button"
            aria-pressed={value[0] === range[0] && value[1] === range[1]}
            onClick={() => onChoose(range)}
          >
            {preset === 'lastWeek' || preset === 'lastDays' ? t('ranges.lastDays', { count }) : t(`ranges.${preset}`)}
          </button>
        );
      })}
    </fieldset>
  );
}
