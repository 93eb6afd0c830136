// How far a change of all matching nodes has come: before it, while it is under way, and after a stop or an error.
import { useTranslation } from 'react-i18next';
import type { Reached } from '@/api/calls';
import { Notice } from '@/ui/Notice';
import { Progress } from '@/ui/Progress';
import type { Chosen } from './chosen';
import s from './inventory.module.css';

interface HowFarProps {
  all: NonNullable<Chosen['all']>;
  call: { isBusy: boolean; reached: Reached | undefined };
  /** Label of the button that begins it, and continues it. */
  action: string;
}

export function HowFar({ all: { count, isAtLeast }, call: { isBusy, reached }, action }: HowFarProps) {
  const { t } = useTranslation('inventory');
  const done = reached ? reached.changed + reached.left : 0;
  const progress = isAtLeast
    ? t('pieces.soFar', { Done: done })
    : t('pieces.progress', { Done: done, Total: Math.max(count, done) });
  return (
    <div className={s.howFar}>
      {isBusy ? (
        <Progress label={progress} part={isAtLeast ? undefined : done / count} />
      ) : reached ? (
        <Notice tone="warn">{t('pieces.rest', { Progress: progress, Action: action })}</Notice>
      ) : (
        <p className={s.soft}>{t('pieces.lead')}</p>
      )}
    </div>
  );
}
