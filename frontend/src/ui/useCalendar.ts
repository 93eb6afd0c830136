// Shared settings of all calendars: style, language and years.
import { zhCN } from 'date-fns/locale/zh-CN';
import { registerLocale } from 'react-datepicker';
import { useTranslation } from 'react-i18next';
import { DATE_LOCALE, FIRST_YEAR, LAST_YEAR } from '@/core/constants.gen';
import { currentLanguage } from '@/i18n';
import { CalendarBox } from './CalendarBox';
import './calendar.css';

registerLocale(DATE_LOCALE.zh, zhCN);

export function useCalendar() {
  const { t } = useTranslation();
  return {
    minDate: new Date(FIRST_YEAR, 0, 1),
    maxDate: new Date(LAST_YEAR, 11, 31),
    locale: DATE_LOCALE[currentLanguage()],
    dateFormatCalendar: currentLanguage() === 'zh' ? 'yyyy年M月' : 'MMMM yyyy',
    showYearDropdown: true,
    dropdownMode: 'select' as const,
    calendarContainer: CalendarBox,
    previousMonthAriaLabel: t('calendar.previousMonth'),
    nextMonthAriaLabel: t('calendar.nextMonth'),
    monthAriaLabelPrefix: t('calendar.month'),
    chooseDayAriaLabelPrefix: t('calendar.choose'),
    disabledDayAriaLabelPrefix: t('calendar.unavailable'),
  };
}
