// All accounts, for operators: search by email, and open one.
import { useTranslation } from 'react-i18next';
import { Link, Navigate, useSearchParams } from 'react-router';
import type { Schemas } from '@/api/client';
import { ACCOUNTS, loadAccounts } from '@/api/operator';
import { core } from '@/core';
import { OPERATOR_PATH } from '@/core/constants.gen';
import { type Column, DataGrid } from '@/ui/DataGrid';
import { DateRange } from '@/ui/DateRange';
import { DebouncedSearch } from '@/ui/DebouncedSearch';
import { SelectField } from '@/ui/Field';
import { useFilters } from '@/ui/listAddress';
import { Page } from '@/ui/Page';
import { RowCard, RowLine } from '@/ui/RowCard';
import { EmptyState } from '@/ui/State';
import { DateText, MoneyText } from '@/ui/texts';
import { LEVELS, LevelBadge } from '../LevelBadge';
import { StateBadge } from './StateBadge';

type Account = Schemas['Account'];

const STATES = ['active', 'suspended'] as const;

const pathOf = (accountId: number) => `${OPERATOR_PATH}/accounts/${accountId}`;

export function AccountsPage() {
  const [parameters] = useSearchParams();
  const opened = Number(parameters.get('AccountId'));
  // Until each account got a page of its own, it was opened here.
  return opened > 0 ? <Navigate to={pathOf(opened)} replace /> : <AccountList />;
}

function AccountList() {
  const { t } = useTranslation('accounts');
  const [{ Search, Level, State, From, To }, change] = useFilters(['Search', 'Level', 'State', 'From', 'To']);
  const columns: Column<Account>[] = [
    { field: 'Email', title: t('email'), width: 226, flex: 1, cell: (account) => <AccountLink account={account} /> },
    { field: 'Name', title: t('name'), width: 160, flex: 1, cell: (account) => account.Name },
    { field: 'Level', title: t('levelTitle'), width: 122, cell: (account) => <LevelBadge of={account} /> },
    { field: 'Discount', title: t('discount'), width: 100, align: 'right', cell: discountOf },
    { field: 'State', title: t('state'), width: 112, cell: (account) => <StateBadge state={account.State} /> },
    {
      field: 'WalletBalance',
      title: t('balance'),
      width: 120,
      align: 'right',
      cell: (account) => <MoneyText amount={account.WalletBalance} currency={account.Currency} />,
    },
    {
      field: 'TotalExpenses',
      title: t('spent'),
      width: 136,
      align: 'right',
      cell: (account) => <MoneyText amount={account.TotalExpenses} currency={account.Currency} />,
    },
    {
      field: 'CreatedAt',
      title: t('since'),
      width: 176,
      sortable: true,
      cell: (account) => <DateText value={account.CreatedAt} />,
    },
  ];
  return (
    <Page wide title={t('title')} description={t('lead')}>
      <DataGrid<Account>
        name={ACCOUNTS}
        label={t('title')}
        columns={columns}
        rowId={(account) => String(account.AccountId)}
        filters={{ Search, Level, State, From, To }}
        load={loadAccounts({
          Search,
          Filter: { ...(Level && { Level: Number(Level) }), ...(State && { State }) },
          StartAndEndTime: [From, To],
        })}
        toolbar={
          <>
            <DebouncedSearch label={t('search')} value={Search} onSearch={(text) => change({ Search: text })} />
            <SelectField
              label={t('levelTitle')}
              hideLabel
              value={Level}
              onChange={(event) => change({ Level: event.target.value })}
            >
              <option value="">{t('allLevels')}</option>
              {Object.entries(LEVELS).map(([number, key]) => (
                <option key={number} value={number}>
                  {t(`level.${key}`)}
                </option>
              ))}
            </SelectField>
            <SelectField
              label={t('state')}
              hideLabel
              value={State}
              onChange={(event) => change({ State: event.target.value })}
            >
              <option value="">{t('allStates')}</option>
              {STATES.map((one) => (
                <option key={one} value={one}>
                  {t(`states.${one}`)}
                </option>
              ))}
            </SelectField>
            <DateRange
              label={t('range')}
              value={[From, To]}
              onChange={([from, to]) => change({ From: from, To: to })}
            />
          </>
        }
        card={(account) => (
          <RowCard>
            <RowLine>
              <AccountLink account={account} />
              <LevelBadge of={account} />
            </RowLine>
            {account.Name !== account.Email && (
              <RowLine soft>
                <span>{account.Name}</span>
              </RowLine>
            )}
            <RowLine soft>
              <StateBadge state={account.State} />
              {account.ResellerBasisPoints > 0 && <span>{`${t('discount')} ${discountOf(account)}`}</span>}
              <MoneyText amount={account.WalletBalance} currency={account.Currency} />
            </RowLine>
          </RowCard>
        )}
        empty={<EmptyState title={t('none')} />}
      />
    </Page>
  );
}

const discountOf = (account: Account) =>
  account.ResellerBasisPoints > 0 ? core().displayPercent(account.ResellerBasisPoints) : '–';

function AccountLink({ account }: { account: Account }) {
  return <Link to={pathOf(account.AccountId)}>{account.Email}</Link>;
}
