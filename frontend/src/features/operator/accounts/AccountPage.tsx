// One account, for operators: what the customer has and did, what operators wrote and did, and what they can change.
import { ChatCircleDots, Eye, PlusMinus } from '@phosphor-icons/react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { CallError, type Schemas } from '@/api/client';
import { accountQuery } from '@/api/operator';
import { OPERATOR, OPERATOR_PATH } from '@/core/constants.gen';
import { Button, ButtonLink } from '@/ui/Button';
import { fillText } from '@/ui/fillText';
import { LoadingState } from '@/ui/Loading';
import { Notice } from '@/ui/Notice';
import { Page } from '@/ui/Page';
import { ErrorState } from '@/ui/State';
import { DateText } from '@/ui/texts';
import { LevelBadge } from '../LevelBadge';
import { AccountFacts } from './AccountFacts';
import { AccountHistory } from './AccountHistory';
import { AccountNote } from './AccountNote';
import { AccountState } from './AccountState';
import { AccountTerms } from './AccountTerms';
import { AdjustDialog } from './AdjustDialog';
import s from './accounts.module.css';
import { CenterFlags } from './CenterFlags';
import { LatestOrders } from './LatestOrders';
import { StateBadge } from './StateBadge';
import { TransactionList } from './TransactionList';
import { TwoFactorReset } from './TwoFactorReset';

export function AccountPage() {
  const accountId = Number(useParams().accountId);
  // Forms begin anew with another account.
  return <OneAccount key={accountId} accountId={accountId} />;
}

function OneAccount({ accountId }: { accountId: number }) {
  const { t } = useTranslation('accounts');
  const found = useQuery(accountQuery(accountId));
  const [isAdjusting, setAdjusting] = useState(false);
  const refused = found.error instanceof CallError && found.error.code !== undefined ? found.error.message : undefined;
  const detail = found.data;
  const account = detail?.Account;
  const canChange = detail !== undefined && isChangeable(detail);
  const path = `${OPERATOR_PATH}/accounts/${accountId}`;
  return (
    <Page
      title={account?.Email ?? t('one', { AccountId: String(accountId) })}
      badge={
        account && (
          <>
            <LevelBadge level={account.Level} />
            <StateBadge state={account.State} />
          </>
        )
      }
      description={account && account.Name !== account.Email && account.Name}
      actions={
        detail && (
          <>
            {canChange && (
              <>
                <Button icon={<PlusMinus size={17} aria-hidden="true" />} onClick={() => setAdjusting(true)}>
                  {t('adjust.open')}
                </Button>
                <ButtonLink to={`${path}/view`} newTab icon={<Eye size={17} aria-hidden="true" />}>
                  {t('view.open')}
                </ButtonLink>
              </>
            )}
            <ButtonLink
              to={`${OPERATOR_PATH}/support/${accountId}`}
              icon={<ChatCircleDots size={17} aria-hidden="true" />}
            >
              {t('chat')}
            </ButtonLink>
          </>
        )
      }
      opened={account?.Email ?? null}
    >
      {found.isPending && <LoadingState rows={8} />}
      {refused && !detail && <Notice tone="bad">{refused}</Notice>}
      {found.isError && !refused && !detail && <ErrorState error={found.error} onRetry={() => found.refetch()} />}
      {detail && account && (
        <div className={s.columns}>
          <div className={s.facts}>
            <AccountFacts detail={detail} />
          </div>
          <div className={s.main}>
            <LatestOrders accountId={accountId} count={detail.Facts.Orders} />
            <TransactionList accountId={accountId} />
            <AccountHistory detail={detail} />
          </div>
          <div className={s.forms}>
            {!canChange && <Unchangeable detail={detail} />}
            <AccountNote detail={detail} />
            {canChange && <AccountTerms account={account} />}
            {!detail.ClosedAt && <CenterFlags detail={detail} />}
            {canChange && detail.Facts.HasTwoFactor && <TwoFactorReset account={account} />}
            {canChange && <AccountState account={account} />}
          </div>
        </div>
      )}
      {isAdjusting && account && <AdjustDialog account={account} onClose={() => setAdjusting(false)} />}
    </Page>
  );
}

/** Operators' accounts are changed by commands on the server, closed ones not at all. */
const isChangeable = ({ Account, ClosedAt }: Schemas['AccountDetail']) => Account.Level !== OPERATOR && !ClosedAt;

function Unchangeable({ detail }: { detail: Schemas['AccountDetail'] }) {
  const { t } = useTranslation('accounts');
  return (
    <Notice tone="neutral">
      {detail.ClosedAt
        ? fillText((marks) => t('terms.closed', marks), { At: <DateText value={detail.ClosedAt} /> })
        : fillText((marks) => t('terms.staff', marks), {
            Command: <code>{`postern account level ${detail.Account.Email} customer`}</code>,
          })}
    </Notice>
  );
}
