// Toasts: normal ones, and brief ones for confirmations such as "Copied". The library is loaded with the first toast.
import { createElement } from 'react';
import { create } from 'zustand';
import { BRIEF_TOAST_MS, TOAST_MS } from '@/core/constants.gen';

export const MAIN_TOASTER = 'main';
export const BRIEF_TOASTER = 'brief';

export type ToastVariant = 'default' | 'success' | 'warning' | 'error' | 'info';

/** Whether a toast was shown yet. */
export const useToasts = create<{ any: boolean }>(() => ({ any: false }));

/** Undefined if it cannot be fetched: the bar says that the connection is lost. */
async function library() {
  const loaded = await import('react-hot-toast').catch(() => undefined);
  if (loaded) useToasts.setState({ any: true });
  return loaded?.default;
}

/** Shows a toast. A duplicate of a visible toast is not repeated. */
export async function showToast(message: string, variant: ToastVariant = 'default'): Promise<void> {
  const toast = await library();
  const isUrgent = variant === 'error' || variant === 'warning';
  toast?.(message, {
    id: `${variant}:${message}`,
    toasterId: MAIN_TOASTER,
    duration: TOAST_MS,
    className: `toast toast-${variant}`,
    icon: createElement('span', { className: 'toast-dot', 'aria-hidden': true }),
    ariaProps: { role: isUrgent ? 'alert' : 'status', 'aria-live': isUrgent ? 'assertive' : 'polite' },
  });
}

export const toastError = (message: string) => showToast(message, 'error');

export async function briefToast(message: string): Promise<void> {
  const toast = await library();
  toast?.(message, { id: message, toasterId: BRIEF_TOASTER, duration: BRIEF_TOAST_MS, className: 'toast' });
}
