// Empty and error states of a screen, and badges.
import { CloudSlash, Tray } from '@phosphor-icons/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './Button';
import type { Tone } from './Notice';
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

interface ErrorStateProps {
  onRetry: () => void;
  /** Offline state: the browser's, unless given. */
  isOffline?: boolean;
}

/** Error state of a failed load, with a retry button. */
export function ErrorState({ onRetry, isOffline = navigator.onLine === false }: ErrorStateProps) {
  const { t } = useTranslation();
  return (
    <div className={s.state} role="alert">
      <CloudSlash size={36} aria-hidden="true" />
      <strong>{isOffline ? t('offline') : t('loadFailed')}</strong>
      <p>{isOffline ? t('offlineHint') : t('loadFailedHint')}</p>
      <Button onClick={onRetry}>{t('retry')}</Button>
    </div>
  );
}

export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className={s.badge} data-tone={tone}>
      {children}
    </span>
  );
}
