// An order: credentials of its IPs, ordering the same again, and its refunds.
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { ORDER, SOURCE_REFUNDS } from '@/gallery/examples';
import { emptyBuyParams, useIpsStore } from '@/stores/ips';
import { usePlanInfo } from '@/stores/planInfo';
import { onPhone, renderScreen } from '@/test/render';
import { answerWith } from '@/test/server';
import { walletOf } from '@/test/wallet';
import { briefToast } from '@/ui/toast';
import { OrderDetail } from './OrderDetail';

const [FIRST] = ORDER.Nodes;
const owned = { NodeId: FIRST?.NodeId, Ip: FIRST?.Ip, UserName: 'user1', Password: 'secret1' };

const show = (change: object = {}, rows: object[] = [owned]) => {
  const sent = answerWith({
    'Order/GetOrder': { Data: { ...ORDER, Replacements: [], ...change } },
    'Ips/GetUserNodeList': { Data: { Rows: rows, Total: rows.length, Page: 1, PageSize: 200 } },
    'Ips/ExportNodes': { file: 'proxies.txt', text: '' },
  });
  renderScreen(<OrderDetail orderId={ORDER.OrderId} />);
  return sent;
};

beforeEach(() => {
  onPhone();
  useIpsStore.setState({ buyParams: emptyBuyParams });
});

test('an order shows the credentials of its IPs and copies all of them', async () => {
  const user = userEvent.setup();
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(async () => {});
  const sent = show();
  expect(await screen.findByText('user1')).toBeVisible();
  expect(screen.queryByText('secret1')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Show password' }));
  expect(screen.getByText('secret1')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Copy all with credentials' }));
  await waitFor(() => expect(briefToast).toHaveBeenCalledWith('1 proxy copied with its credentials'));
  expect(sent.find((one) => one.call === 'Ips/ExportNodes')?.body).toMatchObject({
    All: true,
    Filter: { OrderNumber: ORDER.OrderNumber },
    Format: 'txt',
  });
});

test('IPs that are no longer owned have no credentials', async () => {
  show({}, []);
  expect(await screen.findByText(String(FIRST?.Ip))).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Copy all with credentials' })).toBeNull();
});

test('an order of IPs is ordered again with the same plan, cities and period', async () => {
  show();
  const link = await screen.findByRole('link', { name: 'Order again' });
  expect(link).toHaveAttribute('href', `/static-residential-proxies/order?${new URLSearchParams({ plan: 'regular' })}`);
  await userEvent.click(link);
  const lines = ORDER.Lines.map((line) => [line.City, { country: line.Country, quantity: line.Quantity }]);
  expect(useIpsStore.getState().buyParams).toMatchObject({
    verStr: 'regular',
    periodDays: ORDER.PeriodDays,
    quantities: Object.fromEntries(lines),
  });
});

test.each([
  [{ Kind: 'renewal' }, 'New expiry: '],
  [{ Kind: 'purchase' }, 'Until '],
])('an order of the kind %o names the expiry of each IP', async (change, text) => {
  show(change);
  const row = (await screen.findByText(String(FIRST?.Ip))).closest('li') as HTMLElement;
  expect(within(row).getByText(`${text}${FIRST?.EndsAt.slice(0, 10)}`)).toBeVisible();
});

test.each([{ Kind: 'renewal' }, { State: 'unpaid' }])('an order with %o is not ordered again', async (change) => {
  show(change);
  await screen.findByText(String(FIRST?.Ip));
  expect(screen.queryByRole('link', { name: 'Order again' })).toBeNull();
});

test.each([{}, { Kind: 'top_up', Lines: [], Nodes: [], Invoices: [], PeriodDays: null }])(
  'the customer is asked where a refund goes: %o',
  async (change) => {
    show({ ...change, Refunds: SOURCE_REFUNDS });
    const refunds = within(await screen.findByRole('list', { name: 'Refunds' }));
    expect(refunds.getByRole('button', { name: 'Say where it goes' })).toBeVisible();
    expect(refunds.getByText(/You have the link by email as well/)).toBeVisible();
  },
);

/** As the screens that show the account's plans. */
function Plans() {
  return <p>plans: {usePlanInfo().data?.length ?? 'none yet'}</p>;
}

test('what an order delivers is fetched again once it is paid', async () => {
  let isPaid = false;
  const unpaid = { ...ORDER, State: 'unpaid', CanPay: true, SecondsLeft: 600, Nodes: [], Payments: [], Invoices: [] };
  answerWith({
    'Order/GetOrder': () => ({ Data: { ...(isPaid ? ORDER : unpaid), Replacements: [] } }),
    'Order/GetPaymentMethodList': { Data: [{ PaymentMethod: 'wallet', Currency: 'USD' }] },
    'Order/PayOrder': () => {
      isPaid = true;
      return { Data: { Order: ORDER, Payment: ORDER.Payments[0] } };
    },
    'Order/GetUnpaidOrderList': { Data: [] },
    'User/GetWallet': { Data: walletOf('15.00') },
    'Ips/userGetUserVerPlan': () => ({ Data: isPaid ? [{ VerStr: 'regular', IpsCount: 3 }] : [] }),
    'Ips/GetUserNodeList': { Data: { Rows: [owned], Total: 1, Page: 1, PageSize: 200 } },
  });
  renderScreen(
    <>
      <OrderDetail orderId={ORDER.OrderId} />
      <Plans />
    </>,
  );
  await screen.findByText('plans: 0');
  await userEvent.click(await screen.findByRole('button', { name: /^Pay \$13\.50/ }));
  expect(await screen.findByText('plans: 1')).toBeVisible();
});
