// Beside an order that the wallet does not cover: a link to a top-up of what is missing.
import { useTranslation } from 'react-i18next';
import type { Schemas } from '@/api/client';
import { core } from '@/core';
import { ButtonLink } from '../Button';

interface TopUpMissingProps {
  balance: string;
  total: string;
  shop: Pick<Schemas['PublicConfig'], 'MinTopUp' | 'Currency'>;
}

/** The missing amount, or the shop's minimum. */
export function TopUpMissing({ balance, total, shop }: TopUpMissingProps) {
  const { t } = useTranslation('orders');
  const amount = core().topUpFor(balance, total, shop.MinTopUp);
  return (
    <ButtonLink to={`/billing/wallet?Amount=${amount}`} wide>
      {t('quote.topUp', { Amount: core().displayMoney(amount, shop.Currency) })}
    </ButtonLink>
  );
}
