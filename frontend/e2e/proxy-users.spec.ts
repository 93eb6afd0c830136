// Proxy users: one by one, and 500 at once from a file.
import { readFileSync } from 'node:fs';
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Customer } from './customer';
import { inTurn, LANGUAGES } from './languages';
import { type Language, openBrowser, Shop } from './shop';

let shop: Shop;
let browser: Browser;

beforeAll(async () => {
  [shop, browser] = await Promise.all([Shop.open(), openBrowser()]);
  const ports = ['--http-port', '8000', '--socks5-port', '1080'];
  shop.runs('proxy-server', 'add', 'Anywhere', '--kind', 'residential', '--host', 'gate.example.com', ...ports);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

/** A new user, on the proxy user list. */
async function newcomer(language: Language) {
  const customer = await Customer.arrives(shop, browser, language);
  const { page } = customer;
  await customer.joins();
  await customer.goesTo('residential-proxies', 'users');
  const own = (key: string, parameters?: Record<string, string | number>) =>
    customer.text(`proxy_users:${key}`, parameters);
  await customer.heading(own('title')).waitFor();
  const dialog = page.getByRole('dialog');
  const press = (within: Locator, name: string) => within.getByRole('button', { name, exact: true }).click();
  /** Chooses an action from a proxy user's menu. */
  const choose = async (name: string, action: string) => {
    await page.getByRole('button', { name: own('list.actionsOf', { Name: name }) }).click();
    await page.getByRole('menuitem', { name: own(`action.${action}`), exact: true }).click();
    await dialog.waitFor();
  };
  const hasState = (state: string) =>
    expect.poll(async () => (await customer.rows(1))[0]).toContain(own(`state.${state}`));
  return { customer, page, own, dialog, press, choose, hasState };
}

test.each(inTurn(LANGUAGES))(
  'a proxy user is created, edited, paused, resumed and deleted, in %s',
  async (language) => {
    const { customer, page, own, dialog, press, choose, hasState } = await newcomer(language);
    const [name, renamed] = ['scraper_1', 'scraper_2'];

    // The empty state links to the form. An invalid name is refused at its field.
    await page
      .getByRole('link', { name: own('empty.buy') })
      .first()
      .waitFor();
    await press(page.getByRole('main'), own('empty.add'));
    await dialog.getByLabel(own('form.name'), { exact: true }).fill('Scraper 1');
    await press(dialog, own('form.add'));
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel(own('form.name'), { exact: true }).fill(name);
    await dialog.getByLabel(own('form.limit'), { exact: true }).fill('1.5');
    await dialog.getByLabel(own('form.cycle'), { exact: true }).selectOption('month');
    await dialog.getByLabel(own('form.connections'), { exact: true }).fill('50');
    await dialog.getByLabel(own('form.bandwidth'), { exact: true }).fill('1.5');
    await press(dialog, own('form.add'));
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel(own('form.bandwidth'), { exact: true }).fill('100');
    await press(dialog, own('form.add'));
    const line = dialog.locator('code', { hasText: new RegExp(`^gate\\.example\\.com:8000:user-${name}:.+$`) });
    await line.waitFor();
    const password = (await line.innerText()).split(':').at(-1) ?? '';
    await press(dialog, customer.text('common:done'));
    await hasState('active');
    expect((await customer.rows(1))[0]).toContain('1.5 GB');

    // The list shows the same password, and copies an endpoint with it.
    await page.getByRole('button', { name: own('list.showPassword', { Name: name }) }).click();
    await page.getByText(password, { exact: true }).waitFor();
    await page.getByRole('button', { name: own('list.copyEndpoint', { Name: name }) }).click();
    await customer.sees(own('list.endpointCopied', { Name: name }));
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      `gate.example.com:8000:user-${name}:${password}`,
    );

    // Where the grid has no room for the limits, they can be shown.
    const limits = own('list.limits');
    if ((await page.getByRole('columnheader', { name: limits, exact: true }).count()) === 0)
      await customer.showsColumn(limits);
    const shown = [
      customer.text('common:limits.connections_other', { count: 50 }),
      customer.text('common:limits.megabits', { Megabits: 100 }),
    ];
    await expect.poll(async () => (await customer.column(limits)).map((text) => text.split(/\n+/))).toEqual([shown]);

    await choose(name, 'edit');
    expect(await dialog.getByLabel(own('form.connections'), { exact: true }).inputValue()).toBe('50');
    await dialog.getByLabel(own('form.bandwidth'), { exact: true }).fill('');
    await dialog.getByLabel(own('form.name'), { exact: true }).fill(renamed);
    await dialog.getByLabel(own('form.searchCountry')).fill('DE');
    await dialog
      .getByRole('checkbox', { name: { en: 'Germany', zh: '德国' }[language] })
      .first()
      .check();
    await press(dialog, customer.text('common:save'));
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(async () => (await customer.rows(1))[0]).toContain({ en: 'Germany', zh: '德国' }[language]);
    await expect.poll(() => customer.column(limits)).toEqual([shown[0]]);

    await choose(renamed, 'password');
    await dialog.getByLabel(own('password.new'), { exact: true }).fill('battery7staple9horse');
    await dialog.getByLabel(own('password.old')).selectOption('60');
    await press(dialog, own('password.submit'));
    await dialog.getByText('battery7staple9horse', { exact: true }).waitFor();
    await press(dialog, customer.text('common:done'));
    // By the browser's clock, in whose zone UTC would be over.
    await page.getByText(new RegExp(own('list.oldOne', { Time: 'TIME' }).replace('TIME', '\\d\\d:\\d\\d'))).waitFor();

    for (const [action, state] of [
      ['pause', 'paused'],
      ['resume', 'active'],
    ] as const) {
      await choose(renamed, action);
      await press(dialog, own(`action.${action}`));
      await dialog.waitFor({ state: 'detached' });
      await hasState(state);
    }

    // A whitelist needs traffic that was bought.
    await customer.topsUp('10.00');
    const traffic = { Gigabytes: 1, PeriodDays: 30, ExpectedTotal: '4.00', PayFromWallet: true };
    await customer.calls('Traffic/CreateTrafficOrder', traffic);
    await customer.goesTo('residential-proxies', 'users');
    await choose(renamed, 'addresses');
    await dialog.getByLabel(own('addresses.address')).fill('8.8.4.0/24');
    await press(dialog, own('addresses.add'));
    await press(dialog, own('addresses.remove', { Address: '8.8.4.0/24' }));
    await dialog.getByText(own('addresses.empty')).waitFor();
    await press(dialog, customer.text('common:done'));

    await choose(renamed, 'delete');
    await press(dialog, own('action.delete'));
    await customer.sees(own('change.delete.done_one', { count: 1 }));
    await customer.sees(own('empty.title'));
  },
);

const COUNT = 500;
const csvOf = (limitOf: (line: number) => string) =>
  ['name,limit_gb,limit_cycle', ...Array.from({ length: COUNT }, (_, at) => `team_${at + 2},${limitOf(at + 2)},week`)]
    .map((line) => `${line}\n`)
    .join('');

test.each(inTurn(LANGUAGES))(
  '500 proxy users are imported once the invalid line is corrected, and deleted at once, in %s',
  async (language) => {
    const { customer, page, own, dialog, press } = await newcomer(language);
    await press(page.getByRole('main'), own('import.button'));
    const file = (csv: string) => ({ name: 'team.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    const picker = dialog.locator('input[type="file"]');

    // Line 412 is reported, and nothing has been sent.
    await picker.setInputFiles(file(csvOf((line) => (line === 412 ? 'five' : '5'))));
    const [beforeLine = ''] = own('import.wrongLine', { Line: 412, What: '\n' }).split('\n');
    await dialog.getByText(beforeLine).first().waitFor();
    expect(await dialog.getByRole('button', { name: own('import.check'), exact: true }).isDisabled()).toBe(true);

    await picker.setInputFiles(file(csvOf(() => '5')));
    await press(dialog, own('import.check'));
    await press(dialog, own('import.create_other', { count: COUNT }));
    await dialog.getByText(own('import.done_other', { count: COUNT })).waitFor();
    const downloading = page.waitForEvent('download');
    await press(dialog, own('import.savePasswords'));
    const saved = readFileSync(await (await downloading).path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(saved).toHaveLength(COUNT + 1);
    expect(saved[1]).toMatch(/^team_2,\w{8,}/);
    await press(dialog, customer.text('common:done'));

    // The export contains all of them, and could be imported again.
    await customer.sees(customer.text('common:range', { From: 1, To: 50, Total: COUNT }));
    const exporting = page.waitForEvent('download');
    await press(page.getByRole('main'), own('export'));
    const exported = readFileSync(await (await exporting).path(), 'utf8')
      .trim()
      .split(/\r?\n/);
    expect(exported).toHaveLength(COUNT + 1);
    const columns = 'limit_gb,limit_cycle,expires_at,countries,max_connections,max_megabits,state,used_gb';
    expect(exported[0]).toContain(`name,password,note,${columns}`);

    await page.getByRole('searchbox', { name: own('list.search') }).fill('team_50');
    // Matches team_50, team_500 and team_501.
    await customer.rows(3);
    await page.getByRole('searchbox', { name: own('list.search') }).fill('');
    await customer.sees(customer.text('common:range', { From: 1, To: 50, Total: COUNT }));
    await page.getByRole('main').getByRole('checkbox').first().check();
    const bar = page.getByRole('toolbar', { name: customer.text('common:selection') });
    await press(bar, customer.text('common:selectAll_other', { count: COUNT }));
    await press(bar, own('action.delete'));
    await press(dialog, own('action.delete'));
    await customer.sees(own('change.delete.done_other', { count: COUNT }));
    await customer.sees(own('empty.title'));
  },
);
