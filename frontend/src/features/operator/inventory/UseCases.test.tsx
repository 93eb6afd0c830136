// Use cases: their list, its changes, and the use cases of nodes.
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { beforeEach, expect, test, vi } from 'vitest';
import type { InventoryNode, UseCase } from '@/api/inventory';
import { onPhone, renderScreen } from '@/test/render';
import { answerWith, type Sent } from '@/test/server';
import { forbidden, signInAs } from '@/test/staff';
import { showToast } from '@/ui/toast';
import { last, node, OWNED, replies, usedFor } from './fixtures';
import { InventoryPage } from './InventoryPage';

beforeEach(() => {
  onPhone();
  signInAs('operator');
});

const at = '/operator/inventory';
const VIEW = `${at}?view=use-cases`;
const SHOPS = usedFor('shops', 'Shops', { NameZh: '电商', Category: 'ecommerce', Nodes: 1 });
const PRICES = usedFor('prices', 'Price monitoring', { Nodes: 12 });
const FARES = usedFor('fares', 'Air fares', { NameZh: '机票' });

type Replies = Parameters<typeof answerWith>[0];

/** Opens a screen of a shop with these use cases. */
function opens(useCases: UseCase[], { nodes = [], change = {}, address = VIEW }: Opened = {}) {
  const list = { 'Operator/GetUseCaseList': { Data: useCases } };
  const sent = answerWith({ ...replies(...nodes), ...list, ...change });
  return { sent, ...renderScreen(<InventoryPage />, address) };
}
interface Opened {
  nodes?: InventoryNode[];
  change?: Replies;
  address?: string;
}

const texts = async () => (await screen.findAllByRole('listitem')).map((row) => row.textContent);
const calls = (sent: Sent[], call: string) => sent.filter((one) => one.call === call).map((one) => one.body);

/** Chooses an action of a use case's menu, and returns its dialog. */
async function acts(name: string, action: string) {
  await userEvent.click(await screen.findByRole('button', { name: `Actions for ${name}` }));
  await userEvent.click(await screen.findByRole('menuitem', { name: action }));
  return within(await screen.findByRole('dialog'));
}

test('without use cases, the screen says what they are for and offers to add one', async () => {
  opens([]);
  expect(await screen.findByText('No use cases yet')).toBeVisible();
  expect(screen.getByText(/column “targets” of a file/)).toBeVisible();
  expect(screen.getAllByRole('button', { name: 'Add a use case' })).toHaveLength(2);
  expect(screen.queryByRole('button', { name: 'Import' })).toBeNull();
});

test('a list that cannot be loaded is loaded again', async () => {
  const answers = [{ Code: 5000, Message: 'Busy' }, { Data: [SHOPS] }];
  opens([], { change: { 'Operator/GetUseCaseList': () => answers.shift() ?? 'network' } });
  expect(await screen.findByText('Busy')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Shops')).toBeVisible();
});

test('a row has both names, key, category, and a link to its nodes', async () => {
  const { addressNow } = opens([SHOPS, PRICES]);
  const [shops, prices] = (await screen.findAllByRole('listitem')).map((row) => within(row));
  expect(shops?.getByText('电商')).toHaveAttribute('lang', 'zh-CN');
  expect(shops?.getByText('ecommerce')).toBeVisible();
  // A name that is the same in both languages is shown once.
  expect(prices?.getAllByText('Price monitoring')).toHaveLength(1);
  await userEvent.click(screen.getByRole('link', { name: 'Price monitoring: 12 static proxies' }));
  expect(addressNow()).toBe(`${at}?Target=prices`);
});

test('on a wide screen it is a table, in the reader’s language', async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => {}, removeEventListener: () => {} }));
  await i18next.changeLanguage('zh');
  opens([SHOPS]);
  const cells = within(await screen.findByRole('row', { name: /shops/ }));
  expect(cells.getByRole('rowheader')).toHaveTextContent(/^电商Shops$/);
  expect(cells.getAllByRole('cell').map((cell) => cell.textContent)).toEqual(['shops', 'ecommerce', '1', '']);
});

test('a new one is validated here, then by the server, and joins the list', async () => {
  const Fields = { Target: [{ Rule: 'useCaseTaken', Params: {} }] };
  const answers = [{ Code: 2001, Message: '', Data: { Fields } }, { Data: [SHOPS, PRICES] }];
  const { sent } = opens([SHOPS], { change: { 'Operator/SaveUseCase': () => answers.shift() ?? 'network' } });
  await screen.findByText('Shops');
  await userEvent.click(screen.getByRole('button', { name: 'Add a use case' }));
  const dialog = within(await screen.findByRole('dialog'));
  const submits = () => userEvent.click(dialog.getByRole('button', { name: 'Add' }));
  await userEvent.type(dialog.getByLabelText('Key'), 'Price monitoring');
  await submits();
  await waitFor(() => expect(dialog.getByLabelText('Key')).toHaveAccessibleDescription(/lower-case letters/));
  expect(dialog.getByLabelText('English name')).toBeInvalid();
  expect(calls(sent, 'Operator/SaveUseCase')).toEqual([]);
  await userEvent.type(dialog.getByLabelText('English name'), 'Price monitoring');
  await userEvent.clear(dialog.getByLabelText('Key'));
  await userEvent.type(dialog.getByLabelText('Key'), 'prices');
  await submits();
  await waitFor(() => expect(dialog.getByLabelText('Key')).toHaveAccessibleDescription(/There is a use case/));
  await submits();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(last(sent, 'Operator/SaveUseCase')).toEqual({ IsNew: true, NameEn: 'Price monitoring', Target: 'prices' });
  expect(showToast).toHaveBeenCalledWith('“Price monitoring” was added.', 'success');
  expect(await screen.findByText('prices')).toBeVisible();
});

test('an edited one keeps its key and its place, and a Chinese name that repeats the English one follows it', async () => {
  const changed = { ...PRICES, NameEn: 'Prices', NameZh: 'Prices' };
  const { sent } = opens([SHOPS, PRICES], { change: { 'Operator/SaveUseCase': { Data: [SHOPS, changed] } } });
  const dialog = await acts('Price monitoring', 'Edit');
  expect(dialog.getByRole('heading', { name: 'Edit “Price monitoring”' })).toBeVisible();
  expect(dialog.getByLabelText('Key')).toHaveAttribute('readonly');
  expect(dialog.getByLabelText('Chinese name')).toHaveValue('');
  expect(dialog.getByLabelText('Position')).toHaveAttribute('placeholder', '2');
  await userEvent.clear(dialog.getByLabelText('English name'));
  await userEvent.type(dialog.getByLabelText('English name'), 'Prices');
  await userEvent.click(dialog.getByRole('button', { name: 'Save changes' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(last(sent, 'Operator/SaveUseCase')).toEqual({ IsNew: false, NameEn: 'Prices', Target: 'prices' });
  expect(showToast).toHaveBeenCalledWith('“Prices” was changed.', 'success');
  expect(await screen.findByText('Prices')).toBeVisible();
});

test('one is moved by keyboard, keeps the focus, and a screen reader says where it is', async () => {
  const { sent } = opens([SHOPS, PRICES, FARES], {
    change: { 'Operator/SaveUseCase': { Data: [FARES, SHOPS, PRICES] } },
  });
  const up = await screen.findByRole('button', { name: 'Move Air fares up' });
  up.focus();
  await userEvent.keyboard('{Enter}');
  await waitFor(async () => expect((await texts())[0]).toMatch(/^Air fares/));
  expect(last(sent, 'Operator/SaveUseCase')).toEqual({
    IsNew: false,
    Target: 'fares',
    NameEn: 'Air fares',
    NameZh: '机票',
    Position: '2',
  });
  expect(screen.getByText('Air fares is now 2 of 3.')).toHaveAttribute('role', 'status');
  const moved = screen.getByRole('button', { name: 'Move Air fares up' });
  expect(moved).toHaveFocus();
  // It is the first now.
  expect(moved).toHaveAttribute('aria-disabled', 'true');
  await userEvent.keyboard('{Enter}');
  expect(calls(sent, 'Operator/SaveUseCase')).toHaveLength(1);
  expect(screen.getByRole('button', { name: 'Move Price monitoring down' })).toHaveAttribute('aria-disabled', 'true');
});

test('deleting asks first, and says how many nodes lose it and what stays', async () => {
  const { sent } = opens([SHOPS, PRICES], { change: { 'Operator/DeleteUseCase': { Data: [SHOPS] } } });
  const dialog = await acts('Price monitoring', 'Delete');
  expect(dialog.getByText(/^12 static proxies lose it/)).toBeVisible();
  expect(dialog.getByText(/The static proxies stay/)).toBeVisible();
  expect(calls(sent, 'Operator/DeleteUseCase')).toEqual([]);
  await userEvent.click(dialog.getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(screen.queryByText('Price monitoring')).toBeNull());
  expect(calls(sent, 'Operator/DeleteUseCase')).toEqual([{ Target: 'prices' }]);
  expect(showToast).toHaveBeenCalledWith('“Price monitoring” was deleted.', 'success');
});

test('one that somebody else has deleted disappears', async () => {
  const lists = [{ Data: [SHOPS, PRICES] }, { Data: [SHOPS] }];
  opens([], {
    change: {
      'Operator/GetUseCaseList': () => lists.shift() ?? 'network',
      'Operator/DeleteUseCase': { Code: 3004, Message: 'Not found' },
    },
  });
  const dialog = await acts('Price monitoring', 'Delete');
  await userEvent.click(dialog.getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(screen.queryByText('prices')).toBeNull());
});

test('support sees them and changes nothing', async () => {
  signInAs('support');
  const { sent } = opens([SHOPS, PRICES]);
  expect(await texts()).toHaveLength(2);
  expect(within(screen.getByRole('list', { name: 'Use cases' })).queryByRole('button')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Add a use case' })).toBeNull();
  expect(forbidden(sent, 'support')).toEqual([]);
});

/** Opens the dialog that edits these nodes. */
async function edits(nodes: InventoryNode[]) {
  for (const { Ip } of nodes) await userEvent.click(await screen.findByRole('checkbox', { name: new RegExp(Ip) }));
  const bar = within(screen.getByRole('toolbar'));
  await userEvent.click(bar.queryByRole('button', { name: 'Edit' }) ?? bar.getByRole('button', { name: 'Actions' }));
  const item = screen.queryByRole('menuitem', { name: 'Edit' });
  if (item) await userEvent.click(item);
  return within(await screen.findByRole('dialog'));
}

test('nodes get a use case and lose another', async () => {
  const nodes = [node(1, { Targets: ['shops'] }), node(2, { Targets: ['shops', 'prices'] })];
  const { sent } = opens([SHOPS, PRICES, FARES], {
    nodes,
    address: at,
    change: { 'Operator/EditNodes': { Data: { Changed: 2, Failed: [] } } },
  });
  const dialog = await edits(nodes);
  const save = dialog.getByRole('button', { name: 'Save changes' });
  const choice = (name: string) => within(dialog.getByRole('group', { name }));
  expect(dialog.getByText('2 of 2 have it')).toBeVisible();
  expect(dialog.getByText('1 of 2 has it')).toBeVisible();
  expect(choice('Shops').getByRole('radio', { name: 'Keep' })).toBeChecked();
  expect(save).toBeDisabled();
  await userEvent.click(choice('Shops').getByRole('radio', { name: 'Remove' }));
  expect(save).toBeEnabled();
  await userEvent.click(choice('Shops').getByRole('radio', { name: 'Keep' }));
  expect(save).toBeDisabled();
  await userEvent.click(choice('Shops').getByRole('radio', { name: 'Remove' }));
  await userEvent.click(choice('Air fares').getByRole('radio', { name: 'Add' }));
  await userEvent.click(save);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(last(sent, 'Operator/EditNodes')).toEqual({
    NodeIds: [1, 2],
    AddTargets: ['fares'],
    RemoveTargets: ['shops'],
  });
  // The numbers of nodes have changed.
  await waitFor(() => expect(calls(sent, 'Operator/GetUseCaseList')).toHaveLength(2));
});

test('for one node it says whether it has it, and shows what the server refuses', async () => {
  const Fields = { AddTargets: [{ Rule: 'unknownTarget', Params: { Value: 'prices' } }] };
  const { sent } = opens([SHOPS, PRICES], {
    nodes: [node(1, { Targets: ['shops'] })],
    address: at,
    change: { 'Operator/EditNodes': { Code: 2001, Message: '', Data: { Fields } } },
  });
  const dialog = await acts('198.51.100.1', 'Edit');
  expect(dialog.getByText('Has it')).toBeVisible();
  expect(dialog.getByText('Does not have it')).toBeVisible();
  const prices = within(dialog.getByRole('group', { name: 'Price monitoring' }));
  await userEvent.click(prices.getByRole('radio', { name: 'Add' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Save changes' }));
  expect(await dialog.findByText('There is no use case “prices”')).toBeVisible();
  expect(last(sent, 'Operator/EditNodes')).toEqual({ NodeIds: [1], AddTargets: ['prices'] });
});

test('a shop without use cases has no choice and no filter of them', async () => {
  const { sent } = opens([], { nodes: [node(1)], address: at });
  const dialog = await acts('198.51.100.1', 'Edit');
  await waitFor(() => expect(calls(sent, 'Operator/GetUseCaseList')).not.toEqual([]));
  expect(dialog.queryByRole('radio')).toBeNull();
  expect(screen.queryByLabelText('Use case')).toBeNull();
});

test('the nodes are filtered by a use case, and rows in stock name theirs in the shop’s order', async () => {
  const { sent, addressNow } = opens([SHOPS, PRICES], {
    nodes: [node(1, { Targets: ['prices', 'shops'] }), node(2, { ...OWNED, Targets: ['shops'] })],
    address: at,
  });
  const [inStock, owned] = (await screen.findAllByRole('listitem')).map((row) => within(row));
  expect(await inStock?.findByText('Shops · Price monitoring')).toBeVisible();
  expect(owned?.queryByText('Shops')).toBeNull();
  await userEvent.selectOptions(screen.getByLabelText('Use case'), 'Price monitoring');
  await waitFor(() => expect(last(sent, 'Operator/GetInventory')?.Filter).toEqual({ Target: 'prices' }));
  expect(addressNow()).toBe(`${at}?Target=prices`);
});

test('a deleted use case in the address can be taken out of the filter', async () => {
  const { addressNow } = opens([], { address: `${at}?Target=gone` });
  expect(await screen.findByLabelText('Use case')).toHaveValue('gone');
  await userEvent.selectOptions(screen.getByLabelText('Use case'), 'All use cases');
  await waitFor(() => expect(addressNow()).toBe(at));
});
