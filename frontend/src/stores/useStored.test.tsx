// Data owned by a store: fetched through the query cache, read from the store, cleared on sign-out.
import { QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { answerWith } from '@/test/server';
import { walletOf } from '@/test/wallet';
import { useGroups, useIpsStore } from './ips';
import { useOrderStore, usePaymentMethods } from './order';
import { usePlanInfo } from './planInfo';
import { newQueryClient } from './queries';
import { useSessionStore, useUserStore } from './user';

const group = (GroupId: number, Name: string) => ({ GroupId, Name, Colour: '', Note: '', NodeCount: 0 });
const PLAN = {
  PlanId: 1,
  VerStr: 'shared ISP proxies plan',
  NodeType: 2,
  IpsCount: 3,
  AccessMode: 'password',
  AutoRenew: false,
  ActiveCount: 3,
  GraceCount: 0,
  EndingSoonCount: 0,
  AutoRenewal: 'off',
  AutoRenewCount: 0,
  State: 'active',
  NextExpiresAt: null,
  GraceEndsAt: null,
  NextCharge: null,
  Quota: { Limit: 1, Used: 0, Left: 1, ResetsAt: null },
} as const;

function Groups({ title }: { title: string }) {
  const groups = useGroups();
  if (groups.isError && !groups.data) return <button type="button">{title} failed</button>;
  if (groups.isPending) return <p>{title} pending</p>;
  return <p>{`${title}: ${groups.data?.map((one) => one.Name).join(', ')}`}</p>;
}

function show(screens: React.ReactNode) {
  const client = newQueryClient();
  render(<QueryClientProvider client={client}>{screens}</QueryClientProvider>);
  return client;
}

test('two screens fetch once, read from the store, and the cache holds no copy', async () => {
  let name = 'Scrapers';
  const sent = answerWith({ 'Ips/GetUserPlanGroupList': () => ({ Data: [group(1, name)] }) });
  const client = show(
    <>
      <Groups title="one" />
      <Groups title="other" />
    </>,
  );
  expect(screen.getByText('one pending')).toBeVisible();
  expect(await screen.findByText('one: Scrapers')).toBeVisible();
  expect(screen.getByText('other: Scrapers')).toBeVisible();
  expect(sent).toHaveLength(1);
  expect(client.getQueryData(['groups'])).toBeNull();

  act(() => useIpsStore.setState({ groupList: [group(1, 'Renamed')] }));
  expect(screen.getByText('one: Renamed')).toBeVisible();
  expect(screen.getByText('other: Renamed')).toBeVisible();

  name = 'Known to the server';
  await act(() => client.invalidateQueries({ queryKey: ['groups'] }));
  expect(await screen.findByText('one: Known to the server')).toBeVisible();
  expect(sent).toHaveLength(2);
});

test('a failed fetch is an error, and earlier data stays', async () => {
  answerWith({ 'Ips/GetUserPlanGroupList': { Code: 5000, Message: 'x' } });
  const client = show(<Groups title="one" />);
  expect(await screen.findByText('one failed')).toBeVisible();
  answerWith({ 'Ips/GetUserPlanGroupList': { Data: [group(1, 'Scrapers')] } });
  await act(() => client.invalidateQueries({ queryKey: ['groups'] }));
  expect(await screen.findByText('one: Scrapers')).toBeVisible();
  answerWith({ 'Ips/GetUserPlanGroupList': { Code: 5000, Message: 'x' } });
  await act(() => client.invalidateQueries({ queryKey: ['groups'] }));
  expect(screen.getByText('one: Scrapers')).toBeVisible();
});

test('plans from the session are shown before the server answers, and are fetched again', async () => {
  useSessionStore.setState({ planInfo: [PLAN] });
  answerWith({ 'Ips/userGetUserVerPlan': { Data: [{ ...PLAN, IpsCount: 4 }] } });
  function Plans() {
    return (
      <p>
        {usePlanInfo()
          .data?.map((plan) => plan.IpsCount)
          .join() ?? 'none'}
      </p>
    );
  }
  show(<Plans />);
  expect(screen.getByText('3')).toBeVisible();
  expect(await screen.findByText('4')).toBeVisible();
  expect(sessionStorage.getItem('session')).toContain('"IpsCount":4');
});

test('each kind of order has its own payment methods', async () => {
  answerWith({
    'Order/GetPaymentMethodList': ({ body }) => ({
      Data: [{ PaymentMethod: body.Kind === 'top_up' ? 'sandbox' : 'wallet', Currency: 'USD' }],
    }),
  });
  function Methods({ kind }: { kind: 'purchase' | 'top_up' }) {
    return <p>{`${kind}: ${usePaymentMethods(kind).data?.map((one) => one.PaymentMethod)}`}</p>;
  }
  show(
    <>
      <Methods kind="purchase" />
      <Methods kind="top_up" />
    </>,
  );
  expect(await screen.findByText('purchase: wallet')).toBeVisible();
  expect(await screen.findByText('top_up: sandbox')).toBeVisible();
});

test('the next user sees nothing of the previous one', async () => {
  answerWith({
    'Ips/GetUserPlanGroupList': { Data: [group(1, 'Scrapers')] },
    'Ips/userGetUserVerPlan': { Data: [PLAN] },
    'Order/GetUnpaidOrderList': { Data: [{ OrderId: 5 }] },
    'Order/GetPaymentMethodList': { Data: [{ PaymentMethod: 'sandbox', Currency: 'USD' }] },
    'User/GetCenter': { Data: { CompanyName: 'Ann Trading' } },
    'User/GetWallet': { Data: walletOf('20.00') },
  });
  await Promise.all([
    useIpsStore.getState().loadGroups(),
    useOrderStore.getState().loadUnpaidOrders(),
    useOrderStore.getState().loadPaymentMethods('top_up'),
    useSessionStore.getState().loadPlanInfo(),
    useSessionStore.getState().loadWallet(),
    useUserStore.getState().loadCenter(),
  ]);
  useIpsStore.getState().setBuyInfo({ name: 'x', ipsCount: 1, unitPrice: '5.00', price: '5.00' });
  expect(useOrderStore.getState().unpaidOrders).toHaveLength(1);
  useUserStore.getState().signOut();
  expect(useIpsStore.getState()).toMatchObject({ groupList: null, ownIpsProducts: null, buyInfo: null });
  expect(useOrderStore.getState()).toMatchObject({ unpaidOrders: [], paymentMethodList: {} });
  expect(useSessionStore.getState()).toMatchObject({ planInfo: null, wallet: null });
  expect(useUserStore.getState()).toMatchObject({ info: null, center: null });
});
