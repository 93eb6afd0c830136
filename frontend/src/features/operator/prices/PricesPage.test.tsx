// Prices for operators: tables, changes now and later, removals, what customers will see, and planned changes.
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { beforeEach, expect, test } from 'vitest';
import { useUserStore } from '@/stores/user';
import { showToast } from '@/ui/toast';
import { fieldOnWire } from '@/ui/wireTime';
import { priceForm } from './changes';
import { catalogue, planned, priceList, REGULAR, signedInAs, traffic } from './fixtures';
import { cellsOf, changes, opened, opens, submits } from './pricesPage.helpers';

const LATER = '2099-01-01 00:00';

beforeEach(() => {
  useUserStore.setState({ info: signedInAs('operator') });
});

test('plans, periods and volume discounts are listed', async () => {
  opens();
  await screen.findByRole('table', { name: 'Plans' });
  expect(cellsOf('Plans', /^Regular/)[0]).toBe('$5.00');
  expect(cellsOf('Periods', /^30 days/)[0]).toBe('no discount');
  expect(cellsOf('Periods', /^90 days/)[0]).toBe('−5%');
  expect(cellsOf('Volume discounts', /^From 20 IPs/)[0]).toBe('−10%');
  expect(screen.getByText(/^No changes are planned/)).toBeVisible();
  // There is no other time to look at.
  expect(screen.queryByLabelText('Prices at')).toBeNull();
});

test('a shop without volume discounts says so', async () => {
  opens(priceList([], { Catalogue: catalogue({ QuantitySteps: [] }) }));
  expect(await screen.findByText('There is no volume discount.')).toBeVisible();
});

test('a failed load can be repeated', async () => {
  let isDown = true;
  opens(priceList(), {
    'Operator/GetPrices': () => (isDown ? { Code: 5000, Message: 'No', status: 500 } : { Data: priceList() }),
  });
  const retry = await screen.findByRole('button', { name: 'Try again' });
  isDown = false;
  await userEvent.click(retry);
  expect(await screen.findByRole('table', { name: 'Plans' })).toBeVisible();
});

test('a price is changed now, under one key, and the table shows the new one', async () => {
  const Tiers = [{ ...catalogue().Tiers[0], Price: '5.50' }, catalogue().Tiers[1]];
  let list = priceList();
  const { sent } = opens(list, {
    'Operator/GetPrices': () => ({ Data: list }),
    'Operator/ChangePrice': () => {
      list = priceList([], { Catalogue: catalogue({ Tiers }) });
      return { Data: list };
    },
  });
  const dialog = await opened('Edit: Regular');
  const price = dialog.getByLabelText('Price in USD');
  expect(price).toHaveValue('5.00');
  expect(price).toHaveAccessibleDescription('Now: $5.00');
  await userEvent.clear(price);
  await submits(dialog, 'Save');
  expect(price).toHaveAccessibleDescription(/required/i);
  await userEvent.type(price, ' 5.50 ');
  await submits(dialog, 'Save');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(changes(sent).map(({ body }) => body)).toEqual([{ Action: 'set_tier', VerStr: REGULAR, Price: '5.50' }]);
  expect(changes(sent)[0]?.headers['Idempotency-Key']).toMatch(/^\w{32}$/);
  expect(showToast).toHaveBeenCalledWith('The price is changed', 'success');
  expect(cellsOf('Plans', /^Regular/)[0]).toBe('$5.50');
});

test('a change for later needs a time in the future, and never counts from now without one', async () => {
  const { sent } = opens();
  const dialog = await opened('Edit: 90 days');
  const discount = dialog.getByLabelText('Discount in percent');
  expect(discount).toHaveValue('5');
  await userEvent.clear(discount);
  await userEvent.type(discount, '7.5');
  await userEvent.click(dialog.getByRole('radio', { name: /^A later time/ }));
  await submits(dialog, 'Plan this change');
  const time = dialog.getByLabelText('Date and time');
  expect(time).toHaveAccessibleDescription(/required/i);
  await userEvent.type(time, '2020-01-01 00:00');
  await submits(dialog, 'Plan this change');
  await waitFor(() => expect(time).toHaveAccessibleDescription('Choose a time in the future'));
  expect(changes(sent)).toEqual([]);
  await userEvent.clear(time);
  await userEvent.type(time, LATER);
  await submits(dialog, 'Plan this change');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(changes(sent)[0]?.body).toEqual({
    Action: 'set_period',
    Days: '90',
    Discount: '7.5',
    ValidFrom: fieldOnWire(LATER),
  });
  expect(showToast).toHaveBeenCalledWith(`The change is planned for ${LATER}`, 'success');
});

test('a change for later is held against the prices of that time', async () => {
  const then = priceList([], { Catalogue: catalogue({ Periods: [{ PeriodDays: 90, DiscountBasisPoints: 800 }] }) });
  const { sent } = opens(priceList(), { 'Operator/GetPrices': ({ body }) => ({ Data: body.At ? then : priceList() }) });
  const edit = await opened('Edit: 90 days');
  await userEvent.click(edit.getByRole('radio', { name: /^A later time/ }));
  await userEvent.type(edit.getByLabelText('Date and time'), LATER);
  await waitFor(() =>
    expect(edit.getByLabelText('Discount in percent')).toHaveAccessibleDescription('Until then: −8%'),
  );
  await submits(edit, 'Cancel');
  const remove = await opened('Remove: 90 days');
  await userEvent.click(remove.getByRole('radio', { name: /^A later time/ }));
  await userEvent.type(remove.getByLabelText('Date and time'), LATER);
  await submits(remove, 'Plan this removal');
  expect(await remove.findByText(/This is the last one/)).toBeVisible();
  expect(changes(sent)).toEqual([]);
});

test('a period is added; mistakes stand at their fields', async () => {
  const { sent } = opens();
  const dialog = await opened('Add period');
  await userEvent.type(dialog.getByLabelText('Period in days'), '0');
  await userEvent.type(dialog.getByLabelText('Discount in percent'), '91');
  await submits(dialog, 'Save');
  expect(dialog.getByLabelText('Period in days')).toHaveAccessibleDescription(/whole number from 1 to 3,650/);
  expect(dialog.getByLabelText('Discount in percent')).toHaveAccessibleDescription(/from 0 to 90%/);
  await userEvent.clear(dialog.getByLabelText('Period in days'));
  await userEvent.type(dialog.getByLabelText('Period in days'), '180');
  await userEvent.clear(dialog.getByLabelText('Discount in percent'));
  await userEvent.type(dialog.getByLabelText('Discount in percent'), '12.5');
  await submits(dialog, 'Save');
  await waitFor(() => expect(changes(sent)).toHaveLength(1));
  expect(changes(sent)[0]?.body).toMatchObject({ Action: 'set_period', Days: '180', Discount: '12.5' });
});

test('adding a period that exists shows its discount', async () => {
  opens();
  const dialog = await opened('Add period');
  await userEvent.type(dialog.getByLabelText('Period in days'), '90');
  expect(dialog.getByLabelText('Discount in percent')).toHaveAccessibleDescription('Now: −5%');
});

test('a period with which IPs renew is not removed, and the dialog says why', async () => {
  const Fields = { Days: [{ Rule: 'periodRenews', Params: { Count: '12' } }] };
  const { sent } = opens(priceList(), {
    'Operator/ChangePrice': { Code: 2002, Message: 'Invalid', Data: { Fields } },
  });
  const dialog = await opened('Remove: 90 days');
  expect(dialog.getByText(/can no longer buy or renew/)).toBeVisible();
  expect(dialog.getByText(/add it again at any time/)).toBeVisible();
  await submits(dialog, 'Remove');
  expect(await dialog.findByText('IPs that renew automatically for this period: 12')).toBeVisible();
  expect(changes(sent)[0]?.body).toEqual({ Action: 'remove_period', Days: '90' });
});

test('the last period is not even sent', async () => {
  const { sent } = opens(
    priceList([], { Catalogue: catalogue({ Periods: [{ PeriodDays: 30, DiscountBasisPoints: 0 }] }) }),
  );
  const dialog = await opened('Remove: 30 days');
  await submits(dialog, 'Remove');
  expect(await dialog.findByText(/This is the last one/)).toBeVisible();
  expect(changes(sent)).toEqual([]);
});

test('traffic has its own view, in the address, with a price to add', async () => {
  const { sent, addressNow } = opens();
  await userEvent.click(await screen.findByRole('radio', { name: 'Residential traffic' }));
  expect(addressNow()).toBe('/?view=traffic');
  expect(cellsOf('30 days', /^From 50 GB/)[0]).toBe('$3.00');
  expect(cellsOf('Never expires', /^From 10 GB/)[0]).toBe('$4.00');
  expect(screen.getByRole('button', { name: 'Edit: Never expires, from 10 GB' })).toBeVisible();
  const dialog = await opened('Add traffic price');
  await userEvent.type(dialog.getByLabelText('Validity in days'), '90');
  await userEvent.type(dialog.getByLabelText('From this many GB'), '5');
  await userEvent.type(dialog.getByLabelText('Price per GB in USD'), '2.80');
  await submits(dialog, 'Save');
  await waitFor(() => expect(changes(sent)).toHaveLength(1));
  expect(changes(sent)[0]?.body).toMatchObject({
    Action: 'set_traffic',
    Period: '90',
    FromGb: '5',
    Price: '2.80',
  });
});

test('without traffic prices, the view says so', async () => {
  opens(priceList([], { Traffic: traffic({ Offers: [] }) }), {}, '/?view=traffic');
  expect(await screen.findByText('Traffic is not on sale')).toBeVisible();
});

test('the preview has totals by the customers’ rules, and marks what will differ', async () => {
  const Tiers = [{ ...catalogue().Tiers[0], Price: '6.00' }, catalogue().Tiers[1]];
  const then = priceList([planned(1)], { Catalogue: catalogue({ Tiers }) });
  const { sent } = opens(priceList([planned(1)]), {
    'Operator/GetPrices': ({ body }) => ({ Data: body.At ? then : priceList([planned(1)]) }),
  });
  await screen.findByRole('table', { name: 'As a customer will see it' });
  const regular = () =>
    within(screen.getByRole('table', { name: 'As a customer will see it' }))
      .getAllByRole('row', { name: /^(30|90) days/ })
      .slice(0, 2)
      .map((row) =>
        within(row)
          .getAllByRole('cell')
          .map((cell) => cell.textContent),
      );
  expect(regular()).toEqual([
    ['$5.00', '$90.00'],
    ['$14.25', '$256.50'],
  ]);
  const time = await screen.findByRole('option', { name: /^From 2027-01-01/ });
  await userEvent.selectOptions(screen.getByLabelText('Prices at'), time);
  await waitFor(() => expect(regular()[0]).toEqual(['$6.00 today $5.00', '$108.00 today $90.00']));
  const at = sent.findLast((one) => one.call === 'Operator/GetPrices')?.body.At;
  // The wire has the server's time, whatever the browser's zone.
  expect(at).toBe('2027-01-01 00:00:00');
  const dedicated = within(screen.getByRole('table', { name: 'As a customer will see it' })).getAllByRole('row', {
    name: /^30 days/,
  })[1];
  expect(dedicated).not.toHaveTextContent('today');
});

test('a period that will be removed is not offered then', async () => {
  const change = planned(1, { Form: priceForm('remove_period', { Days: '90' }) });
  const then = priceList([change], { Catalogue: catalogue({ Periods: [{ PeriodDays: 30, DiscountBasisPoints: 0 }] }) });
  opens(priceList([change]), { 'Operator/GetPrices': ({ body }) => ({ Data: body.At ? then : priceList([change]) }) });
  await userEvent.selectOptions(
    await screen.findByLabelText('Prices at'),
    await screen.findByRole('option', { name: /^From 2027/ }),
  );
  await waitFor(() =>
    expect(
      within(screen.getByRole('table', { name: 'As a customer will see it' })).getAllByRole('row', {
        name: /^90 days/,
      })[0],
    ).toHaveTextContent('not offered today $14.25'),
  );
});

test('planned changes are told in words, one after the other, and one is cancelled', async () => {
  let list = priceList([
    planned(1),
    planned(2, { Form: priceForm('set_tier', { VerStr: REGULAR, Price: '7.5' }), ValidFrom: '2027-02-01 00:00:00' }),
    planned(3, { Form: priceForm('remove_step', { Min: '20' }), ValidFrom: '2027-03-01 00:00:00' }),
    planned(4, { Form: priceForm('set_period', { Days: '180', Discount: '10' }), IsPossible: false }),
  ]);
  const { sent } = opens(list, {
    'Operator/GetPrices': () => ({ Data: list }),
    'Operator/CancelPriceChange': () => {
      list = priceList();
      return { Data: list };
    },
  });
  const rows = within(await screen.findByRole('list', { name: 'Planned changes' })).getAllByRole('listitem');
  expect(rows[0]).toHaveTextContent('Regular: $5.00 →changed to $6.00');
  expect(rows[0]).toHaveTextContent('by boss@example.com');
  expect(rows[1]).toHaveTextContent('Regular: $6.00 →changed to $7.50');
  expect(rows[2]).toHaveTextContent('From 20 IPs: −10% →changed to not offered');
  expect(rows[3]).toHaveTextContent('180 days: not offered →changed to −10%');
  expect(rows[3]).toHaveTextContent('Not possible');
  expect(rows[3]).toHaveTextContent('it will be skipped');
  await userEvent.click(within(rows[0] as HTMLElement).getByRole('button', { name: /^Cancel: Regular/ }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText(/^Regular: /)).toHaveTextContent('$5.00 →changed to $6.00');
  await submits(dialog, 'Cancel the change');
  expect(await screen.findByText(/^No changes are planned/)).toBeVisible();
  expect(sent.find((one) => one.call === 'Operator/CancelPriceChange')?.body).toEqual({ PlanId: 1 });
  expect(showToast).toHaveBeenCalledWith('The planned change is cancelled', 'success');
});

const half = () => {
  const [regular, dedicated] = catalogue().Tiers;
  return catalogue({ Tiers: [regular, { ...dedicated, IsSold: false }] });
};

test('plans show whether they are on sale; one is paused now, and sold again', async () => {
  let list = priceList([], { Catalogue: half() });
  const { sent } = opens(list, {
    'Operator/GetPrices': () => ({ Data: list }),
    'Operator/ChangePrice': ({ body }) => {
      const Tiers = half().Tiers.map((tier: { VerStr: string; IsSold: boolean }) =>
        tier.VerStr === body.VerStr ? { ...tier, IsSold: body.Action === 'sell_tier' } : tier,
      );
      list = priceList([], { Catalogue: catalogue({ Tiers }) });
      return { Data: list };
    },
  });
  expect(await screen.findByRole('row', { name: /^Regular On sale \$5\.00/ })).toBeVisible();
  expect(screen.getByRole('row', { name: /^Dedicated Not on sale \$14\.00/ })).toBeVisible();
  expect(screen.queryByText(/^Nothing is on sale/)).toBeNull();
  const pause = await opened('Pause Regular');
  expect(pause.getByRole('heading', { name: 'Pause Regular' })).toBeVisible();
  expect(pause.getByText(/goes on, and is renewed and switched/)).toBeVisible();
  await submits(pause, 'Pause');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(showToast).toHaveBeenCalledWith('Regular is no longer on sale', 'success');
  expect(screen.getByRole('row', { name: /^Regular Not on sale \$5/ })).toBeVisible();
  // Traffic still is.
  expect(screen.queryByText(/^Nothing is on sale/)).toBeNull();
  const sell = await opened('Sell Regular');
  expect(sell.getByText(/list price: \$5\.00 per IP and 30 days/)).toBeVisible();
  await submits(sell, 'Sell');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(showToast).toHaveBeenCalledWith('Regular is on sale', 'success');
  expect(changes(sent).map(({ body }) => body)).toEqual([
    { Action: 'pause_tier', VerStr: REGULAR },
    { Action: 'sell_tier', VerStr: REGULAR },
  ]);
});

test('a pause is planned for later', async () => {
  const { sent } = opens();
  const dialog = await opened('Pause Regular');
  await userEvent.click(dialog.getByRole('radio', { name: /^A later time/ }));
  await submits(dialog, 'Plan this change');
  const time = dialog.getByLabelText('Date and time');
  expect(time).toHaveAccessibleDescription(/required/i);
  await userEvent.type(time, LATER);
  await submits(dialog, 'Plan this change');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(changes(sent)[0]?.body).toEqual({ Action: 'pause_tier', VerStr: REGULAR, ValidFrom: fieldOnWire(LATER) });
});

test('the server’s refusal of a sale stands in its dialog', async () => {
  const Fields = { VerStr: [{ Rule: 'noSuchPrice', Params: { Value: REGULAR } }] };
  opens(priceList(), { 'Operator/ChangePrice': { Code: 2002, Message: 'Invalid', Data: { Fields } } });
  const dialog = await opened('Pause Regular');
  await submits(dialog, 'Pause');
  expect(await dialog.findByRole('alert')).toHaveTextContent(REGULAR);
});

test('planned sales and pauses are told in words, beside planned prices of the same plan', async () => {
  const at = (month: string) => `2027-${month}-01 00:00:00`;
  opens(
    priceList([
      planned(1, { Form: priceForm('pause_tier', { VerStr: REGULAR }) }),
      planned(2, { ValidFrom: at('02') }),
      planned(3, { Form: priceForm('sell_tier', { VerStr: REGULAR }), ValidFrom: at('03') }),
    ]),
  );
  const rows = within(await screen.findByRole('list', { name: 'Planned changes' })).getAllByRole('listitem');
  expect(rows[0]).toHaveTextContent('Pause Regular: On sale →changed to Not on sale');
  expect(rows[1]).toHaveTextContent('Regular: $5.00 →changed to $6.00');
  expect(rows[2]).toHaveTextContent('Sell Regular: Not on sale →changed to On sale');
  expect(within(rows[0] as HTMLElement).getByRole('button', { name: /^Cancel: Pause Regular/ })).toBeVisible();
});

test('the preview has no prices of a plan that is not on sale, and marks one that will be or no longer is', async () => {
  const now = priceList([planned(1)], { Catalogue: half() });
  const Tiers = half().Tiers.map((tier: { IsSold: boolean }) => ({ ...tier, IsSold: !tier.IsSold }));
  const then = priceList([planned(1)], { Catalogue: catalogue({ Tiers }) });
  opens(now, { 'Operator/GetPrices': ({ body }) => ({ Data: body.At ? then : now }) });
  const preview = () => within(screen.getByRole('table', { name: 'As a customer will see it' }));
  const prices = () =>
    preview()
      .getAllByRole('cell')
      .map((cell) => cell.textContent);
  await screen.findByRole('table', { name: 'As a customer will see it' });
  expect(preview().getByRole('row', { name: 'Regular On sale' })).toBeVisible();
  expect(preview().getByRole('row', { name: 'Dedicated Not on sale' })).toBeVisible();
  expect(prices()).toEqual(['$5.00', '$90.00', '$14.25', '$256.50']);
  await userEvent.selectOptions(screen.getByLabelText('Prices at'), screen.getByRole('option', { name: /^From 2027/ }));
  expect(await screen.findByRole('row', { name: /^Regular Not on sale today ?On sale$/ })).toBeVisible();
  expect(preview().getByRole('row', { name: /^Dedicated On sale today ?Not on sale$/ })).toBeVisible();
  expect(prices()).toEqual(['$14.00', '$252.00', '$39.90', '$718.20']);
});

test('a shop that sells nothing says so above all prices', async () => {
  const Tiers = catalogue().Tiers.map((tier) => ({ ...tier, IsSold: false }));
  const nothing = { Catalogue: catalogue({ Tiers }), Traffic: traffic({ Offers: [] }) };
  opens(priceList([], nothing));
  expect(await screen.findByText(/^Nothing is on sale, so customers cannot order anything yet/)).toBeVisible();
  await userEvent.click(screen.getByRole('radio', { name: 'Residential traffic' }));
  expect(screen.getByText(/^Nothing is on sale/)).toBeVisible();
  expect(screen.getByText(/once the shop has a residential proxy server/)).toBeVisible();
});

test('the last traffic price is removed, and traffic is then not on sale', async () => {
  const Offers = [{ PeriodDays: 30, Steps: [{ MinGigabytes: 1, Price: '3.50' }] }];
  let list = priceList([], { Traffic: traffic({ Offers }) });
  const { sent } = opens(
    list,
    {
      'Operator/GetPrices': () => ({ Data: list }),
      'Operator/ChangePrice': () => {
        list = priceList([], { Traffic: traffic({ Offers: [] }) });
        return { Data: list };
      },
    },
    '/?view=traffic',
  );
  expect(await screen.findByText(/while the shop has a residential proxy server/)).toBeVisible();
  const dialog = await opened('Remove: 30 days, from 1 GB');
  expect(dialog.getByText(/^This is the last price/)).toBeVisible();
  await submits(dialog, 'Remove');
  expect(await screen.findByText('Traffic is not on sale')).toBeVisible();
  expect(changes(sent)[0]?.body).toEqual({ Action: 'remove_traffic', Period: '30', FromGb: '1' });
});

test('another traffic price than the last is removed with the text about the next step', async () => {
  opens(priceList(), {}, '/?view=traffic');
  const dialog = await opened('Remove: 30 days, from 50 GB');
  expect(dialog.getByText(/^Orders of this size get the price/)).toBeVisible();
});

test('support sees prices and planned changes, and changes nothing', async () => {
  useUserStore.setState({ info: signedInAs('support') });
  opens(priceList([planned(1)]), {}, '/?view=limits');
  expect(await screen.findByRole('row', { name: /^Regular On sale \$5\.00$/ })).toBeVisible();
  expect(screen.getByRole('list', { name: 'Planned changes' })).toHaveTextContent('$6.00');
  expect(screen.queryByRole('radio', { name: 'Limits' })).toBeNull();
  expect(screen.queryByRole('button', { name: /^(Edit|Remove|Add|Pause|Sell|Cancel)/ })).toBeNull();
  await userEvent.click(screen.getByRole('radio', { name: 'Residential traffic' }));
  expect(cellsOf('30 days', /^From 50 GB/)).toEqual(['$3.00']);
  expect(screen.queryByRole('button', { name: /^(Edit|Remove|Add)/ })).toBeNull();
});

test('in Chinese, plans and planned changes have Chinese names', async () => {
  await i18next.changeLanguage('zh');
  const Tiers = [{ ...catalogue().Tiers[0], LabelZh: '普通' }];
  opens(priceList([planned(1)], { Catalogue: catalogue({ Tiers }) }));
  expect(await screen.findByRole('table', { name: '套餐' })).toHaveTextContent('普通');
  expect(screen.getByRole('list', { name: '计划调价' })).toHaveTextContent('普通：$5.00 →改为 $6.00');
});
