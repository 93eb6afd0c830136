// A date and time field, typed or picked from a calendar.
import { CalendarBlank } from '@phosphor-icons/react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from './Button';
import { Frame } from './Field';
import { LoadingState } from './Loading';
import { Popover } from './Overlay';
import s from './ui.module.css';

const Calendar = lazy(async () => ({ default: (await import('./Calendar')).Calendar }));

interface DateTimeFieldProps {
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
  /** `YYYY-MM-DD HH:mm` in the user's time zone, or whatever was typed. */
  value: string;
  onChange: (event: { target: { value: string } }) => void;
}

export function DateTimeField({ label, hint, error, value, onChange }: DateTimeFieldProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const set = (time: string) => onChange({ target: { value: time } });
  return (
    <Frame label={label} hint={hint} error={error}>
      {(described) => (
        <div className={s.withButton}>
          <input
            {...described}
            className={s.input}
            inputMode="numeric"
            autoComplete="off"
            placeholder="YYYY-MM-DD HH:mm"
            value={value}
            onChange={(event) => set(event.target.value)}
          />
          <Popover
            label={t('calendar.title')}
            state={{ open: isOpen, onOpenChange: setOpen }}
            trigger={
              <IconButton label={t('calendar.open')}>
                <CalendarBlank size={18} />
              </IconButton>
            }
          >
            <Suspense fallback={<LoadingState rows={6} />}>
              <Calendar value={value} onChange={set} onDone={() => setOpen(false)} />
            </Suspense>
          </Popover>
        </div>
      )}
    </Frame>
  );
}
