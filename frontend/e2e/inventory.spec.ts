// The inventory for operators: a file is imported, nodes are edited, taken off sale and put back, also all that match at once, a
// customer gets another IP, and IPs get a use case, by which they are chosen.
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Customer, NEW_YORK } from './customer';
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

const REGULAR = 'shared ISP proxies plan';
/** Example addresses, which a demo accepts: each language imports its own. */
const NETWORKS = { en: '198.51.100.', zh: '203.0.113.' } as const;
const HEADER = 'ip,http_port,socks5_port,country,city,isp,asn,ver_str,supplier,cost';
const WRONG_LINE = 3;

const fileOf = (network: string, portOf: (line: number) => string) => {
  const lines = [2, 3, 4, 5].map(
    (line) => `${network}${line},${portOf(line)},1080,US,new-york,Northlight,64500,${REGULAR},Acme,1.20`,
  );
  const buffer = Buffer.from([HEADER, ...lines].join('\n'));
  return { name: 'nodes.csv', mimeType: 'text/csv', buffer };
};

const press = (within: Locator, name: string) => within.getByRole('button', { name, exact: true }).click();

async function opensInventory(language: 'en' | 'zh') {
  const operator = await Customer.comesBack(shop, browser, language, 'operator@example.com');
  const { page } = operator;
  const t = (key: string, parameters?: Record<string, string | number>) =>
    operator.text(`inventory:${key}`, parameters);
  await operator.goesTo('operator', 'operator-inventory');
  await operator.heading(t('title')).waitFor();
  const dialog = page.getByRole('dialog');
  return {
    operator,
    page,
    t,
    dialog,
    search: page.getByRole('main').getByRole('searchbox', { name: t('search') }),
    /** Chooses an action of a row's menu. */
    begins: async (ip: string, action: string) => {
      await page.getByRole('button', { name: t('actionsOf', { Ip: ip }), exact: true }).click();
      await page.getByRole('menuitem', { name: t(`action.${action}`), exact: true }).click();
      await dialog.waitFor();
    },
  };
}

/** Imports the four nodes of the language's network. */
async function imports({ page, dialog, t }: Awaited<ReturnType<typeof opensInventory>>, network: string) {
  await press(page.getByRole('main'), t('import.open'));
  await dialog.locator('input[type="file"]').setInputFiles(fileOf(network, () => '8000'));
  await dialog.getByText(t('import.ready_other', { count: 4 })).waitFor();
  await press(dialog, t('import.submit_other', { count: 4 }));
  await dialog.waitFor({ state: 'detached' });
  await page.getByText(t('import.done_other', { count: 4 })).waitFor();
}

test.each(inTurn(LANGUAGES))(
  '%s: a file is corrected and imported, its nodes are edited, taken off sale and put back, and a faulty one is replaced',
  async (language) => {
    const opened = await opensInventory(language);
    const { operator, page, t, dialog, search, begins } = opened;
    const network = NETWORKS[language];

    // The wrong cell is shown, and nothing can be imported.
    await press(page.getByRole('main'), t('import.open'));
    await dialog
      .locator('input[type="file"]')
      .setInputFiles(fileOf(network, (line) => (line === WRONG_LINE ? 'x' : '8000')));
    const wrong = dialog.getByRole('row').filter({ hasText: operator.text('validation:port') });
    await wrong.waitFor();
    expect(await wrong.getByRole('cell').allInnerTexts()).toEqual([
      String(WRONG_LINE),
      'http_port',
      operator.text('validation:port'),
    ]);
    expect(await dialog.getByRole('button', { name: t('import.submitNone'), exact: true }).isDisabled()).toBe(true);
    await press(dialog, operator.text('common:cancel'));
    await dialog.waitFor({ state: 'detached' });
    await search.fill(network);
    await operator.sees(operator.text('common:noRows'));

    await imports(opened, network);
    await operator.rows(4);

    // Two get another ISP.
    const isp = `Southlight ${language}`;
    await operator.selects(1, 2);
    await press(page.getByRole('toolbar', { name: operator.text('common:selection') }), t('action.edit'));
    await dialog.getByLabel(t('isp'), { exact: true }).fill(isp);
    await press(dialog, t('edit.submit'));
    await dialog.waitFor({ state: 'detached' });
    await operator.sees(t('edit.done_other', { count: 2 }));
    await expect.poll(() => page.getByText(isp, { exact: true }).count()).toBe(2);

    // One is off sale, and on sale again.
    const state = page.getByRole('combobox', { name: t('state'), exact: true });
    await begins(`${network}2`, 'retire');
    await press(dialog, t('action.retire'));
    await dialog.waitFor({ state: 'detached' });
    await operator.sees(t('retire.done_one', { count: 1 }));
    await state.selectOption('retired');
    await operator.rows(1);
    await begins(`${network}2`, 'restore');
    await press(dialog, t('action.restore'));
    await dialog.waitFor({ state: 'detached' });
    await operator.sees(t('restore.done_one', { count: 1 }));
    await operator.sees(operator.text('common:noRows'));
    await state.selectOption('available');
    await operator.rows(4);

    // The stock leads to the nodes of a city.
    await page.getByRole('radio', { name: t('view.stock'), exact: true }).click({ force: true });
    await page
      .getByRole('main')
      .getByRole('searchbox', { name: t('stock.search') })
      .fill(NEW_YORK[language]);
    await page.getByRole('combobox', { name: t('tier'), exact: true }).selectOption(REGULAR);
    await operator.rows(1);
    await page
      .getByRole('main')
      .getByRole('link', { name: new RegExp(NEW_YORK[language]) })
      .click();
    await page.waitForURL(/City=new-york/);

    // A customer's node is faulty.
    const customer = await Customer.arrives(shop, browser, language);
    await customer.comesToOwn([[NEW_YORK, 1]], '50.00');
    const { Rows } = await customer.asks<{ Rows: { Ip: string }[] }>('Ips/GetUserNodeList', {});
    const faulty = Rows[0]?.Ip ?? '';
    const spare = [`${network}4`, `${network}5`].find((ip) => ip !== faulty) ?? '';
    // Other addresses may begin with the same digits.
    await state.selectOption('assigned');
    await search.fill(faulty);
    await begins(faulty, 'replace');
    await dialog.getByText(customer.email, { exact: true }).waitFor();
    await dialog.getByRole('radio', { name: new RegExp(`^${t('replace.chosen')}`) }).check();
    await dialog.getByRole('searchbox', { name: t('search') }).fill(spare);
    await dialog.getByText(operator.text('common:range', { From: 1, To: 1, Total: 1 })).waitFor();
    await dialog.getByText(spare, { exact: true }).click();
    const submit = dialog.getByRole('button', { name: t('replace.submitWith', { Ip: spare }), exact: true });
    await submit.click();
    // The reason is missing.
    await dialog.getByRole('alert').waitFor();
    const reason = `no answer, ${language}`;
    await dialog.getByLabel(t('replace.reason'), { exact: true }).fill(reason);
    await submit.click();
    await dialog.getByRole('status').getByText(spare, { exact: true }).waitFor();
    await press(dialog, operator.text('common:done'));
    await dialog.waitFor({ state: 'detached' });

    await customer.opensProxyList();
    await customer.rows(1);
    await customer.page.getByText(spare, { exact: true }).waitFor();
    await customer.opens('/static-residential-proxies/replaced');
    await customer.sees(faulty);
    await customer.sees(reason);
  },
);

test.each(inTurn(LANGUAGES))(
  '%s: all nodes of a country are taken off sale at once, and put back',
  async (language) => {
    const { operator, page, t, dialog } = await opensInventory(language);
    const main = page.getByRole('main');
    const bar = page.getByRole('toolbar', { name: operator.text('common:selection') });
    const state = page.getByRole('combobox', { name: t('state'), exact: true });
    const Country = 'US';
    const inState = async (State: 'available' | 'retired') => {
      const { Total } = await operator.asks<{ Total: number }>('Operator/GetInventory', { Filter: { Country, State } });
      return Total;
    };
    /** Does it to all that the list finds, and returns how many calls it took. */
    const doesToAll = async (action: 'retire' | 'restore', count: number) => {
      const call = action === 'retire' ? 'RetireNodes' : 'RestoreNodes';
      let calls = 0;
      page.on('request', (request) => {
        if (request.url().endsWith(`/Operator/${call}`)) calls += 1;
      });
      await operator.sees(operator.text('common:range', { From: 1, To: 50, Total: count }));
      await main.getByRole('checkbox').first().check();
      await press(bar, operator.text('common:selectAll_other', { count }));
      await press(bar, t(`action.${action}`));
      await dialog.getByRole('heading', { name: t(`${action}.titleAll_other`, { count }), exact: true }).waitFor();
      await press(dialog, t(`action.${action}`));
      await dialog.waitFor({ state: 'detached' });
      await operator.sees(t(`${action}.done_other`, { count }));
      await bar.waitFor({ state: 'detached' });
      await operator.sees(operator.text('common:noRows'));
      return calls;
    };

    const [available, retired] = [await inState('available'), await inState('retired')];
    await page.getByRole('combobox', { name: t('country'), exact: true }).selectOption(Country);
    await state.selectOption('available');
    expect(await doesToAll('retire', available)).toBeGreaterThan(1);
    expect(await inState('available')).toBe(0);
    await state.selectOption('retired');
    expect(await doesToAll('restore', available + retired)).toBeGreaterThan(1);
    expect(await inState('retired')).toBe(0);
    await state.selectOption('available');
    await operator.sees(operator.text('common:range', { From: 1, To: 50, Total: available + retired }));
  },
);

/** A use case of the test, which deletes it again. */
const AUDITS = { key: 'store-audits', en: 'Store audits', zh: '门店巡检' } as const;

test.each(inTurn(LANGUAGES))(
  '%s: a use case is added, moved, given to two IPs, chosen by a customer, and deleted',
  async (language) => {
    const { operator, page, t, dialog } = await opensInventory(language);
    const Name = AUDITS[language];
    const main = page.getByRole('main');
    const names = main.getByRole('table', { name: t('view.useCases'), exact: true }).getByRole('rowheader');
    const place = async () => (await names.allInnerTexts()).findIndex((text) => text.startsWith(Name));

    // A key is one word.
    await page.getByRole('radio', { name: t('view.useCases'), exact: true }).click({ force: true });
    await names.first().waitFor();
    const before = await names.allInnerTexts();
    await press(main, t('useCases.add.open'));
    await dialog.getByLabel(t('useCases.nameEn'), { exact: true }).fill(AUDITS.en);
    await dialog.getByLabel(t('useCases.nameZh'), { exact: true }).fill(AUDITS.zh);
    await dialog.getByLabel(t('useCases.key'), { exact: true }).fill('Store audits');
    await press(dialog, t('useCases.add.submit'));
    await dialog.getByText(operator.text('validation:useCaseKey')).waitFor();
    await dialog.getByLabel(t('useCases.key'), { exact: true }).fill(AUDITS.key);
    await press(dialog, t('useCases.add.submit'));
    await dialog.waitFor({ state: 'detached' });
    await operator.sees(t('useCases.add.done', { Name }));
    await expect.poll(place).toBe(before.length);
    await press(main, t('useCases.moveUp', { Name }));
    await expect.poll(place).toBe(before.length - 1);

    // Two IPs in stock get it.
    const ofCity = new URLSearchParams({ State: 'available', VerStr: REGULAR, Country: 'US', City: 'new-york' });
    await operator.opens(`/operator/inventory?${ofCity}`);
    await main.getByRole('checkbox').nth(2).waitFor();
    await operator.selects(1, 2);
    await press(page.getByRole('toolbar', { name: operator.text('common:selection') }), t('action.edit'));
    const audits = dialog.getByRole('group', { name: Name, exact: true });
    await audits.getByRole('radio', { name: t('edit.add'), exact: true }).click({ force: true });
    await press(dialog, t('edit.submit'));
    await dialog.waitFor({ state: 'detached' });
    await operator.sees(t('edit.done_other', { count: 2 }));
    await main.getByRole('combobox', { name: t('useCase'), exact: true }).selectOption(AUDITS.key);
    await operator.rows(2);

    // A customer finds only these.
    const customer = await Customer.arrives(shop, browser, language);
    await customer.joins();
    await customer.opensOrderForm();
    await customer.page
      .getByRole('combobox', { name: customer.own('order.target'), exact: true })
      .selectOption(AUDITS.key);
    await customer.wants(NEW_YORK, 1);
    await expect.poll(() => customer.stockOf(NEW_YORK)).toBe(2);

    await operator.opens('/operator/inventory?view=use-cases');
    await page.getByRole('button', { name: t('useCases.actionsOf', { Name }), exact: true }).click();
    await page.getByRole('menuitem', { name: t('useCases.delete'), exact: true }).click();
    await dialog.getByText(t('useCases.remove.loses_other', { count: 2 })).waitFor();
    await press(dialog, t('useCases.delete'));
    await dialog.waitFor({ state: 'detached' });
    await operator.sees(t('useCases.remove.done', { Name }));
    await expect.poll(() => names.allInnerTexts()).toEqual(before);
  },
);
