// Referrals for operators: commission rules, and suspected self-referrals.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { referralRulesQuery } from '@/api/referrals';
import { useMay } from '@/stores/may';
import { Button } from '@/ui/Button';
import { LoadingState } from '@/ui/Loading';
import { Card, Page } from '@/ui/Page';
import { Badge, ErrorState } from '@/ui/State';
import { DateText } from '@/ui/texts';
import { ReviewList } from './ReviewList';
import { RuleDialog } from './RuleDialog';
import s from './referrals.module.css';

export function ReferralsPage() {
  const { t } = useTranslation('referrals');
  const may = useMay();
  const [isAdding, setAdding] = useState(false);
  const rules = useQuery(referralRulesQuery);
  return (
    <Page title={t('operator.title')} description={t('operator.lead')}>
      <Card
        title={t('operator.rules')}
        aside={may('Operator/AddReferralRule') && <Button onClick={() => setAdding(true)}>{t('operator.add')}</Button>}
      >
        {rules.isError && !rules.data && <ErrorState error={rules.error} onRetry={() => rules.refetch()} />}
        {rules.isPending && <LoadingState rows={3} />}
        {rules.data && <Rules rules={rules.data} />}
      </Card>
      <section className={s.reviews}>
        <h2>{t('operator.reviews')}</h2>
        <ReviewList />
      </section>
      {isAdding && <RuleDialog onClose={() => setAdding(false)} />}
    </Page>
  );
}

function Rules({ rules }: { rules: Schemas['RuleView'][] }) {
  const { t } = useTranslation('referrals');
  const inForce = rules.findIndex((rule) => rule.IsInForce);
  const state = (index: number) => {
    if (index === inForce) return <Badge tone="good">{t('operator.inForce')}</Badge>;
    // Latest first.
    return index < inForce || inForce < 0 ? (
      <Badge tone="accent">{t('operator.scheduled')}</Badge>
    ) : (
      <Badge>{t('operator.ended')}</Badge>
    );
  };
  return (
    <div className={s.rules}>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('operator.rate')}</th>
            <th scope="col">{t('operator.validFrom')}</th>
            <th scope="col">{t('commissions.state')}</th>
            <th scope="col">{t('operator.addedBy')}</th>
          </tr>
        </thead>
        <tbody>
          {rules.map((rule, index) => (
            <tr key={rule.ValidFrom}>
              <th scope="row">{rule.Rate}</th>
              <td>
                <DateText value={rule.ValidFrom} />
              </td>
              <td>{state(index)}</td>
              <td>{rule.AddedBy ?? t('operator.server')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
