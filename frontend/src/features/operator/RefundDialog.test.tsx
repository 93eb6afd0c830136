// Refunding an order: to the wallet or to where its money came from, what each says, and what the server refuses.
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Schemas } from '@/api/client';
import { ORDER as EXAMPLE } from '@/gallery/examples';
import { renderScreen } from '@/test/render';
import { answerWith, type Sent } from '@/test/server';
import { signInAs } from '@/test/staff';
import { showToast } from '@/ui/toast';
import { RefundDialog } from './RefundDialog';

type Order = Schemas['OrderView'];
type Source = Schemas['RefundSource'];

const PREVIEW = 'Operator/PreviewRefund';
const REFUND = 'Operator/RefundOrder';

const [PAYMENT] = EXAMPLE.Payments as [Order['Payments'][number]];
/** Of 20.00, paid by card. */
const ORDER: Order = {
  ...EXAMPLE,
  Total: '20.00',
  Refunded: '0.00',
  Refunds: [],
  Payments: [{ ...PAYMENT, PaymentMethod: 'stripe', Amount: '20.00' }],
};
const TOP_UP: Order = { ...ORDER, Kind: 'top_up', Lines: [], Nodes: [], Quantity: 0, PeriodDays: null };
const CARD: Source = { Gateway: 'stripe', IsByHand: false, MustBeClaimed: false, Left: '15.00' };

const preview = (Amount: string, Source?: Source | null): Schemas['RefundPreview'] => ({
  OrderNumber: ORDER.OrderNumber,
  Amount,
  Currency: 'USD',
  IsWhole: false,
  LeftAfter: '0.00',
  Nodes: [],
  Paid: '20.00',
  Refunded: '0.00',
  Source: Source ?? null,
});
const refuses = (field: string, Rule: string, Params = {}) => ({
  Code: 2001,
  Message: 'Invalid',
  Data: { Fields: { [field]: [{ Rule, Params }] } },
});

/** The server as it refunds: unused time is worth 12.00. */
const previewed =
  (source: Source | null) =>
  ({ body }: Sent) => ({ Data: preview(String(body.Amount ?? '12.00'), source) });
const refunded = (CreditNote: string | null) => (sent: Sent) => ({
  Data: { ...preview(String(sent.body.Amount ?? '12.00')), CreditNote },
});

function opens(order: Order, replies: Parameters<typeof answerWith>[0]) {
  const sent = answerWith({ [REFUND]: refunded('CN-2026-000001'), ...replies });
  const onClose = vi.fn();
  renderScreen(<RefundDialog order={order} onClose={onClose} />);
  return { sent, onClose, dialog: within(screen.getByRole('dialog')) };
}

const last = (sent: Sent[], call: string) => sent.findLast((one) => one.call === call)?.body;
const refunds = (sent: Sent[]) => sent.filter(({ call }) => call === REFUND).map(({ body }) => body);
const choose = async (name: RegExp) => userEvent.click(await screen.findByRole('radio', { name }));
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));
const amount = () => screen.getByLabelText('Amount in USD');
const CARD_NAME = /^Card, Alipay or WeChat Pay/;

beforeEach(() => signInAs('operator'));

test('what exceeds what can go back is refused at the amount, and not sent', async () => {
  const { sent } = opens(ORDER, { [PREVIEW]: previewed(CARD) });
  await choose(/^An amount/);
  expect(await screen.findByText('At most $20.00')).toBeVisible();
  await choose(CARD_NAME);
  expect(await screen.findByText('At most $15.00')).toBeVisible();
  await userEvent.type(amount(), '15');
  await userEvent.type(screen.getByLabelText('Reason'), 'slow');
  expect(await screen.findByRole('button', { name: 'Refund $15.00' })).toBeEnabled();
  await userEvent.type(amount(), '.01');
  // It names no amount that is not the one typed.
  await press('Refund');
  await waitFor(() => expect(amount()).toHaveAccessibleDescription('At most 15.00'));
  expect(amount()).toHaveFocus();
  expect(refunds(sent)).toEqual([]);
});

test('what was refunded to the wallet before cannot go back as well', async () => {
  opens({ ...ORDER, Refunded: '8.00' }, { [PREVIEW]: previewed(CARD) });
  await choose(/^An amount/);
  await choose(CARD_NAME);
  expect(await screen.findByText('At most $12.00')).toBeVisible();
});

test('unused time that is worth more than can go back is refused at the choice', async () => {
  const { sent } = opens(ORDER, {
    [PREVIEW]: (one) => (one.body.ToSource ? refuses('ToSource', 'amountMax', { Max: '15.00' }) : previewed(CARD)(one)),
  });
  expect(await screen.findByRole('button', { name: 'Refund $12.00' })).toBeEnabled();
  await choose(CARD_NAME);
  expect(await screen.findByText('At most 15.00')).toHaveRole('alert');
  expect(screen.getByRole('radio', { name: CARD_NAME })).toBeInvalid();
  expect(screen.getByRole('radio', { name: CARD_NAME })).toHaveAccessibleDescription('At most 15.00');
  expect(screen.getByRole('button', { name: 'Refund' })).toBeDisabled();
  await choose(/^Wallet/);
  await waitFor(() => expect(screen.queryByText('At most 15.00')).toBeNull());
  expect(await screen.findByRole('button', { name: 'Refund $12.00' })).toBeEnabled();
  expect(refunds(sent)).toEqual([]);
});

test('what the server refuses in the end is said at the choice, which has the focus', async () => {
  const { onClose } = opens(ORDER, { [PREVIEW]: previewed(CARD), [REFUND]: refuses('ToSource', 'nothingToRefund') });
  await choose(CARD_NAME);
  await userEvent.type(screen.getByLabelText('Reason'), 'slow');
  await press('Refund $12.00');
  expect(await screen.findByText('Nothing here can be refunded')).toBeVisible();
  expect(screen.getByRole('radio', { name: CARD_NAME })).toHaveFocus();
  expect(onClose).not.toHaveBeenCalled();
});

test.each([
  ['en', 'Wallet', '$12.00 refunded to the wallet, credit note CN-2026-000001'],
  ['zh', '钱包', '已退款 $12.00 至钱包，退款单 CN-2026-000001'],
] as const)('%s: a refund goes to the wallet, unless another way is chosen', async (language, wallet, done) => {
  await i18next.changeLanguage(language);
  const { sent, onClose } = opens(ORDER, { [PREVIEW]: previewed(CARD) });
  expect(await screen.findByRole('radio', { name: new RegExp(`^${wallet}`) })).toBeChecked();
  await userEvent.type(screen.getByLabelText(i18next.t('orders:refund.reason')), 'slow');
  await press(i18next.t('orders:refund.confirm', { Amount: '$12.00' }));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(refunds(sent)).toEqual([{ OrderNumber: 'PO1', NodeIds: [], ToSource: false, Reason: 'slow' }]);
  expect(showToast).toHaveBeenCalledWith(done, 'success');
});

test.each([
  [
    'en',
    'Alipay or WeChat Pay',
    'Arrives as',
    '$5.00 goes back to where it came from (Alipay or WeChat Pay), credit note CN-2026-000001',
  ],
  ['zh', '支付宝或微信支付', '实际退回', '$5.00 将原路退回（支付宝或微信支付），退款单 CN-2026-000001'],
] as const)('%s: an amount goes back in the currency of the charge', async (language, method, arrivesAs, done) => {
  await i18next.changeLanguage(language);
  const yuan: Source = { ...CARD, Gateway: 'epay', Charged: '35.62', ChargedCurrency: 'CNY' };
  const { sent, onClose, dialog } = opens(ORDER, { [PREVIEW]: previewed(yuan) });
  await choose(new RegExp(`^${i18next.t('orders:refund.amount')}`));
  await userEvent.type(screen.getByLabelText(i18next.t('orders:refund.amountIn', { Currency: 'USD' })), '5');
  await userEvent.type(screen.getByLabelText(i18next.t('orders:refund.reason')), 'slow');
  await screen.findByRole('button', { name: i18next.t('orders:refund.confirm', { Amount: '$5.00' }) });
  // To the wallet it goes as it is.
  expect(dialog.queryByText(arrivesAs)).toBeNull();
  await choose(new RegExp(`^${method}`));
  expect(await dialog.findByText(arrivesAs)).toBeVisible();
  expect(dialog.getByText('¥35.62')).toBeVisible();
  await press(i18next.t('orders:refund.confirm', { Amount: '$5.00' }));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(refunds(sent)).toEqual([{ OrderNumber: 'PO1', Amount: '5', ToSource: true, Reason: 'slow' }]);
  expect(showToast).toHaveBeenCalledWith(done, 'success');
});

test.each([
  [{ Gateway: 'stripe' }, CARD_NAME, /takes some days to arrive/],
  [{ Gateway: 'btcpay', MustBeClaimed: true }, /^Crypto/, /gets a link by email/],
  [{ Gateway: 'transfer', IsByHand: true }, /^Bank transfer/, /You send it by hand/],
] as const)('each way says how it works: %o', async (change, name, hint) => {
  opens(ORDER, { [PREVIEW]: previewed({ ...CARD, ...change }) });
  expect(await screen.findByRole('radio', { name })).not.toBeChecked();
  expect(screen.getByText(hint)).toBeVisible();
});

test('the choice stays while previews come and go', async () => {
  let answer = (_: unknown) => {};
  const { sent } = opens(ORDER, {
    [PREVIEW]: (one) =>
      one.body.Amount === '7' ? new Promise((resolve) => (answer = resolve as never)) : previewed(CARD)(one),
  });
  await choose(/^An amount/);
  await choose(CARD_NAME);
  await userEvent.type(amount(), '6');
  await screen.findByRole('button', { name: 'Refund $6.00' });
  await userEvent.clear(amount());
  expect(screen.getByRole('radio', { name: CARD_NAME })).toBeChecked();
  await userEvent.type(amount(), '7');
  expect(screen.getByRole('radio', { name: CARD_NAME })).toBeChecked();
  await waitFor(() => expect(last(sent, PREVIEW)).toMatchObject({ Amount: '7', ToSource: true }));
  expect(screen.getByRole('radio', { name: CARD_NAME })).toBeChecked();
  answer({ Data: preview('7.00', CARD) });
  expect(await screen.findByRole('button', { name: 'Refund $7.00' })).toBeEnabled();
});

test.each([
  ['wallet', /A top-up can be refunded to where it came from/],
  ['stripe', /Nothing of this payment can go back/],
] as const)('there is no choice if nothing can go back: paid by %s', async (PaymentMethod, hint) => {
  const { sent, onClose } = opens(
    { ...ORDER, Payments: [{ ...PAYMENT, PaymentMethod }] },
    { [PREVIEW]: previewed(null) },
  );
  expect(await screen.findByText(hint)).toBeVisible();
  expect(screen.queryByRole('radio', { name: /^Wallet/ })).toBeNull();
  await userEvent.type(screen.getByLabelText('Reason'), 'slow');
  await press('Refund $12.00');
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(last(sent, REFUND)).toMatchObject({ ToSource: false });
});

test('nothing is said about ways when they are not known', async () => {
  opens(ORDER, { [PREVIEW]: (one) => (one.body.Amount ? 'network' : previewed(CARD)(one)) });
  expect(await screen.findByRole('button', { name: 'Refund $12.00' })).toBeEnabled();
  expect(screen.queryByRole('radio', { name: /^Wallet/ })).toBeNull();
  expect(screen.queryByText(/can go back/)).toBeNull();
});

test.each([
  ['en', /leaves the customer's wallet and goes back to where it came from: Crypto\./, '(Crypto)'],
  ['zh', /从客户的钱包扣除，并原路退回：加密货币。/, '（加密货币）'],
] as const)('%s: of a top-up, an amount goes back, without a credit note', async (language, text, method) => {
  await i18next.changeLanguage(language);
  const { sent, onClose } = opens(TOP_UP, {
    [PREVIEW]: previewed({ ...CARD, Gateway: 'btcpay', MustBeClaimed: true, Left: '9.00' }),
    [REFUND]: refunded(null),
  });
  const field = screen.getByLabelText(i18next.t('orders:refund.amountIn', { Currency: 'USD' }));
  expect(field).toHaveFocus();
  expect(await screen.findByText(text)).toBeVisible();
  expect(screen.getByText(i18next.t('orders:refund.atMost', { Max: '$9.00' }))).toBeVisible();
  expect(screen.queryByRole('radio')).toBeNull();
  await userEvent.type(field, '9');
  await userEvent.type(screen.getByLabelText(i18next.t('orders:refund.reason')), 'slow');
  await press(i18next.t('orders:refund.confirm', { Amount: '$9.00' }));
  await waitFor(() => expect(onClose).toHaveBeenCalled());
  expect(refunds(sent)).toEqual([{ OrderNumber: 'PO1', Amount: '9', ToSource: true, Reason: 'slow' }]);
  const [said] = vi.mocked(showToast).mock.calls[0] ?? [];
  expect(said).toContain(method);
  expect(said).not.toMatch(/credit note|退款单/);
  // Nothing but amounts was previewed.
  expect(sent.filter(({ call }) => call === PREVIEW).every(({ body }) => body.Amount && body.ToSource)).toBe(true);
});

test.each([
  ['nothing is left', previewed(null)],
  ['what is left is nothing', previewed({ ...CARD, Left: '0.00' })],
  ['the server refuses it', () => refuses('ToSource', 'nothingToRefund')],
] as const)('a top-up of which nothing can go back says so: %s', async (_, reply) => {
  opens(TOP_UP, { [PREVIEW]: reply });
  expect(await screen.findByText(/Nothing of this top-up can be refunded/)).toBeVisible();
  expect(screen.queryByRole('textbox')).toBeNull();
  expect(screen.getByRole('button', { name: 'Refund' })).toBeDisabled();
});

test('a top-up that the role may not refund says why', async () => {
  const Message = 'Support can refund up to 50 of an order in total';
  opens(TOP_UP, { [PREVIEW]: { Code: 3333, Message, Data: { Key: 'supportRefundLimit', Max: 50 } } });
  expect(await screen.findByText(Message)).toBeVisible();
});
