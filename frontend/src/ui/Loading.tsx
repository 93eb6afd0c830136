// Loading states.
import { useTranslation } from 'react-i18next';
import s from './ui.module.css';

export function Skeleton({ height, width }: { height?: number | string; width?: number | string }) {
  return <span className={s.skeleton} style={{ height, width }} />;
}

export function LoadingState({ rows = 5 }: { rows?: number }) {
  const { t } = useTranslation();
  return (
    <div role="status" aria-label={t('loading')} style={{ display: 'grid', gap: 12 }}>
      {Array.from({ length: rows }, (_, row) => row).map((row) => (
        <Skeleton key={row} height={20} width={`${100 - (row % 3) * 14}%`} />
      ))}
    </div>
  );
}

/** Loading state of a whole screen. */
export function ScreenLoading() {
  return (
    <div className={s.page}>
      <LoadingState />
    </div>
  );
}
