// Bulk actions on proxies: note, group, credentials, switch, renewal and export.
import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Customer, FRANKFURT, NEW_YORK } from './customer';
import { inTurn, LANGUAGES } from './languages';
import { openBrowser, Shop } from './shop';

let shop: Shop;
let browser: Browser;

beforeAll(async () => {
  [shop, browser] = await Promise.all([Shop.open(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

const ADDRESS = /^127\.(16|17)(\.\d+){2}$/;

test.each(inTurn(LANGUAGES))('note, group and credentials of two of three proxies, in %s', async (language) => {
  const customer = await Customer.arrives(shop, browser, language);
  const { page } = customer;
  await customer.comesToOwn([[NEW_YORK, 3]], '50.00');
  await customer.opensProxyList();
  await customer.rows(3);
  await customer.selects(1, 2);
  const colours = () =>
    page
      .locator('[role="row"] > [class*="scrolling-cells"]')
      .evaluateAll((rows) => new Set(rows.map((row) => getComputedStyle(row, '::before').backgroundColor)).size);
  await expect.poll(colours).toBeGreaterThan(1);

  let dialog = await customer.begins('note');
  await dialog.getByLabel(customer.own('note.label'), { exact: true }).fill('for mail');
  await dialog.getByRole('button', { name: customer.text('common:save') }).click();
  await dialog.waitFor({ state: 'detached' });
  await customer.sees(customer.own('note.saved_other', { count: 2 }));

  dialog = await customer.begins('group');
  await dialog.getByLabel(customer.own('group.choose')).selectOption({ label: customer.own('group.new') });
  const adding = page.getByRole('dialog', { name: customer.own('groups.add') });
  await adding.getByLabel(customer.own('groups.name'), { exact: true }).fill('Senders');
  await adding.getByRole('radio', { name: customer.own('colour.teal') }).check();
  await adding.getByRole('button', { name: customer.text('common:save') }).click();
  await adding.waitFor({ state: 'detached' });
  await dialog.getByRole('button', { name: customer.own('group.submit') }).click();
  await dialog.waitFor({ state: 'detached' });
  await customer.sees(customer.own('group.moved_other', { count: 2, Group: 'Senders' }));

  dialog = await customer.begins('credentials');
  await dialog.getByRole('radio', { name: new RegExp(`^${customer.own('credentials.own')}`) }).check();
  await dialog.getByLabel(customer.own('credentials.userName'), { exact: true }).fill('sender1');
  await dialog.getByLabel(customer.own('credentials.password'), { exact: true }).fill('x');
  const submit = dialog.getByRole('button', { name: customer.own('credentials.submit') });
  await submit.click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByLabel(customer.own('credentials.password'), { exact: true }).fill('battery7staple9horse');
  await submit.click();
  await dialog.waitFor({ state: 'detached' });
  await expect.poll(() => page.getByText('sender1', { exact: true }).count()).toBe(2);

  // The group's list has the two, but not the third; they are copied together.
  await customer.goesTo('static-residential-proxies', 'group-list');
  await page.getByRole('button', { name: customer.own('groups.copyAllOf', { Name: 'Senders' }) }).click();
  await customer.sees(customer.own('list.linesCopied_other', { count: 2 }));
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied.split('\n').map((line) => line.split(':').slice(1))).toEqual(
    Array(2).fill(['17000', 'sender1', 'battery7staple9horse']),
  );
  await page.getByRole('link', { name: /^2 .*: Senders$/ }).click();
  await customer.rows(2);
  expect(page.url()).toMatch(/GroupId=\d+/);
  await expect.poll(() => page.getByText('sender1', { exact: true }).count()).toBe(2);
});

test('a group name that looks like a time stays unchanged, however often it is edited', async () => {
  const customer = await Customer.arrives(shop, browser, 'en');
  const { page } = customer;
  await customer.joins();
  await customer.goesTo('static-residential-proxies', 'group-list');
  const [name, note] = ['2026-11-21 10:00:00', '2026-11-21T23:30:00Z'];
  await page
    .getByRole('button', { name: customer.own('groups.add'), exact: true })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(customer.own('groups.name'), { exact: true }).fill(name);
  await dialog.getByLabel(customer.own('groups.note'), { exact: true }).fill(note);
  await dialog.getByRole('button', { name: customer.text('common:save'), exact: true }).click();
  for (let edit = 0; edit < 20; edit += 1) {
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: customer.own('groups.actionsOf', { Name: name }) }).click();
    await page.getByRole('menuitem', { name: customer.own('groups.edit') }).click();
    await expect.poll(() => dialog.getByLabel(customer.own('groups.name'), { exact: true }).inputValue()).toBe(name);
    await dialog.getByRole('button', { name: customer.text('common:save'), exact: true }).click();
  }
  await dialog.waitFor({ state: 'detached' });
  const group = page.getByRole('list', { name: customer.own('groups.title') }).getByRole('listitem');
  await expect.poll(() => group.innerText()).toContain(note);
});

test.each(inTurn(LANGUAGES))(
  'the first switch is free, the next one is paid, and both are recorded, in %s',
  async (language) => {
    const customer = await Customer.arrives(shop, browser, language);
    const { page } = customer;
    await customer.comesToOwn([[FRANKFURT, 2]], '50.00');
    await customer.opensProxyList();
    await customer.rows(2);

    const before = await page.getByText(ADDRESS).allInnerTexts();
    await customer.selects(1);
    let dialog = await customer.begins('switch');
    // The preview: a masked address, and no cost.
    await dialog.getByText(/\.x$/).first().waitFor();
    await dialog.getByText('$40.00').waitFor();
    await dialog.getByRole('button', { name: customer.own('switch.submit_one', { count: 1 }) }).click();
    await page.getByRole('dialog', { name: customer.own('switch.done_one', { count: 1 }) }).waitFor();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: customer.text('common:done') })
      .click();
    await customer.rows(2);
    await expect
      .poll(async () => (await page.getByText(ADDRESS).allInnerTexts()).filter((ip) => !before.includes(ip)))
      .toHaveLength(1);

    // The free switch is used up: the rest is switched for money.
    const left = page
      .getByRole('row')
      .filter({ hasText: (await page.getByText(ADDRESS).allInnerTexts()).find((ip) => before.includes(ip)) ?? '' });
    await left.getByRole('checkbox').first().check();
    dialog = await customer.begins('switch');
    await dialog.getByRole('radio', { name: new RegExp(`^${customer.own('switch.paid')}`) }).check();
    await dialog.getByText('$35.00').waitFor();
    await dialog.getByRole('button', { name: customer.own('switch.submit_one', { count: 1 }) }).click();
    await page.getByRole('dialog', { name: customer.own('switch.done_one', { count: 1 }) }).waitFor();
    await page
      .getByRole('dialog')
      .getByRole('link', { name: customer.own('switch.showRecords') })
      .click();

    await customer.heading(customer.own('replaced.title')).waitFor();
    await customer.rows(2);
    await customer.hasBalance('$35.00');
    const records = await page.getByText(ADDRESS).allInnerTexts();
    for (const ip of before) expect(records).toContain(ip);
    await page.getByLabel(customer.own('replaced.mode'), { exact: true }).selectOption('quota');
    await customer.rows(1);
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: customer.own('action.export') }).click();
    await page.getByRole('menuitem', { name: customer.own('replaced.exportCsv') }).click();
    const file = readFileSync(await (await downloading).path(), 'utf8');
    expect(file.trim().split('\n')).toHaveLength(2);
  },
);

test.each(inTurn(LANGUAGES))(
  'proxies are renewed by an order, and exported in the copy format, in %s',
  async (language) => {
    const customer = await Customer.arrives(shop, browser, language);
    const { page } = customer;
    await customer.comesToOwn([[NEW_YORK, 2]], '50.00');
    await customer.opensProxyList();
    await customer.rows(2);
    await customer.selects(1, 2);

    const downloading = page.waitForEvent('download');
    let dialog = await customer.begins('export');
    await dialog.getByRole('radio', { name: 'SOCKS5' }).check();
    await dialog.getByLabel(customer.own('export.line')).selectOption('url');
    await dialog.getByRole('button', { name: customer.own('export.submit') }).click();
    const lines = readFileSync(await (await downloading).path(), 'utf8')
      .trim()
      .split(/\r?\n/);
    expect(lines).toHaveLength(2);
    for (const line of lines) expect(line).toMatch(/^socks5:\/\/\w+:\w+@127\.(16|17)(\.\d+){2}:\d+$/);
    await dialog.waitFor({ state: 'detached' });

    dialog = await customer.begins('renew');
    await dialog.getByText('$10.00').first().waitFor();
    await dialog.getByRole('button', { name: customer.own('renew.submit') }).click();
    await page.waitForURL(/\/order\?OrderId=\d+/);
    await customer.paysWith('wallet');
    await customer.hasBalance('$30.00');
  },
);

test('a saved view with its filters is restored after a reload', async () => {
  const customer = await Customer.arrives(shop, browser, 'en');
  const { page } = customer;
  await customer.comesToOwn([[NEW_YORK, 1]], '50.00');
  await customer.opensProxyList();
  await page.getByRole('button', { name: customer.own('list.filters'), exact: true }).click();
  await page.getByRole('combobox', { name: customer.own('list.autoRenew'), exact: true }).selectOption('true');
  await page.keyboard.press('Escape');
  await customer.sees(customer.text('common:noRows'));
  await page.getByRole('button', { name: customer.text('common:views') }).click();
  await page.getByRole('menuitem', { name: customer.text('common:saveView') }).click();
  await page.getByLabel(customer.text('common:viewName')).fill('Renewing');
  await page.getByRole('button', { name: customer.text('common:save'), exact: true }).click();
  const filter = customer.text('common:labelled', {
    Label: customer.own('list.autoRenew'),
    Value: customer.own('list.renewOn'),
  });
  await page.getByRole('button', { name: customer.own('list.clearFilter', { Filter: filter }) }).click();
  await customer.rows(1);
  await page.reload();
  await page.getByRole('button', { name: customer.text('common:views') }).click();
  await page.getByRole('menuitem', { name: 'Renewing' }).click();
  await customer.sees(customer.text('common:noRows'));
  expect(new URL(page.url()).searchParams.get('AutoRenew')).toBe('true');
});

test('compact rows show more, and stay compact after a reload, with the selected columns', async () => {
  const customer = await Customer.arrives(shop, browser, 'en');
  const { page } = customer;
  await customer.comesToOwn([[NEW_YORK, 2]], '50.00');
  await customer.opensProxyList();
  await customer.rows(2);
  const row = page.locator('[role="row"][row-index="0"]').first();
  const height = async () => (await row.boundingBox())?.height;
  // A cell with two lines is as high as its text, and no higher than its row.
  const overflows = () =>
    page
      .getByRole('gridcell')
      .evaluateAll((cells) => cells.filter((cell) => cell.scrollHeight > cell.clientHeight + 1).length);
  const compact = page.getByRole('button', { name: customer.text('common:compactRows'), exact: true });
  const tall = await height();
  await compact.focus();
  await page.keyboard.press('Enter');
  await expect.poll(() => compact.getAttribute('aria-pressed')).toBe('true');
  // One line, which has the day of expiry but not the ports.
  await expect.poll(height).toBeLessThanOrEqual(36);
  expect(tall).toBeGreaterThan(50);
  await page
    .getByText(/^HTTP \d+/)
    .first()
    .waitFor({ state: 'hidden' });
  await page
    .getByText(/^\d{4}-\d\d-\d\d$/)
    .first()
    .waitFor();
  expect(await overflows()).toBe(0);
  await customer.showsColumn(customer.own('list.tier'));
  await page.reload();
  await customer.rows(2);
  await page.getByRole('columnheader', { name: customer.own('list.tier'), exact: true }).waitFor();
  await compact.click();
  await expect.poll(height).toBe(tall);
  expect(await overflows()).toBe(0);
});

test('the keyboard reaches the buttons of a row', async () => {
  const customer = await Customer.arrives(shop, browser, 'en');
  const { page } = customer;
  await customer.comesToOwn([[NEW_YORK, 1]], '50.00');
  await customer.opensProxyList();
  await customer.rows(1);
  await page
    .getByRole('gridcell')
    .filter({ hasText: '••••••••' })
    .click({ position: { x: 2, y: 2 } });
  // The grid handles keys asynchronously.
  const focused = () =>
    page.evaluate(() => document.activeElement?.getAttribute('role') ?? document.activeElement?.localName);
  await expect.poll(focused, { timeout: 10_000 }).toBe('gridcell');
  await page.keyboard.press('Enter');
  await expect.poll(focused, { timeout: 10_000 }).toBe('button');
  // After the button that copies the user name.
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: customer.text('common:hidePassword') }).waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await customer.sees(customer.text('common:copied'));
  await page.keyboard.press('Escape');
  await expect.poll(focused, { timeout: 10_000 }).toBe('gridcell');
  // A dialog opened from a row's menu returns the focus to the menu's button.
  const menu = page.getByRole('gridcell').getByRole('button', { name: customer.own('list.actionsOf', { Ip: '' }) });
  await menu.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: customer.own('action.note'), exact: true }).press('Enter');
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await expect.poll(() => menu.evaluate((button) => button === document.activeElement), { timeout: 10_000 }).toBe(true);
});
