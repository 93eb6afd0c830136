// A notice with a severity.
import { CheckCircle, Info, Warning, WarningCircle } from '@phosphor-icons/react';
import type { ReactNode } from 'react';
import s from './ui.module.css';

export type Tone = 'neutral' | 'good' | 'warn' | 'bad' | 'accent';

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
