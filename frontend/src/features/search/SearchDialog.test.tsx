// The search: results by permission, server requests, and keyboard control.
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { expect, test, vi } from 'vitest';
import { useSupportStore } from '@/stores/support';
import { useUserStore } from '@/stores/user';
import { renderScreen } from '@/test/render';
import { answerWith } from '@/test/server';
import { SearchDialog } from './SearchDialog';

const INFO = {
  UserId: 1,
  Email: 'ann@example.com',
  Level: 0,
  ResellerBasisPoints: 0,
  State: 'active',
  Language: 'en',
  TimeZone: 'UTC',
  IsView: false,
  TextsToAccept: [] as never[],
  Token: 't',
} as const;

const order = (OrderId: number) => ({
  OrderId,
  OrderNumber: `PO000000000${OrderId}`,
  Kind: 'purchase',
  State: 'fulfilled',
  Quantity: 3,
  Lines: [],
});
const node = (NodeId: number, Note = '') => ({
  NodeId,
  Ip: `198.18.0.${NodeId}`,
  Note,
  Isp: 'Example ISP',
  Country: 'DE',
  CityNameEn: 'Frankfurt',
  CityNameZh: '法兰克福',
  CountryNameEn: 'Germany',
  CountryNameZh: '德国',
});
const page = (Rows: unknown[], Total = Rows.length, TotalIsAtLeast = false) => ({
  Data: { Rows, Total, TotalIsAtLeast, Page: 1, PageSize: 5, SortableFields: [] },
});
const NOTHING = {
  'Order/GetOrderList': page([]),
  'Ips/GetUserNodeList': page([]),
  'ProxyUsers/GetProxyUserList': page([]),
};

function search(info: object = {}) {
  useUserStore.setState({ info: { ...INFO, ...info } as typeof INFO });
  const onClose = vi.fn();
  const shown = renderScreen(<SearchDialog onClose={onClose} />);
  return { ...shown, onClose, field: screen.getByRole('combobox') };
}

const group = (name: string) => screen.getByRole('group', { name });
const options = (name: string) =>
  within(group(name))
    .getAllByRole('option')
    .map((option) => option.textContent);
const pointed = () => screen.getByRole('option', { selected: true }).textContent;

test('before typing it lists screens and actions, and sends nothing', () => {
  const sent = answerWith({});
  search();
  expect(options('Screens')).toContain('Proxy listStatic residential');
  expect(options('Actions')).toContain('Buy static proxies');
  expect(screen.queryByRole('group', { name: 'Orders' })).toBeNull();
  expect(sent).toEqual([]);
});

test("a screen is found by its own name, its section's name, and in the other language", async () => {
  answerWith(NOTHING);
  const { field } = search();
  await userEvent.type(field, 'billing wa');
  expect(options('Screens')).toEqual(['WalletBilling']);
  await userEvent.clear(field);
  await userEvent.type(field, '钱包');
  expect(options('Screens')).toEqual(['WalletBilling']);
  await act(() => i18next.changeLanguage('zh'));
  await userEvent.clear(field);
  await userEvent.type(field, 'wallet');
  expect(options('页面')).toEqual(['钱包账单']);
});

test.each([
  ['invoice', '发票', 'Invoices', '/billing/transactions?view=invoices'],
  ['refund', '退款', 'Refunds', '/billing/transactions?Kind=refund'],
  ['renew', '续费', 'Renew proxies', '/static-residential-proxies/proxy-list?Sort=ExpiresAt'],
  ['whitelist', '白名单', 'IP whitelist of static proxies', '/static-residential-proxies/proxy-setup'],
])('"%s" and "%s" find "%s"', async (english, chinese, label, address) => {
  answerWith(NOTHING);
  const { field, addressNow } = search();
  await userEvent.type(field, chinese);
  expect(options('Actions')).toContain(label);
  await userEvent.clear(field);
  await userEvent.type(field, english);
  expect(options('Actions')).toContain(label);
  expect(options('Actions')).not.toContain('Refund an order');
  await userEvent.click(screen.getByRole('option', { name: label }));
  expect(addressNow()).toBe(address);
});

test.each(['server status', '服务器'])('"%s" finds the status of proxy servers', async (typed) => {
  answerWith(NOTHING);
  const { field, addressNow } = search();
  await userEvent.type(field, typed);
  await userEvent.click(within(group('Screens')).getByRole('option', { name: 'Proxy server status' }));
  expect(addressNow()).toBe('/status');
});

test('short Latin text matches beginnings of words only', async () => {
  answerWith(NOTHING);
  const { field } = search();
  await userEvent.type(field, 'to');
  expect(options('Actions')[0]).toBe('Top up the wallet');
  expect(screen.queryByText('Generate endpoints')).toBeNull();
});

test('an action that adds something opens its form, and one that acts runs', async () => {
  answerWith(NOTHING);
  const { field, addressNow, onClose } = search();
  await userEvent.type(field, 'api key{Enter}');
  expect(addressNow()).toBe('/my-account/api-keys');
  await userEvent.clear(field);
  await userEvent.type(field, 'create an api{Enter}');
  expect(addressNow()).toBe('/my-account/api-keys?Open=add');
  await userEvent.clear(field);
  await userEvent.type(field, 'chat{Enter}');
  expect(useSupportStore.getState().chat).toBe('open');
  expect(onClose).toHaveBeenCalledTimes(3);
});

test('a suspended account finds billing and support, and only its orders are searched', async () => {
  const sent = answerWith(NOTHING);
  const { field } = search({ State: 'suspended' });
  expect(options('Screens')).toEqual(['Orders', 'WalletBilling', 'TransactionsBilling']);
  expect(options('Actions')).not.toContain('Top up the wallet');
  expect(options('Actions')).toContain('Contact support');
  await userEvent.type(field, 'PO0');
  await waitFor(() => expect(sent.map(({ call }) => call)).toEqual(['Order/GetOrderList']));
});

test('operators search all orders and accounts, customers do not', async () => {
  const sent = answerWith({
    ...NOTHING,
    'Operator/GetOrderList': page([{ AccountId: 2, Email: 'ann@example.com', Order: order(7) }]),
    'Operator/GetAccountList': page([{ AccountId: 2, Email: 'ann@example.com', Name: 'Ann Lee' }]),
  });
  const { field, addressNow } = search({ Level: 2 });
  await userEvent.type(field, 'ann@');
  await waitFor(() => expect(options('Accounts')).toEqual(['ann@example.comAnn Lee']));
  expect(options('Orders')[0]).toContain('PO0000000007ann@example.com');
  expect(sent.some(({ call }) => call === 'Order/GetOrderList')).toBe(false);
  await userEvent.click(screen.getByRole('option', { name: /^ann@example.com/ }));
  expect(addressNow()).toBe('/operator/accounts/2');
});

test('the server is queried from three characters on, for Chinese from two, once the user pauses', async () => {
  const sent = answerWith(NOTHING);
  const { field } = search();
  await userEvent.type(field, 'ab');
  expect(screen.getByText(/From 3 characters on/)).toBeVisible();
  await userEvent.type(field, 'cd');
  await waitFor(() => expect(sent).toHaveLength(3));
  expect(new Set(sent.map(({ body }) => body.Search))).toEqual(new Set(['abcd']));
  await userEvent.clear(field);
  await userEvent.type(field, '客户');
  await waitFor(() => expect(sent).toHaveLength(6));
  expect(sent.at(-1)?.body.Search).toBe('客户');
});

test('five rows of a list are shown, with a link to all of them', async () => {
  answerWith({
    ...NOTHING,
    'Ips/GetUserNodeList': page(
      [1, 2, 3, 4, 5].map((id) => node(id)),
      12,
    ),
  });
  const { field, addressNow } = search();
  await userEvent.type(field, '198.18');
  await waitFor(() => expect(options('Static proxies')).toHaveLength(6));
  expect(options('Static proxies')[0]).toBe('198.18.0.1Frankfurt, Germany');
  await userEvent.click(screen.getByRole('option', { name: 'Show all 12' }));
  expect(addressNow()).toBe('/static-residential-proxies/proxy-list?Search=198.18');
});

test('a capped count is shown as "more than"', async () => {
  answerWith({
    ...NOTHING,
    'Ips/GetUserNodeList': page(
      [1, 2, 3, 4, 5].map((id) => node(id)),
      10_000,
      true,
    ),
  });
  const { field } = search();
  await userEvent.type(field, '198.18');
  await screen.findByRole('option', { name: 'Show all, more than 10,000' });
});

test('an order links to its page, a proxy and a user link to their lists', async () => {
  answerWith({
    'Order/GetOrderList': page([order(7)]),
    'Ips/GetUserNodeList': page([node(1, 'PO0 shop')]),
    'ProxyUsers/GetProxyUserList': page([{ ProxyUserId: 3, Name: 'po0-berlin', Note: '' }]),
  });
  const { field, addressNow } = search();
  await userEvent.type(field, 'po0');
  await userEvent.click(await screen.findByRole('option', { name: /^PO0000000007/ }));
  expect(addressNow()).toBe('/order?OrderId=7');
  await userEvent.click(screen.getByRole('option', { name: /^198.18.0.1/ }));
  expect(addressNow()).toBe('/static-residential-proxies/proxy-list?Search=198.18.0.1');
  await userEvent.click(screen.getByRole('option', { name: 'po0-berlin' }));
  expect(addressNow()).toBe('/residential-proxies/users?Search=po0-berlin');
});

test('a late response to an earlier query is ignored', async () => {
  let answerLate = (_: unknown) => {};
  const late = new Promise((resolve) => {
    answerLate = resolve;
  });
  const sent = answerWith({
    ...NOTHING,
    'Ips/GetUserNodeList': async ({ body }) => {
      if (body.Search === 'ber') await late;
      return body.Search === 'ber' ? page([node(1, 'ber')]) : page([node(2, 'berlin')]);
    },
  });
  const { field } = search();
  await userEvent.type(field, 'ber');
  await waitFor(() => expect(sent.some(({ body }) => body.Search === 'ber')).toBe(true));
  await userEvent.type(field, 'lin');
  await screen.findByText('198.18.0.2');
  await act(async () => answerLate(undefined));
  expect(screen.queryByText('198.18.0.1')).toBeNull();
});

test('while typing continues, rows that still match stay', async () => {
  answerWith({
    ...NOTHING,
    'Ips/GetUserNodeList': ({ body }) =>
      body.Search === 'ber' ? page([node(1, 'Berlin'), node(2, 'Bern')]) : new Promise<never>(() => {}),
  });
  const { field } = search();
  await userEvent.type(field, 'ber');
  await screen.findByText('198.18.0.2');
  await userEvent.type(field, 'l');
  expect(screen.getByText('198.18.0.1')).toBeVisible();
  expect(screen.queryByText('198.18.0.2')).toBeNull();
  expect(screen.getByText('Searching…')).toBeInTheDocument();
});

test('a failed list shows an error in place, and can be retried', async () => {
  const replies: Parameters<typeof answerWith>[0] = { ...NOTHING, 'Order/GetOrderList': 'network' };
  answerWith(replies);
  const { field, onClose } = search();
  await userEvent.type(field, 'PO00');
  const failed = await screen.findByRole('option', { name: /Search failed/ });
  expect(screen.queryByRole('alert')).toBeNull();
  replies['Order/GetOrderList'] = page([order(7)]);
  await userEvent.click(failed);
  await screen.findByRole('option', { name: /^PO0000000007/ });
  expect(onClose).not.toHaveBeenCalled();
});

test('no results are reported', async () => {
  answerWith(NOTHING);
  const { field } = search();
  await userEvent.type(field, 'zzzz');
  await screen.findByText('Nothing found for “zzzz”');
  expect(field).toHaveAttribute('aria-expanded', 'false');
});

test('arrows, Home and End move through all groups, wrapping around', async () => {
  answerWith({});
  const { field, addressNow } = search();
  expect(pointed()).toBe('Proxy usersResidential proxies');
  expect(field).toHaveAttribute('aria-activedescendant', screen.getByRole('option', { selected: true }).id);
  await userEvent.type(field, '{ArrowUp}');
  expect(pointed()).toBe('Sign out');
  await userEvent.type(field, '{ArrowDown}{ArrowDown}');
  expect(pointed()).toBe('Endpoint generatorResidential proxies');
  await userEvent.type(field, '{End}');
  expect(pointed()).toBe('Sign out');
  await userEvent.type(field, '{Home}{Enter}');
  expect(addressNow()).toBe('/residential-proxies/users');
});

test('Enter during IME composition opens nothing', async () => {
  const sent = answerWith(NOTHING);
  const { field, onClose, addressNow } = search();
  fireEvent.compositionStart(field);
  fireEvent.input(field, { target: { value: 'qian bao' }, isComposing: true });
  fireEvent.keyDown(field, { key: 'Enter', isComposing: true });
  fireEvent.keyDown(field, { key: 'Enter', keyCode: 229 });
  expect(onClose).not.toHaveBeenCalled();
  expect(screen.getByRole('group', { name: 'Actions' })).toBeVisible();
  fireEvent.input(field, { target: { value: '钱包' }, isComposing: true });
  fireEvent.compositionEnd(field);
  expect(options('Screens')).toEqual(['WalletBilling']);
  fireEvent.keyDown(field, { key: 'Enter' });
  expect(addressNow()).toBe('/billing/wallet');
  expect(sent.every(({ body }) => body.Search !== 'qian bao')).toBe(true);
});

test('Escape closes', async () => {
  answerWith({});
  const { field, onClose } = search();
  await userEvent.type(field, '{Escape}');
  expect(onClose).toHaveBeenCalledOnce();
});

test.each([
  ['support', ['Refund an order'], ['SupportShop', 'AccountsShop'], ['BusinessShop', 'Audit logShop']],
  ['accountant', [], ['BusinessShop', 'Audit logShop'], ['SupportShop', 'SystemShop']],
] as const)('%s finds what the role may open and do', async (Role, actions, screens, others) => {
  const sent = answerWith({ ...NOTHING, 'Operator/GetOrderList': page([]), 'Operator/GetAccountList': page([]) });
  const { field } = search({ Level: 2, Role });
  await userEvent.type(field, 'refund');
  await waitFor(() => expect(sent.map(({ call }) => call)).toContain('Operator/GetAccountList'));
  const found = screen.queryAllByRole('option', { name: 'Refund an order' }).map((option) => option.textContent);
  expect(found).toEqual(actions);
  await userEvent.clear(field);
  await userEvent.type(field, 'shop');
  for (const name of screens) expect(options('Screens')).toContain(name);
  for (const name of others) expect(options('Screens')).not.toContain(name);
});
