// Changes that operators made to an account, newest first.
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { core } from '@/core';
import { DateText } from '@/ui/texts';
import s from './accounts.module.css';
import { useLevelText } from './LevelBadge';

/** Level and discount as text. */
export function useTermsText() {
  const { t } = useTranslation('accounts');
  const levelText = useLevelText();
  return (level: number, basisPoints: number) =>
    basisPoints > 0
      ? t('terms.of', { Level: levelText(level), Percent: core().displayPercent(basisPoints) })
      : levelText(level);
}

export function AccountHistory({ detail }: { detail: Schemas['AccountDetail'] }) {
  const { t } = useTranslation('accounts');
  const termsText = useTermsText();
  const ofTerms = detail.Changes.map((change) => ({
    ...change,
    text: t('terms.change', {
      From: termsText(change.FromLevel, change.FromBasisPoints),
      To: termsText(change.ToLevel, change.ToBasisPoints),
    }),
  }));
  const others = detail.History.map((change) => ({
    ...change,
    text: change.Reason
      ? t('history.because', { Change: t(`history.${change.Change}`), Reason: change.Reason })
      : t(`history.${change.Change}`),
  }));
  // Times in one format sort as text; equal ones keep their order.
  const all = [...others, ...ofTerms].sort((one, next) => next.ChangedAt.localeCompare(one.ChangedAt));
  return (
    <section className={s.changes}>
      <h3>{t('terms.changes')}</h3>
      {all.length === 0 && <p>{t('terms.noChanges')}</p>}
      <ol>
        {all.map((change, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list is only replaced as a whole
          <li key={index}>
            <span>{change.text}</span>
            <small>
              <DateText value={change.ChangedAt} />{' '}
              {change.ChangedBy ? t('terms.by', { Email: change.ChangedBy }) : t('terms.byCommand')}
            </small>
          </li>
        ))}
      </ol>
    </section>
  );
}
