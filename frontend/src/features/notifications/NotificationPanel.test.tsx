// The notification panel.
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { useSupportStore } from '@/stores/support';
import { useUserStore } from '@/stores/user';
import { renderScreen } from '@/test/render';
import { answerWith } from '@/test/server';
import { NotificationPanel } from './NotificationPanel';
import { byDay, type Notification, pathOf } from './rows';

const MONEY = { Currency: 'USD' };
const ORDER = { OrderId: 7, OrderNumber: 'PO0000000007', ...MONEY };

/** Text and target of each type. */
const KINDS: [Notification['Kind'], Record<string, unknown>, string, string | undefined][] = [
  ['order.paid', { ...ORDER, Total: '12.50' }, 'Order PO0000000007 was paid: $12.50', '/order?OrderId=7'],
  ['order.refunded', { ...ORDER, Amount: '5.00' }, '$5.00 of order PO0000000007 was refunded', '/order?OrderId=7'],
  ['order.expired', { ...ORDER, Total: '5.00' }, 'was not paid in time', '/order?OrderId=7'],
  ['payment.late', { ...ORDER, Amount: '5.00' }, 'Your payment of $5.00', '/order?OrderId=7'],
  [
    'payment.taken_back',
    { ...ORDER, Amount: '20.00', Kind: 'dispute', Owed: '0.00' },
    'took back $20.00 of your payment for order PO0000000007',
    '/billing/wallet',
  ],
  [
    'payment.taken_back',
    { ...ORDER, Amount: '20.00', Kind: 'refund', Owed: '5.00' },
    'for order PO0000000007. You now owe $5.00',
    '/billing/wallet',
  ],
  ['payment.given_back', { ...ORDER, Amount: '20.00' }, 'returned $20.00', '/order?OrderId=7'],
  [
    'proxies.ending',
    { Count: 1, EndsAt: '2026-01-02 03:04:05' },
    '1 proxy expires soon, at 2026',
    '/static-residential-proxies/proxy-list',
  ],
  ['proxies.ended', { Count: 2 }, '2 proxies have ended', undefined],
  [
    'proxies.renewed',
    { Count: 2, Total: '9.00', ...MONEY },
    '2 proxies were renewed automatically for $9.00',
    '/static-residential-proxies/proxy-list',
  ],
  [
    'proxies.switched',
    { OldIp: '198.18.0.1', NewIp: '198.18.0.2' },
    '198.18.0.1 was switched to 198.18.0.2',
    '/static-residential-proxies/replaced',
  ],
  [
    'traffic.ending',
    { Bytes: 1_500_000_000, EndsAt: '2026-01-02 03:04:05' },
    '1.5 GB of residential traffic',
    '/residential-proxies/users',
  ],
  [
    'traffic.reorder_failed',
    { Reason: 'offer_gone' },
    'The shop no longer sells this amount',
    '/residential-proxies/users',
  ],
  [
    'proxy_user.limit_reached',
    { Name: 'a', LimitBytes: 1_000_000_000 },
    'Proxy user a has used up its 1 GB',
    '/residential-proxies/users?Search=a',
  ],
  [
    'wallet.auto_top_up_failed',
    { Amount: '20.00', Card: 'Visa •••• 0341', Reason: 'declined', ...MONEY },
    'The bank declined the card.',
    '/billing/wallet',
  ],
  ['referral.commission_earned', { Amount: '1.50', ...MONEY }, 'You earned a commission of $1.50', '/referrals'],
  ['security.changed', { Change: 'password_changed' }, 'Your password was changed', '/my-account/password'],
  ['security.changed', { Change: 'something new' }, 'Your security settings were changed', '/my-account/password'],
];

const rows: Notification[] = KINDS.map(([Kind, Data], index) => ({
  NotificationId: 100 - index,
  Kind,
  Data,
  CreatedAt: index < 2 ? '2026-01-02 10:00:00' : '2026-01-01 10:00:00',
  IsRead: index > 0,
})) as Notification[];

test('every type shows its text and links to its target', async () => {
  answerWith({
    'Notifications/GetNotificationList': { Data: { Rows: rows, Total: rows.length, SortableFields: [] } },
    'Notifications/MarkRead': { Data: { Unread: 0, HasMore: false } },
  });
  const { addressNow } = renderScreen(<NotificationPanel unread={1} onGone={() => {}} onChoose={() => {}} />);
  const items = await screen.findAllByRole('listitem');
  for (const [index, [, , text, path]] of KINDS.entries()) {
    const item = items[index] as HTMLElement;
    expect(item).toHaveTextContent(text);
    if (path) expect(within(item).getByRole('link')).toHaveAttribute('href', path);
    else expect(within(item).queryByRole('link')).toBeNull();
  }
  expect(items[0]).toHaveTextContent('Unread');
  await userEvent.click(within(items[0] as HTMLElement).getByRole('link'));
  expect(addressNow()).toBe('/order?OrderId=7');
});

test('rows are grouped by day', () => {
  expect(byDay(rows).map(([day, ofDay]) => [day, ofDay.length])).toEqual([
    ['2026-01-02', 2],
    ['2026-01-01', KINDS.length - 2],
  ]);
});

test('an answer from support opens the chat and stays on the screen', async () => {
  const answered = { ...rows[0], Kind: 'support.answered', Data: {}, IsRead: true } as Notification;
  answerWith({
    'Notifications/GetNotificationList': { Data: { Rows: [answered], Total: 1, SortableFields: [] } },
  });
  let isGone = false;
  const gone = () => {
    isGone = true;
  };
  renderScreen(<NotificationPanel unread={0} onGone={gone} onChoose={() => {}} />);
  const item = await screen.findByRole('listitem');
  expect(pathOf(answered)).toBeUndefined();
  await userEvent.click(within(item).getByRole('button'));
  expect(useSupportStore.getState().chat).toBe('open');
  expect(isGone).toBe(true);
});

test("an operator's view leaves unread what is opened", async () => {
  const answered = { ...rows[0], Kind: 'support.answered', Data: {}, IsRead: false } as Notification;
  const sent = answerWith({
    'Notifications/GetNotificationList': { Data: { Rows: [answered], Total: 1, SortableFields: [] } },
  });
  const view = { Email: 'ann@example.com', ExpiresAt: '2026-02-01 14:30:00', AccountId: 7 };
  useUserStore.setState({ view });
  renderScreen(<NotificationPanel unread={1} onGone={() => {}} onChoose={() => {}} />);
  await userEvent.click(within(await screen.findByRole('listitem')).getByRole('button'));
  expect(sent.map(({ call }) => call)).toEqual(['Notifications/GetNotificationList']);
});
