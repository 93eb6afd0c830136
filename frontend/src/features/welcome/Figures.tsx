// Figures at the top of the welcome screen: balance, proxies, traffic and unpaid orders.
import { CaretRight } from '@phosphor-icons/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import type { OverviewView } from '@/api/welcome';
import { screenRules } from '@/core';
import { ENDS_SOON_DAYS } from '@/core/constants.gen';
import { useOrderStore } from '@/stores/order';
import { useNextCharge } from '@/stores/planInfo';
import { useSessionStore } from '@/stores/user';
import { fillText } from '@/ui/fillText';
import { Skeleton } from '@/ui/Loading';
import { MoneyText, UntilText } from '@/ui/texts';
import { useTrafficLeft } from './useOverview';
import s from './welcome.module.css';

const PROXY_LIST = '/static-residential-proxies/proxy-list';

interface OverviewProps {
  /** Undefined while loading. */
  overview: OverviewView | undefined;
  isFailed: boolean;
}

export function Figures({ overview, isFailed }: OverviewProps) {
  return (
    <div className={s.figures}>
      <Balance />
      <Proxies overview={overview} isFailed={isFailed} />
      <Traffic />
      <Unpaid isFailed={isFailed} />
    </div>
  );
}

interface FigureProps {
  to: string;
  label: string;
  /** Undefined while loading. */
  value: ReactNode | undefined;
  isFailed?: boolean;
  children?: ReactNode;
}

function Figure({ to, label, value, isFailed, children }: FigureProps) {
  return (
    <Link to={to} className={s.figure}>
      <span className={s.figureLabel}>
        {label}
        <CaretRight size={14} aria-hidden="true" />
      </span>
      <strong>{value ?? (isFailed ? '–' : <Skeleton width={96} />)}</strong>
      <span className={s.soft}>{children}</span>
    </Link>
  );
}

function Balance() {
  const { t } = useTranslation('welcome');
  const wallet = useSessionStore((state) => state.wallet);
  const next = useNextCharge();
  return (
    <Figure
      to="/billing/wallet"
      label={t('figure.balance')}
      value={wallet ? <MoneyText amount={wallet.WalletBalance} currency={wallet.Currency} /> : undefined}
    >
      {next
        ? fillText((marks) => t('figure.nextCharge', marks), {
            Amount: <MoneyText amount={next.Amount} currency={next.Currency} />,
            Time: <UntilText value={next.At} />,
          })
        : next === null && t('figure.noCharge')}
    </Figure>
  );
}

function Proxies({ overview, isFailed }: OverviewProps) {
  const { t, i18n } = useTranslation('welcome');
  const number = new Intl.NumberFormat(i18n.language);
  const soon = overview?.EndingSoonCount ?? 0;
  return (
    <Figure
      to={soon > 0 ? `${PROXY_LIST}?EndsWithinDays=${ENDS_SOON_DAYS}` : PROXY_LIST}
      label={t('figure.proxies')}
      value={overview && number.format(overview.ActiveCount)}
      isFailed={isFailed}
    >
      {soon > 0 ? (
        <span className={s.warn}>{t('figure.endingSoon', { count: soon, Days: ENDS_SOON_DAYS })}</span>
      ) : (
        overview && t(overview.ActiveCount > 0 ? 'figure.noneExpires' : 'figure.noProxies')
      )}
    </Figure>
  );
}

function Traffic() {
  const { t } = useTranslation('welcome');
  const traffic = useTrafficLeft();
  const data = traffic.data;
  const next = data?.Batches.find((batch) => !batch.IsOver && batch.EndsAt);
  return (
    <Figure
      to="/residential-proxies/users"
      label={t('figure.traffic')}
      value={data ? screenRules().displayBytes(data.LeftBytes) : undefined}
      isFailed={traffic.isError}
    >
      {next?.EndsAt
        ? fillText((marks) => t('figure.trafficExpires', marks), { Time: <UntilText value={next.EndsAt} /> })
        : data && t(data.LeftBytes > 0 ? 'figure.trafficNeverExpires' : 'figure.noTraffic')}
    </Figure>
  );
}

function Unpaid({ isFailed }: { isFailed: boolean }) {
  const { t, i18n } = useTranslation('welcome');
  const unpaid = useOrderStore((state) => state.unpaidOrders);
  const isKnown = useOrderStore((state) => state.askedAt > 0);
  return (
    <Figure
      to="/order"
      label={t('figure.unpaid')}
      value={isKnown ? new Intl.NumberFormat(i18n.language).format(unpaid.length) : undefined}
      isFailed={isFailed}
    >
      {unpaid.length > 0 ? (
        <span className={s.warn}>{t('figure.payInTime')}</span>
      ) : (
        isKnown && t('figure.nothingUnpaid')
      )}
    </Figure>
  );
}
