// The top-up form, with the real rules.
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { useConfigStore } from '@/stores/config';
import { answerWith } from '@/test/server';
import { showToast } from '@/ui/toast';
import { TopUpForm } from './TopUpForm';

const METHODS = { 'Order/GetPaymentMethodList': { Data: [{ PaymentMethod: 'sandbox', Currency: 'USD' }] } };

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

function open(initialAmount = '') {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <TopUpForm initialAmount={initialAmount} />
    </QueryClientProvider>,
  );
}

test.each([
  ['', 'This is required'],
  ['ten', 'Enter an amount such as 50 or 1250.50, without a thousands separator'],
  ['1,000', 'Enter an amount such as 50 or 1250.50, without a thousands separator'],
  ['4.99', 'At least 5.00'],
  ['10000.01', 'At most 10000.00'],
])('the amount “%s” is refused at its field', async (amount, text) => {
  const sent = answerWith(METHODS);
  open(amount);
  await userEvent.click(await screen.findByRole('button', { name: 'Continue to payment' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(text);
  expect(sent.some((one) => one.call === 'Wallet/CreateTopUp')).toBe(false);
});

test('what is charged in another currency follows the amount, and its line is there without one', async () => {
  const epay = { PaymentMethod: 'epay', Currency: 'USD', ChargedCurrency: 'CNY', Rate: '7.125' };
  answerWith({
    'Order/GetPaymentMethodList': { Data: [{ PaymentMethod: 'sandbox', Currency: 'USD' }, epay] },
  });
  open();
  const method = await screen.findByLabelText('Payment method');
  await screen.findByRole('option', { name: 'Alipay or WeChat Pay' });
  expect(method).not.toHaveAccessibleDescription();
  await userEvent.selectOptions(method, 'Alipay or WeChat Pay');
  expect(method).toHaveAccessibleDescription('Charged in CNY at 7.125, rounded up to a cent');
  const amount = screen.getByLabelText('Amount in USD');
  await userEvent.type(amount, '4.99');
  expect(method).toHaveAccessibleDescription(/^Charged in CNY/);
  await userEvent.clear(amount);
  await userEvent.type(amount, ' 10.01');
  // 71.32125.
  expect(method).toHaveAccessibleDescription('¥71.33, at 7.125, rounded up to a cent');
  await userEvent.click(screen.getByRole('button', { name: '$20.00' }));
  expect(method).toHaveAccessibleDescription('¥142.50, at 7.125, rounded up to a cent');
  await userEvent.selectOptions(method, 'Sandbox gateway');
  expect(method).not.toHaveAccessibleDescription();
});

test('resending the same amount after a lost response uses the same idempotency key, another amount a new one', async () => {
  const sent = answerWith({ ...METHODS, 'Wallet/CreateTopUp': 'network' });
  open();
  const button = await screen.findByRole('button', { name: 'Continue to payment' });
  await userEvent.click(screen.getByRole('button', { name: '$100.00' }));
  await userEvent.click(button);
  await waitFor(() => expect(button).toBeEnabled());
  await userEvent.click(button);
  await waitFor(() => expect(button).toBeEnabled());
  await userEvent.click(screen.getByRole('button', { name: '$20.00' }));
  await userEvent.click(button);
  await waitFor(() => expect(sent.filter((one) => one.call === 'Wallet/CreateTopUp')).toHaveLength(3));
  const keys = sent.filter((one) => one.call === 'Wallet/CreateTopUp').map((one) => one.headers['Idempotency-Key']);
  expect(keys[0]).toBe(keys[1]);
  expect(keys[2]).not.toBe(keys[0]);
});

test('too many unpaid top-ups are reported above the form', async () => {
  const Message = 'You have 20 unpaid top-ups';
  answerWith({ ...METHODS, 'Wallet/CreateTopUp': { Code: 3333, Message, Data: { Key: 'tooManyTopUps', Max: 20 } } });
  open('50');
  const button = await screen.findByRole('button', { name: 'Continue to payment' });
  await userEvent.click(button);
  await waitFor(() => expect(showToast).toHaveBeenCalledWith(Message, 'warning'));
  expect(button).toBeEnabled();
});

test("the form waits for the shop's settings, and a failed load can be retried", async () => {
  useConfigStore.setState({ shop: null });
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  answerWith({
    ...METHODS,
    'SystemSettings/GetPublicConfig': async () => {
      await answered;
      return 'network' as const;
    },
  });
  const loading = useConfigStore.getState().loadShop();
  open();
  expect(screen.getByRole('status', { name: 'Loading' })).toBeVisible();
  answer();
  await expect(loading).rejects.toThrow();
  const retry = await screen.findByRole('button', { name: 'Try again' });
  answerWith({
    ...METHODS,
    'SystemSettings/GetPublicConfig': {
      Data: { Currency: 'USD', MinTopUp: '5.00', MaxTopUp: '10.00', TopUpPresets: [] },
    },
  });
  await userEvent.click(retry);
  expect(await screen.findByLabelText('Amount in USD')).toBeVisible();
});
