// Automatic top-up on the wallet screen.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { useConfigStore } from '@/stores/config';
import { answerWith } from '@/test/server';
import { AutoTopUp } from './AutoTopUp';

const CARD = {
  Name: 'Visa •••• 0341',
  PaymentMethod: 'sandbox',
  Brand: 'visa',
  LastFour: '0341',
  ExpiresMonth: 4,
  ExpiresYear: 2030,
};
const PAUSED = {
  State: 'paused',
  Currency: 'USD',
  Settings: { Threshold: '10.00', Amount: '20.00', MonthlyLimit: '1500.00' },
  Card: CARD,
  Methods: ['sandbox'],
  ChargedThisMonth: '40.00',
  MonthEndsAt: '2026-12-01 00:00:00',
  Failure: 'expired_card',
  NextTryAt: null,
};

beforeEach(() => {
  useConfigStore.setState({
    shop: {
      ShopName: 'Postern',
      Currency: 'USD',
      DemoShop: true,
      NeedsOperator: false,
      LegalTexts: [],
      HelpCenterUrl: '',
      SupportEmail: '',
      MinTopUp: '5.00',
      MaxTopUp: '10000.00',
      TopUpPresets: ['20.00', '100.00'],
    },
  });
});

function open(cardRequestId: string | null = null) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return render(
    <QueryClientProvider client={client}>
      <AutoTopUp cardRequestId={cardRequestId} />
    </QueryClientProvider>,
  );
}

test('a pause shows its reason, and ends only after the customer has agreed again', async () => {
  const sent = answerWith({
    'Wallet/GetAutoTopUp': { Data: PAUSED },
    'Wallet/SetAutoTopUp': { Data: { ...PAUSED, State: 'active', Failure: null } },
  });
  open();
  expect(await screen.findByText(/The card has expired/)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Agree and try again' }));
  const dialog = await screen.findByRole('dialog');
  expect(dialog).toHaveTextContent(
    'I allow Postern to charge $20.00 to Visa •••• 0341 each time my balance falls below $10.00, and at most $1,500.00',
  );
  expect(sent.some((one) => one.call === 'Wallet/SetAutoTopUp')).toBe(false);
  await userEvent.click(within(dialog).getByRole('button', { name: 'Agree' }));
  await waitFor(() => expect(screen.queryByText(/The card has expired/)).toBeNull());
  const set = sent.find((one) => one.call === 'Wallet/SetAutoTopUp');
  expect(set?.body).toEqual({ IsOn: true, ...PAUSED.Settings });
});

test('it is not offered if no gateway can save cards', async () => {
  const sent = answerWith({
    'Wallet/GetAutoTopUp': {
      Data: { ...PAUSED, State: 'off', Settings: null, Card: null, Methods: [], Failure: null },
    },
  });
  const { container } = open();
  await waitFor(() => expect(sent.some((one) => one.call === 'Wallet/GetAutoTopUp')).toBe(true));
  await waitFor(() => expect(container).toBeEmptyDOMElement());
});

test('a failed load can be retried', async () => {
  answerWith({ 'Wallet/GetAutoTopUp': 'network' });
  open();
  const retry = await screen.findByRole('button', { name: 'Try again' });
  answerWith({ 'Wallet/GetAutoTopUp': { Data: PAUSED } });
  await userEvent.click(retry);
  expect(await screen.findByText('Visa •••• 0341')).toBeVisible();
});

test('a card saved while the first response was pending appears without a reload', async () => {
  const withoutCard = { ...PAUSED, State: 'off', Settings: null, Card: null, Failure: null };
  let answerFirst = () => {};
  const first = new Promise<void>((resolve) => {
    answerFirst = resolve;
  });
  let reads = 0;
  answerWith({
    'Wallet/GetAutoTopUp': async () => {
      reads += 1;
      if (reads > 1) return { Data: { ...withoutCard, Card: CARD } };
      await first;
      return { Data: withoutCard };
    },
    'Wallet/GetCardRequest': { Data: { CardRequestId: 'card_1', State: 'succeeded', CardUrl: null } },
  });
  open('card_1');
  await waitFor(() => expect(reads).toBe(2));
  answerFirst();
  expect(await screen.findByText('Visa •••• 0341')).toBeVisible();
});

test('where two gateways save cards, their buttons are told apart', async () => {
  const Methods = ['sandbox', 'stripe'];
  answerWith({ 'Wallet/GetAutoTopUp': { Data: { ...PAUSED, Methods } } });
  open();
  await screen.findByRole('button', { name: 'Use another card: Sandbox gateway' });
  screen.getByRole('button', { name: 'Use another card: Card, Alipay or WeChat Pay' });
});
