// What a screen shows when there is nothing, nothing yet, or something wrong; and small notes about states.
import { CheckCircle, CloudSlash, Info, Tray, Warning, WarningCircle } from '@phosphor-icons/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './Button';
import s from './ui.module.css';

export function EmptyState({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className={s.state}>
      <Tray size={36} aria-hidden="true" />
      <strong>{title}</strong>
      {children && <p>{children}</p>}
      {action}
    </div>
  );
}

/** Something could not be loaded: says so, and offers to try again. */
export function ErrorState({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation();
  const isOffline = typeof navigator !== 'undefined' && navigator.onLine === false;
  return (
    <div className={s.state} role="alert">
      <CloudSlash size={36} aria-hidden="true" />
      <strong>{isOffline ? t('offline') : t('loadFailed')}</strong>
      <p>{isOffline ? t('offlineHint') : t('loadFailedHint')}</p>
      <Button onClick={onRetry}>{t('retry')}</Button>
    </div>
  );
}

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

export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'accent';

export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className={s.badge} data-tone={tone}>
      {children}
    </span>
  );
}

const NOTICE_ICONS = { accent: Info, neutral: Info, good: CheckCircle, warn: Warning, bad: WarningCircle };

export function Notice({ tone = 'accent', children }: { tone?: Tone; children: ReactNode }) {
  const Icon = NOTICE_ICONS[tone];
  return (
    <div className={s.notice} data-tone={tone} role={tone === 'bad' ? 'alert' : 'status'}>
      <Icon size={18} aria-hidden="true" />
      <div>{children}</div>
    </div>
  );
}
