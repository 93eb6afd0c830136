// The inventory: list and filters, the stock, and nodes taken off sale, put back and edited.
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import type { InventoryNode } from '@/api/inventory';
import { onPhone, renderScreen } from '@/test/render';
import { answerWith } from '@/test/server';
import { forbidden, signInAs } from '@/test/staff';
import { saveFile } from '@/ui/saveFile';
import { showToast } from '@/ui/toast';
import { last, node, OWNED, replies, shelf } from './fixtures';
import { InventoryPage } from './InventoryPage';

beforeEach(() => {
  onPhone();
  signInAs('operator');
});

const at = '/operator/inventory';
const RETIRED = { Changed: 1, Failed: [{ NodeId: 2, Ip: '198.51.100.2', State: 'assigned' }] };

/** Chooses an action of a row's menu, and returns its dialog. */
const acts = async (ip: string, action: string) => {
  await userEvent.click(await screen.findByRole('button', { name: `Actions for ${ip}` }));
  await userEvent.click(await screen.findByRole('menuitem', { name: action }));
  return within(await screen.findByRole('dialog'));
};
/** Ticks these rows and chooses an action of their bar. */
const actsOnMany = async (rows: InventoryNode[], action: string) => {
  for (const { Ip } of rows) await userEvent.click(await screen.findByRole('checkbox', { name: new RegExp(Ip) }));
  const bar = within(screen.getByRole('toolbar'));
  const button = bar.queryByRole('button', { name: action });
  if (button) await userEvent.click(button);
  else {
    await userEvent.click(bar.getByRole('button', { name: 'Actions' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: action }));
  }
  return within(await screen.findByRole('dialog'));
};

test('an empty inventory leads to the import', async () => {
  answerWith(replies());
  renderScreen(<InventoryPage />, at);
  expect(await screen.findByText('No static proxies yet')).toBeVisible();
  expect(screen.getAllByRole('button', { name: 'Import' })).toHaveLength(2);
});

test('a row has state, plan, city, supplier and owner', async () => {
  answerWith(replies(node(1, OWNED), node(2)));
  renderScreen(<InventoryPage />, at);
  const [owned, inStock] = (await screen.findAllByRole('listitem')).map((row) => within(row));
  expect(owned?.getByText('With customer')).toBeVisible();
  expect(await owned?.findByText('Regular · Northlight')).toBeVisible();
  expect(owned?.getByText('New York, United States')).toBeVisible();
  expect(owned?.getByRole('link', { name: 'ann@example.com' })).toHaveAttribute('href', '/operator/accounts/7');
  expect(owned?.getByRole('link', { name: 'Acme' })).toHaveAttribute('href', '/operator/inventory?Supplier=Acme');
  expect(inStock?.getByText('In stock')).toBeVisible();
  expect(inStock?.queryByText('ann@example.com')).toBeNull();
});

test('filters are in the address, and the file has the same', async () => {
  const sent = answerWith({
    ...replies(node(1)),
    'Operator/ExportInventory': { file: 'inventory.csv', text: 'ip\r\n' },
  });
  const { addressNow } = renderScreen(<InventoryPage />, `${at}?AccountId=7&Supplier=Acme&State=lost`);
  await screen.findByText('198.51.100.1');
  await userEvent.selectOptions(screen.getByLabelText('State'), 'available');
  await userEvent.selectOptions(await screen.findByLabelText('Proxy server'), 'gate-1');
  await screen.findByRole('option', { name: 'Dedicated' });
  await userEvent.selectOptions(screen.getByLabelText('Plan'), 'Dedicated');
  await userEvent.selectOptions(screen.getByLabelText('Country'), 'US');
  await userEvent.selectOptions(screen.getByLabelText('City'), 'New York');
  await userEvent.type(screen.getByRole('searchbox'), '198.51');
  const asked = {
    Search: '198.51',
    Filter: {
      State: 'available',
      VerStr: 'dedicated',
      Country: 'US',
      City: 'new-york',
      Supplier: 'Acme',
      ServerId: 4,
      AccountId: 7,
    },
  };
  await waitFor(() => expect(last(sent, 'Operator/GetInventory')).toMatchObject(asked));
  await userEvent.click(screen.getByRole('button', { name: 'Export CSV' }));
  await waitFor(() => expect(saveFile).toHaveBeenCalledOnce());
  expect(last(sent, 'Operator/ExportInventory')).toMatchObject(asked);
  await userEvent.click(screen.getByRole('button', { name: 'Account 7' }));
  await userEvent.click(screen.getByRole('button', { name: 'Supplier Acme' }));
  await waitFor(() => expect(addressNow()).not.toMatch(/AccountId|Supplier/));
  await userEvent.selectOptions(screen.getByLabelText('Country'), 'DE');
  await waitFor(() => expect(last(sent, 'Operator/GetInventory')?.Filter).toMatchObject({ Country: 'DE' }));
  expect(last(sent, 'Operator/GetInventory')?.Filter).not.toHaveProperty('City');
});

test('what the address has instead of a state or a number is no filter', async () => {
  const sent = answerWith(replies(node(1)));
  renderScreen(<InventoryPage />, `${at}?State=lost&AccountId=seven&City=new-york`);
  await screen.findByText('198.51.100.1');
  expect(last(sent, 'Operator/GetInventory')?.Filter).toEqual({});
});

test('the stock warns where it is short, and leads to the nodes of a city', async () => {
  answerWith({
    ...replies(),
    'Operator/GetStock': {
      Data: [
        shelf({ Available: 0, DaysLeft: 0 }),
        shelf({ City: 'frankfurt', CityNameEn: 'Frankfurt', Country: 'DE', CountryNameEn: 'Germany', DaysLeft: 6 }),
        shelf({ VerStr: 'dedicated', Sold: 0, DaysLeft: null }),
        shelf({ City: 'miami', CityNameEn: 'Miami', DaysLeft: 7 }),
      ],
    },
  });
  const { addressNow } = renderScreen(<InventoryPage />, `${at}?view=stock`);
  const rows = (await screen.findAllByRole('listitem')).map((row) => row);
  expect(within(rows[0] as HTMLElement).getByText('Out of stock')).toHaveAttribute('data-tone', 'bad');
  expect(within(rows[1] as HTMLElement).getByText('6 days')).toHaveAttribute('data-tone', 'warn');
  expect(within(rows[2] as HTMLElement).getByText('No sales')).toBeVisible();
  expect(within(rows[3] as HTMLElement).getByText('7 days')).not.toHaveAttribute('data-tone');
  expect(within(rows[3] as HTMLElement).getByText('Sold in 30 days: 6')).toBeVisible();
  await userEvent.type(screen.getByRole('searchbox'), 'germ');
  await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(1));
  await userEvent.clear(screen.getByRole('searchbox'));
  await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(4));
  await userEvent.selectOptions(screen.getByLabelText('Sort by'), 'DaysLeft desc');
  await waitFor(() => expect(screen.getAllByRole('listitem')[0]).toHaveTextContent('No sales'));
  await userEvent.selectOptions(screen.getByLabelText('Plan'), 'Dedicated');
  await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(1));
  await userEvent.click(screen.getByRole('link', { name: 'New York, United States' }));
  expect(addressNow()).toBe('/operator/inventory?VerStr=dedicated&Country=US&City=new-york');
});

test('the view is in the address, without the filters of the other', async () => {
  answerWith(replies(node(1)));
  const { addressNow } = renderScreen(<InventoryPage />, `${at}?State=available`);
  await userEvent.click(screen.getByRole('radio', { name: 'Stock' }));
  expect(await screen.findByText('60 days')).toBeVisible();
  expect(addressNow()).toBe(`${at}?view=stock`);
  expect(screen.queryByRole('button', { name: 'Export CSV' })).toBeNull();
});

test('several are taken off sale after a question, and the toast says which stay', async () => {
  const rows = [node(1), node(2, OWNED)];
  const sent = answerWith({ ...replies(...rows), 'Operator/RetireNodes': { Data: RETIRED } });
  renderScreen(<InventoryPage />, at);
  const dialog = await actsOnMany(rows, 'Take off sale');
  expect(dialog.getByRole('heading', { name: 'Take 2 static proxies off sale?' })).toBeVisible();
  expect(dialog.getByText(/put them back on sale at any time/)).toBeVisible();
  expect(dialog.getAllByRole('definition').map((one) => one.textContent)).toEqual(['1', '1']);
  expect(last(sent, 'Operator/RetireNodes')).toBeUndefined();
  await userEvent.click(dialog.getByRole('button', { name: 'Take off sale' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(last(sent, 'Operator/RetireNodes')).toEqual({ NodeIds: [1, 2] });
  expect(showToast).toHaveBeenCalledWith('1 static proxy was taken off sale. 1 stays as it is.', 'warning');
  expect(screen.queryByRole('toolbar')).toBeNull();
});

test('one that is off sale is put back', async () => {
  const sent = answerWith({
    ...replies(node(1, { State: 'retired' })),
    'Operator/RestoreNodes': { Data: { Changed: 1, Failed: [] } },
  });
  renderScreen(<InventoryPage />, at);
  const dialog = await acts('198.51.100.1', 'Put back on sale');
  expect(dialog.getByRole('heading', { name: 'Put 198.51.100.1 back on sale?' })).toBeVisible();
  await userEvent.click(dialog.getByRole('button', { name: 'Put back on sale' }));
  await waitFor(() => expect(last(sent, 'Operator/RestoreNodes')).toEqual({ NodeIds: [1] }));
  expect(showToast).toHaveBeenCalledWith('1 static proxy is on sale again.', 'success');
});

test('more than can be changed at a time are refused in the dialog', async () => {
  const Fields = { NodeIds: [{ Rule: 'tooManyNodes', Params: { Max: '1000' } }] };
  answerWith({ ...replies(node(1)), 'Operator/RetireNodes': { Code: 2001, Message: '', Data: { Fields } } });
  renderScreen(<InventoryPage />, at);
  const dialog = await acts('198.51.100.1', 'Take off sale');
  await userEvent.click(dialog.getByRole('button', { name: 'Take off sale' }));
  expect(await dialog.findByText('Choose at most 1,000 IPs at a time')).toBeVisible();
});

test('a row offers what its state allows', async () => {
  answerWith(replies(node(1, OWNED), node(2), node(3, { State: 'retired' })));
  renderScreen(<InventoryPage />, at);
  const offered = async (ip: string) => {
    await userEvent.click(await screen.findByRole('button', { name: `Actions for ${ip}` }));
    const items = (await screen.findAllByRole('menuitem')).map((item) => item.textContent);
    await userEvent.keyboard('{Escape}');
    return items;
  };
  expect(await offered('198.51.100.1')).toEqual(['Edit', 'Replace']);
  expect(await offered('198.51.100.2')).toEqual(['Edit', 'Take off sale']);
  expect(await offered('198.51.100.3')).toEqual(['Edit', 'Put back on sale']);
});

test('fields left empty stay as they are, and the server refuses at the field', async () => {
  const Fields = { City: [{ Rule: 'unknownCity', Params: { Value: 'Atlantis' } }] };
  const answers = [{ Code: 2001, Message: '', Data: { Fields } }, { Data: { Changed: 2, Failed: [] } }];
  const rows = [node(1, OWNED), node(2, { Isp: 'Other' })];
  const sent = answerWith({ ...replies(...rows), 'Operator/EditNodes': () => answers.shift() ?? 'network' });
  renderScreen(<InventoryPage />, at);
  const dialog = await actsOnMany(rows, 'Edit');
  expect(dialog.getByRole('heading', { name: 'Edit 2 static proxies' })).toBeVisible();
  const save = dialog.getByRole('button', { name: 'Save changes' });
  expect(save).toBeDisabled();
  expect(dialog.getByLabelText('HTTP port')).toHaveAttribute('placeholder', '8000');
  expect(dialog.getByLabelText('ISP')).toHaveAttribute('placeholder', 'Different values');
  expect(dialog.getByText(/1 of them is with a customer/)).toBeVisible();
  await userEvent.type(dialog.getByLabelText('Country'), 'US');
  await userEvent.type(dialog.getByLabelText('City'), 'Atlantis');
  await userEvent.click(save);
  await waitFor(() => expect(dialog.getByLabelText('City')).toHaveAccessibleDescription(/Atlantis/));
  expect(dialog.getByLabelText('City')).toHaveValue('Atlantis');
  await userEvent.clear(dialog.getByLabelText('City'));
  await userEvent.clear(dialog.getByLabelText('Country'));
  await userEvent.type(dialog.getByLabelText('ISP'), 'Southlight');
  await userEvent.click(save);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(last(sent, 'Operator/EditNodes')).toEqual({ NodeIds: [1, 2], Isp: 'Southlight' });
  expect(showToast).toHaveBeenCalledWith('2 static proxies were changed.', 'success');
});

test('support replaces a faulty IP of a customer, and changes nothing else', async () => {
  signInAs('support');
  const sent = answerWith(replies(node(1, OWNED), node(2)));
  renderScreen(<InventoryPage />, at);
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for 198.51.100.1' }));
  expect((await screen.findAllByRole('menuitem')).map((item) => item.textContent)).toEqual(['Replace']);
  await userEvent.keyboard('{Escape}');
  await screen.findByLabelText('Proxy server');
  for (const name of ['Actions for 198.51.100.2', 'Import', 'Export CSV'])
    expect(screen.queryByRole('button', { name })).toBeNull();
  expect(screen.queryByRole('checkbox')).toBeNull();
  expect(forbidden(sent, 'support')).toEqual([]);
});

test('without the right to import, an empty inventory only says that it is empty', async () => {
  signInAs('support');
  answerWith(replies());
  renderScreen(<InventoryPage />, at);
  expect(await screen.findByText('No static proxies yet')).toBeVisible();
  expect(screen.queryByText(/Import a CSV file/)).toBeNull();
  expect(screen.queryByRole('button', { name: 'Import' })).toBeNull();
});
