// The two toast set-ups: the main one, and a brief one for a word such as "copied".
import { createElement } from 'react';
import toast from 'react-hot-toast';
import { BRIEF_TOAST_MS, TOAST_MS } from '@/core/constants.gen';

export const MAIN_TOASTER = 'main';
export const BRIEF_TOASTER = 'brief';

export type ToastVariant = 'default' | 'success' | 'warning' | 'error' | 'info';

/** Says something for a while. The same words twice at once are one toast. */
export function showToast(message: string, variant: ToastVariant = 'default'): void {
  const isUrgent = variant === 'error' || variant === 'warning';
  toast(message, {
    id: `${variant}:${message}`,
    toasterId: MAIN_TOASTER,
    duration: TOAST_MS,
    className: `toast toast-${variant}`,
    icon: createElement('span', { className: 'toast-dot', 'aria-hidden': true }),
    ariaProps: { role: isUrgent ? 'alert' : 'status', 'aria-live': isUrgent ? 'assertive' : 'polite' },
  } as Parameters<typeof toast>[1]);
}

export const toastError = (message: string) => showToast(message, 'error');

export function briefToast(message: string): void {
  toast(message, { id: message, toasterId: BRIEF_TOASTER, duration: BRIEF_TOAST_MS, className: 'toast' });
}
