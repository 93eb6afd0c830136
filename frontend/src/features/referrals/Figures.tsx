// Referral totals, and the button that moves available commissions to the wallet.
import { Wallet } from '@phosphor-icons/react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { core } from '@/core';
import { Button } from '@/ui/Button';
import { Notice } from '@/ui/Notice';
import { Card, Stat } from '@/ui/Page';
import { MoneyText } from '@/ui/texts';
import s from './referrals.module.css';

const NOTHING = '0.00';

export function Figures({ referrals, onMove }: { referrals: Schemas['Referrals']; onMove: () => void }) {
  const { t } = useTranslation('referrals');
  const { Currency: currency } = referrals;
  const money = (amount: string) => <MoneyText amount={amount} currency={currency} />;
  const shown = (amount: string) => core().displayMoney(amount, currency);
  return (
    <Card
      title={t('figures.title')}
      aside={
        <Button
          variant="primary"
          icon={<Wallet size={17} aria-hidden="true" />}
          disabled={referrals.Movable === NOTHING}
          title={referrals.Movable === NOTHING ? t('move.nothing') : undefined}
          onClick={onMove}
        >
          {t('move.open')}
        </Button>
      }
    >
      <div className={s.figures}>
        <Stat label={t('figures.available')}>{money(referrals.Available)}</Stat>
        <Stat label={t('figures.pending')}>{money(referrals.Pending)}</Stat>
        <Stat label={t('figures.moved')}>{money(referrals.Moved)}</Stat>
        <Stat label={t('figures.reversed')}>{money(referrals.TakenBack)}</Stat>
        <Stat label={t('figures.signedUp')}>{referrals.SignedUp}</Stat>
        <Stat label={t('figures.bought')}>{referrals.Bought}</Stat>
      </div>
      <div className={s.notes}>
        {referrals.Held !== NOTHING && <Notice tone="warn">{t('heldHint', { Amount: shown(referrals.Held) })}</Notice>}
        {referrals.Owed !== NOTHING && <Notice tone="warn">{t('owedHint', { Amount: shown(referrals.Owed) })}</Notice>}
      </div>
    </Card>
  );
}
