// The transactions of a customer's wallet, newest first, with the reasons of changes by operators, and receipts.
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { accountTransactionsQuery } from '@/api/operator';
import { core } from '@/core';
import { OPERATOR_PATH } from '@/core/constants.gen';
import { Button } from '@/ui/Button';
import { LoadingState } from '@/ui/Loading';
import { ReceiptButton } from '@/ui/order/DocumentButtons';
import { Parts } from '@/ui/order/Parts';
import { Card } from '@/ui/Page';
import { ErrorState } from '@/ui/State';
import { DateText, MoneyText } from '@/ui/texts';
import s from './accounts.module.css';

const PAGE_SIZE = 10;

export function TransactionList({ accountId }: { accountId: number }) {
  const { t } = useTranslation(['accounts', 'billing', 'invoices']);
  const list = useInfiniteQuery(accountTransactionsQuery(accountId, PAGE_SIZE));
  const rows = list.data?.pages.flatMap((page) => page.Rows);
  return (
    <Card title={t('transactions.title')}>
      {list.isPending && <LoadingState rows={5} />}
      {list.isError && !list.data && <ErrorState error={list.error} onRetry={() => list.refetch()} />}
      {rows?.length === 0 && <p className={s.soft}>{t('transactions.none')}</p>}
      <ul className={s.rows} aria-label={t('transactions.title')} aria-busy={list.isFetching}>
        {rows?.map((row) => (
          <li key={row.TransactionId}>
            <div>
              <span>{t(`billing:transactions.kind.${row.Kind}`)}</span>
              {row.Reason && <span>{row.Reason}</span>}
              <div className={s.line}>
                <small>
                  <Parts
                    parts={[
                      <DateText key="at" value={row.CreatedAt} />,
                      ...(row.OrderNumber
                        ? [
                            <Link key="order" to={`${OPERATOR_PATH}/orders?OrderNumber=${row.OrderNumber}`}>
                              {row.OrderNumber}
                            </Link>,
                          ]
                        : []),
                    ]}
                  />
                </small>
                {row.ReceiptNumber && <ReceiptButton number={row.ReceiptNumber} transactionId={row.TransactionId} />}
              </div>
            </div>
            <div>
              <MoneyText amount={row.Amount} currency={row.Currency} signed />
              <small>{t('transactions.after', { Amount: core().displayMoney(row.BalanceAfter, row.Currency) })}</small>
            </div>
          </li>
        ))}
      </ul>
      {list.hasNextPage && (
        <Button
          wide
          variant="ghost"
          size="small"
          loading={list.isFetchingNextPage}
          onClick={() => list.fetchNextPage({ cancelRefetch: false })}
        >
          {t('transactions.more')}
        </Button>
      )}
    </Card>
  );
}
