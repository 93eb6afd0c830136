// Traffic of the last days as small bars, with a text alternative.
import { useTranslation } from 'react-i18next';
import { bytesText } from '@/ui/bytes';
import s from './users.module.css';

const HEIGHT = 24;
const BAR = 5;
const STEP = 7;

export function Sparkline({ days }: { days: readonly number[] }) {
  const { t, i18n } = useTranslation('proxy_users');
  const most = Math.max(...days, 0);
  const total = days.reduce((sum, bytes) => sum + bytes, 0);
  if (total === 0) return <span className={s.soft}>{t('list.noTraffic')}</span>;
  const text = t('list.traffic', {
    count: days.length,
    Total: bytesText(total, i18n.language),
    Most: bytesText(most, i18n.language),
    Last: bytesText(days.at(-1) ?? 0, i18n.language),
  });
  const width = days.length * STEP - (STEP - BAR);
  return (
    <svg
      className={s.sparkline}
      role="img"
      aria-label={text}
      width={width}
      height={HEIGHT}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      preserveAspectRatio="none"
    >
      <title>{text}</title>
      {days.map((bytes, day) => {
        // A day with little traffic stays distinguishable from one with none.
        const height = bytes === 0 ? 1 : Math.max(2, Math.round((bytes / most) * HEIGHT));
        return (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: days are identified by position
            key={day}
            x={day * STEP}
            y={HEIGHT - height}
            width={BAR}
            height={height}
            data-empty={bytes === 0 || undefined}
          />
        );
      })}
    </svg>
  );
}
