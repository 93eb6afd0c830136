// One account, for operators: what the customer has and did, what operators wrote and did, and what they can change.
import { ChatCircleDots, Eye, PlusMinus } from '@phosphor-icons/react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { CallError, type Schemas } from '@/api/client';
import { accountQuery } from '@/api/operator';
import { OPERATOR, OPERATOR_PATH } from '@/core/constants.gen';
import { useMay } from '@/stores/may';
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
import { AccountTerms, hasTermsOnScreen } from './AccountTerms';
import { AdjustDialog } from './AdjustDialog';
import s from './accounts.module.css';
import { CenterFlags } from './CenterFlags';
import { CloseAccount } from './CloseAccount';
import { EmailChange } from './EmailChange';
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
  const may = useMay();
  const found = useQuery(accountQuery(accountId));
  const [isAdjusting, setAdjusting] = useState(false);
  const refused = found.error instanceof CallError && found.error.code !== undefined ? found.error.message : undefined;
  const detail = found.data;
  const account = detail?.Account;
  const isOfCustomer = detail !== undefined && account?.Level !== OPERATOR && !detail.ClosedAt;
  const mayChange = (call: string) => isOfCustomer && may(call);
  const maySetTerms = account && !detail.ClosedAt && hasTermsOnScreen(account) && may('Operator/SetAccountTerms');
  const path = `${OPERATOR_PATH}/accounts/${accountId}`;
  return (
    <Page
      title={account?.Email ?? t('one', { AccountId: String(accountId) })}
      badge={
        account && (
          <>
            <LevelBadge of={account} />
            <StateBadge state={account.State} />
          </>
        )
      }
      description={account && account.Name !== account.Email && account.Name}
      actions={
        detail && (
          <>
            {mayChange('Operator/AdjustWallet') && (
              <Button icon={<PlusMinus size={17} aria-hidden="true" />} onClick={() => setAdjusting(true)}>
                {t('adjust.open')}
              </Button>
            )}
            {mayChange('Operator/ViewAsCustomer') && (
              <ButtonLink to={`${path}/view`} newTab icon={<Eye size={17} aria-hidden="true" />}>
                {t('view.open')}
              </ButtonLink>
            )}
            {may('Operator/GetConversation') && (
              <ButtonLink
                to={`${OPERATOR_PATH}/support/${accountId}`}
                icon={<ChatCircleDots size={17} aria-hidden="true" />}
              >
                {t('chat')}
              </ButtonLink>
            )}
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
            <Unchangeable detail={detail} />
            <AccountNote detail={detail} />
            {maySetTerms && <AccountTerms account={account} />}
            {!detail.ClosedAt && may('Operator/SetAccountFlags') && <CenterFlags detail={detail} />}
            {mayChange('Operator/RequestEmailChange') && <EmailChange account={account} />}
            {detail.Facts.HasTwoFactor && mayChange('Operator/TurnOffTwoFactor') && (
              <TwoFactorReset account={account} />
            )}
            {mayChange('Operator/SetAccountState') && <AccountState account={account} />}
            {mayChange('Operator/CloseAccount') && <CloseAccount account={account} />}
          </div>
        </div>
      )}
      {isAdjusting && account && <AdjustDialog account={account} onClose={() => setAdjusting(false)} />}
    </Page>
  );
}

/** Why an account cannot be changed, for those who change others. */
function Unchangeable({ detail: { Account, ClosedAt } }: { detail: Schemas['AccountDetail'] }) {
  const { t } = useTranslation('accounts');
  const may = useMay();
  if (ClosedAt) {
    return (
      <Notice tone="neutral">
        {fillText((marks) => t('terms.closed', marks), { At: <DateText value={ClosedAt} /> })}
      </Notice>
    );
  }
  if (hasTermsOnScreen(Account) || !may('Operator/SetAccountTerms')) return null;
  return (
    <Notice tone="neutral">
      {fillText((marks) => t('terms.staff', marks), {
        Command: <code>{`postern account level ${Account.Email} customer`}</code>,
      })}
    </Notice>
  );
}
