// The account's orders, or the one in the address.
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import { post, type Schemas } from '@/api/client';
import { useIsSuspended } from '@/stores/sidebar';
import { ButtonLink } from '@/ui/Button';
import { type Column, DataGrid } from '@/ui/DataGrid';
import { DebouncedSearch } from '@/ui/DebouncedSearch';
import { useFilters } from '@/ui/listAddress';
import { useContentsText } from '@/ui/order/contents';
import { OrderStateBadge } from '@/ui/order/OrderStateBadge';
import { Page } from '@/ui/Page';
import { RowCard, RowLine } from '@/ui/RowCard';
import { EmptyState } from '@/ui/State';
import { DateText, MoneyText } from '@/ui/texts';
import { OrderDetail } from './OrderDetail';

type Order = Schemas['OrderView'];

interface OrdersPageProps {
  /** Shown beside the title. */
  actions?: ReactNode;
}

export function OrdersPage({ actions }: OrdersPageProps) {
  const [parameters] = useSearchParams();
  const orderId = Number(parameters.get('OrderId'));
  if (Number.isInteger(orderId) && orderId > 0) {
    return <OrderDetail key={orderId} orderId={orderId} />;
  }
  return <OrderList actions={actions} />;
}

function OrderList({ actions }: OrdersPageProps) {
  const { t } = useTranslation(['orders', 'common']);
  const [{ Search }, change] = useFilters(['Search']);
  const isSuspended = useIsSuspended();
  const columns: Column<Order>[] = [
    { field: 'OrderNumber', title: t('number'), width: 170, cell: (order) => <NumberLink order={order} /> },
    {
      field: 'CreatedAt',
      title: t('created'),
      width: 190,
      sortable: true,
      cell: (order) => <DateText value={order.CreatedAt} />,
    },
    { field: 'Kind', title: t('kindTitle'), width: 130, cell: (order) => t(`kind.${order.Kind}`) },
    { field: 'Quantity', title: t('contents'), width: 220, flex: 1, cell: (order) => <Contents order={order} /> },
    { field: 'State', title: t('stateTitle'), width: 160, cell: (order) => <OrderStateBadge state={order.State} /> },
    {
      field: 'Total',
      title: t('total'),
      width: 140,
      sortable: true,
      align: 'right',
      cell: (order) => <MoneyText amount={order.Total} currency={order.Currency} />,
    },
  ];
  return (
    <Page wide title={t('title')} description={t('lead')} actions={actions}>
      <DataGrid<Order>
        name="orders"
        label={t('title')}
        columns={columns}
        rowId={(order) => String(order.OrderId)}
        filters={{ Search }}
        load={(list, options) => post('Order/GetOrderList', { ...list, Search, Filter: {} }, options)}
        toolbar={<DebouncedSearch label={t('search')} value={Search} onSearch={(text) => change({ Search: text })} />}
        card={(order) => (
          <RowCard>
            <RowLine>
              <NumberLink order={order} />
              <OrderStateBadge state={order.State} />
            </RowLine>
            <RowLine soft>
              <Contents order={order} />
              <MoneyText amount={order.Total} currency={order.Currency} />
            </RowLine>
            <RowLine soft>
              <DateText value={order.CreatedAt} />
            </RowLine>
          </RowCard>
        )}
        empty={
          <EmptyState
            title={t('empty')}
            action={
              !isSuspended && (
                <ButtonLink to="/static-residential-proxies/order" variant="primary">
                  {t('common:buyProxies')}
                </ButtonLink>
              )
            }
          />
        }
      />
    </Page>
  );
}

function NumberLink({ order }: { order: Order }) {
  return <Link to={`/order?OrderId=${order.OrderId}`}>{order.OrderNumber}</Link>;
}

function Contents({ order }: { order: Order }) {
  return <span>{useContentsText()(order)}</span>;
}
