// The wallet balance, the next automatic charge, and actions.
import { useTranslation } from 'react-i18next';
import { useNextCharge, usePlanInfo } from '@/stores/planInfo';
import { useIsSuspended } from '@/stores/sidebar';
import { useSessionStore } from '@/stores/user';
import { Button, ButtonLink } from '@/ui/Button';
import { Skeleton } from '@/ui/Loading';
import { Card } from '@/ui/Page';
import { MoneyText, UntilText } from '@/ui/texts';
import s from './billing.module.css';

/** Links to the order forms. */
export const BUY = '/static-residential-proxies/order';

/** `onTopUp` scrolls to the top-up form. */
export function Balance({ onTopUp }: { onTopUp: () => void }) {
  const { t } = useTranslation(['billing', 'common']);
  const wallet = useSessionStore((state) => state.wallet);
  const isSuspended = useIsSuspended();
  return (
    <Card>
      <div className={s.hero}>
        <dl className={s.balance}>
          <dt>{t('wallet.balance')}</dt>
          <dd>
            {wallet ? <MoneyText amount={wallet.WalletBalance} currency={wallet.Currency} /> : <Skeleton width={160} />}
          </dd>
        </dl>
        {!isSuspended && (
          <div className={s.buttons}>
            <Button variant="primary" onClick={onTopUp}>
              {t('topUp.title')}
            </Button>
            <ButtonLink to={BUY}>{t('common:buyProxies')}</ButtonLink>
          </div>
        )}
        <dl className={s.beside}>
          {!isSuspended && <NextRenewal />}
          <div>
            <dt>{t('wallet.expenses')}</dt>
            <dd>
              {wallet ? (
                <MoneyText amount={wallet.TotalExpenses} currency={wallet.Currency} />
              ) : (
                <Skeleton width={96} />
              )}
            </dd>
          </div>
        </dl>
      </div>
    </Card>
  );
}

function NextRenewal() {
  const { t } = useTranslation('billing');
  const next = useNextCharge();
  const { isError } = usePlanInfo();
  const unknown = isError ? '–' : <Skeleton width={120} />;
  return (
    <div>
      <dt>{t('wallet.nextRenewal')}</dt>
      {next ? (
        <dd>
          <MoneyText amount={next.Amount} currency={next.Currency} />{' '}
          <small>
            {t('products.nextChargeOf', { count: next.IpsCount })} · <UntilText value={next.At} />
          </small>
        </dd>
      ) : (
        <dd>{next === null ? <small>{t('wallet.noRenewal')}</small> : unknown}</dd>
      )}
    </div>
  );
}
