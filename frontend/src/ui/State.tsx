// Empty and error states of a screen, and badges.
import { CloudSlash, Tray } from '@phosphor-icons/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { CallError } from '@/api/client';
import { useConnection } from '@/api/connection';
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
  /** What the load threw: the server's own message is shown, if it gave one. */
  error?: unknown;
  /** Offline state: the browser's, unless given. */
  isOffline?: boolean;
}

/** The message of a call that the server refused; undefined if it did not answer. */
const messageOf = (error: unknown) =>
  error instanceof CallError && error.code !== undefined && error.message ? error.message : undefined;

/** Error state of a failed load, with a retry button. */
export function ErrorState({ onRetry, error, ...given }: ErrorStateProps) {
  const { t } = useTranslation();
  const isLost = useConnection((state) => state.lost === 'offline');
  const isOffline = given.isOffline ?? isLost;
  const hint = isOffline ? t('offlineHint') : (messageOf(error) ?? t('loadFailedHint'));
  return (
    <div className={s.state} role="alert">
      <CloudSlash size={36} aria-hidden="true" />
      <strong>{isOffline ? t('offline') : t('loadFailed')}</strong>
      <p>{hint}</p>
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
