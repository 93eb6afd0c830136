// The account's orders, or the one in the address.
import { DownloadSimple } from '@phosphor-icons/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useSearchParams } from 'react-router';
import type { Schemas } from '@/api/client';
import { exportOrders, loadOrders } from '@/api/orders';
import { useCall } from '@/api/useCall';
import { OrderKind, OrderState } from '@/core/constants.gen';
import { useIsSuspended } from '@/stores/sidebar';
import { Button, ButtonLink } from '@/ui/Button';
import { type Column, DataGrid } from '@/ui/DataGrid';
import { DateRange } from '@/ui/DateRange';
import { DebouncedSearch } from '@/ui/DebouncedSearch';
import { SelectField } from '@/ui/Field';
import { useFilters } from '@/ui/listAddress';
import { useContentsText } from '@/ui/order/contents';
import { OrderStateBadge } from '@/ui/order/OrderStateBadge';
import { Page } from '@/ui/Page';
import { RowCard, RowLine } from '@/ui/RowCard';
import { EmptyState } from '@/ui/State';
import { saveFile } from '@/ui/saveFile';
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
  const [{ Search, State, Kind, From, To }, change] = useFilters(['Search', 'State', 'Kind', 'From', 'To']);
  const isSuspended = useIsSuspended();
  const call = useCall(exportOrders);
  // Core converts the range to StartTime and EndTime in UTC.
  const asked = { Search, Filter: { State, Kind }, StartAndEndTime: [From, To] as [string, string] };
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
    <Page
      wide
      title={t('title')}
      description={t('lead')}
      actions={
        <>
          {actions}
          <Button
            icon={<DownloadSimple size={17} aria-hidden="true" />}
            loading={call.isBusy}
            onClick={() => call.run(asked, saveFile)}
          >
            {t('export')}
          </Button>
        </>
      }
    >
      <DataGrid<Order>
        name="orders"
        label={t('title')}
        columns={columns}
        rowId={(order) => String(order.OrderId)}
        filters={{ Search, State, Kind, From, To }}
        load={loadOrders(asked)}
        toolbar={
          <>
            <DebouncedSearch label={t('search')} value={Search} onSearch={(text) => change({ Search: text })} />
            <SelectField
              label={t('stateTitle')}
              hideLabel
              value={State}
              onChange={(event) => change({ State: event.target.value })}
            >
              <option value="">{t('operator.allStates')}</option>
              {Object.values(OrderState).map((one) => (
                <option key={one} value={one}>
                  {t(`state.${one}`)}
                </option>
              ))}
            </SelectField>
            <SelectField
              label={t('kindTitle')}
              hideLabel
              value={Kind}
              onChange={(event) => change({ Kind: event.target.value })}
            >
              <option value="">{t('operator.allKinds')}</option>
              {Object.values(OrderKind).map((one) => (
                <option key={one} value={one}>
                  {t(`kind.${one}`)}
                </option>
              ))}
            </SelectField>
            <DateRange
              label={t('operator.range')}
              value={[From, To]}
              onChange={([from, to]) => change({ From: from, To: to })}
            />
          </>
        }
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
