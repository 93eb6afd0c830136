// The commission rule in plain words, with its start date.
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { Notice } from '@/ui/Notice';
import { Card } from '@/ui/Page';
import s from './referrals.module.css';

export function RuleCard({ referrals }: { referrals: Schemas['Referrals'] }) {
  const { t, i18n } = useTranslation('referrals');
  const { Rule: rule, NextRule: next } = referrals;
  // Times are in the user's time zone already: only the date is shown.
  const day = (time: string) =>
    new Intl.DateTimeFormat(i18n.language, { dateStyle: 'long', timeZone: 'UTC' }).format(
      new Date(`${time.slice(0, 10)}T12:00:00Z`),
    );
  return (
    <Card title={t('rule.title')}>
      <div className={s.rule}>
        {rule && rule.RateBasisPoints > 0 ? (
          <>
            <p className={s.strong}>{t('rule.text', { Rate: rule.Rate })}</p>
            <p>{t('rule.pending', { Days: rule.PendingDays })}</p>
            <p>{t('rule.refund')}</p>
            <p>{t('rule.since', { Date: day(rule.ValidFrom) })}</p>
          </>
        ) : (
          <p>{t('rule.none')}</p>
        )}
        {next && <Notice>{t('rule.next', { Date: day(next.ValidFrom), Rate: next.Rate })}</Notice>}
      </div>
    </Card>
  );
}
