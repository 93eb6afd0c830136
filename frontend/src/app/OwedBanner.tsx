// Above the screens of a customer who owes money: what that stops, and a link to a top-up of as much.
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { core } from '@/core';
import { useConfigStore } from '@/stores/config';
import { useOwingWallet } from '@/stores/owed';
import { fillText } from '@/ui/fillText';
import { Notice } from '@/ui/Notice';
import s from './app.module.css';

export function OwedBanner() {
  const { t } = useTranslation();
  const wallet = useOwingWallet();
  const shop = useConfigStore((state) => state.shop);
  if (!wallet || !shop) return null;
  return (
    <div className={s.banner}>
      <Notice tone="warn">
        {fillText((marks) => t(wallet.AreProxiesPaused ? 'owed.paused' : 'owed.blocked', marks), {
          Fact: <strong>{t('owed.fact', { Owed: core().displayMoney(wallet.Owed, wallet.Currency) })}</strong>,
        })}{' '}
        <Link to={`/billing/wallet?Amount=${core().topUpFor('0.00', wallet.Owed, shop.MinTopUp)}`}>
          {t('owed.topUp')}
        </Link>
      </Notice>
    </div>
  );
}
