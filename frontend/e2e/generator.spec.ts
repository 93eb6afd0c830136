// The endpoint generator: 100,000 lines shown, copied, downloaded and parsed again; presets; and list URLs.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Customer } from './customer';
import { inTurn, LANGUAGES } from './languages';
import { type Language, openBrowser, Shop } from './shop';

type Rules = typeof import('../../wasm/pkg/screens');

const COUNT = 100_000;
let shop: Shop;
let browser: Browser;
let rules: Rules;

beforeAll(async () => {
  const reader = pathToFileURL(resolve(import.meta.dirname, '../../wasm/pkg/screens-node.js')).href;
  [shop, browser, rules] = await Promise.all([Shop.open(), openBrowser(), import(/* @vite-ignore */ reader)]);
  const ports = ['--http-port', '8000', '--socks5-port', '1080'];
  shop.runs('proxy-server', 'add', 'Anywhere', '--kind', 'residential', '--host', 'gate.example.com', ...ports);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

// Names are unique in the whole shop.
let names = 0;

/** A new user with a proxy user, on the generator screen. */
async function newcomer(language: Language) {
  const customer = await Customer.arrives(shop, browser, language);
  const { page } = customer;
  await customer.joins();
  names += 1;
  const name = `scraper_${names}`;
  await customer.calls('ProxyUsers/AddProxyUser', { Name: name, Password: 'battery7staple' });
  await customer.goesTo('residential-proxies', 'endpoint-generator');
  const own = (key: string, parameters?: Record<string, string | number>) =>
    customer.text(`generator:${key}`, parameters);
  await customer.heading(own('title')).waitFor();
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const lines = page.getByRole('region', { name: own('result.title') }).getByRole('listitem');
  const hasLines = (count: number) =>
    page
      .getByRole('status')
      .filter({
        hasText: own(count === 1 ? 'result.lines_one' : 'result.lines_other', { count: thousands(count) }),
      })
      .waitFor();
  return { customer, name, page, own, press, lines, hasLines };
}

const thousands = (count: number) => new Intl.NumberFormat('en').format(count);

test.each(inTurn(LANGUAGES))(
  '100,000 lines are generated, copied, downloaded and parsed again, in %s',
  async (language) => {
    const { customer, name, page, own, press, lines, hasLines } = await newcomer(language);
    await lines.first().waitFor();
    await page.getByLabel(own('settings.country'), { exact: true }).selectOption('US');
    await page.getByLabel(own('settings.city'), { exact: true }).fill('New York');
    await page.getByRole('radio', { name: own('settings.sticky'), exact: true }).check();
    await page.getByLabel(own('settings.minutes'), { exact: true }).fill('30');
    await press(customer.text('common:labelled', { Label: own('settings.count'), Value: COUNT }));
    await hasLines(COUNT);

    // Only the visible lines are in the DOM.
    expect(await lines.count()).toBeLessThan(200);
    await expect
      .poll(() => lines.first().innerText())
      .toMatch(
        new RegExp(
          `gate\\.example\\.com:8000:user-${name}-country-us-city-new_york-session-\\w{8}-ttl-30:battery7staple$`,
        ),
      );
    await page.getByRole('region', { name: own('result.title') }).press('End');
    await expect.poll(() => lines.last().innerText()).toMatch(/^100000\s/);

    await press(own('result.copy'));
    await customer.sees(own('result.copied_other', { count: thousands(COUNT) }));
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    const read = rules.readEndpoints(copied);
    expect(read).toHaveLength(COUNT);
    expect(read.every((line) => line.Endpoint?.Host === 'gate.example.com')).toBe(true);
    expect(new Set(read.map((line) => line.Endpoint?.UserName)).size).toBe(COUNT);

    const download = async (kind: 'txt' | 'csv' | 'json') => {
      const downloading = page.waitForEvent('download');
      await press(own('result.download'));
      await page.getByRole('menuitem', { name: own(`result.${kind}`), exact: true }).click();
      return readFileSync(await (await downloading).path(), 'utf8');
    };
    expect(await download('txt')).toBe(copied);
    // The same endpoints in other formats.
    const first = read[0]?.Endpoint;
    const csv = (await download('csv')).trimEnd().split('\n');
    expect([csv.length, csv[1]]).toEqual([COUNT + 1, `gate.example.com,8000,${first?.UserName},battery7staple,http`]);
    const json = JSON.parse(await download('json'));
    expect([json.length, json[0].username]).toEqual([COUNT, first?.UserName]);

    // The settings survive a reload; the password is not among them.
    await expect.poll(() => page.url()).toContain(`Count=${COUNT}`);
    expect(page.url()).not.toContain('battery7staple');
    await page.reload();
    await hasLines(COUNT);
    expect(await page.getByLabel(own('settings.city'), { exact: true }).inputValue()).toBe('New York');
  },
);

test.each(inTurn(LANGUAGES))(
  'a template, a preset, a QR code and a list of another provider, in %s',
  async (language) => {
    const { customer, name, page, own, press, lines } = await newcomer(language);
    const dialog = page.getByRole('dialog');
    const done = customer.text('common:done');
    await page.getByLabel(own('settings.format'), { exact: true }).selectOption('template');
    const template = page.getByLabel(own('settings.template'), { exact: true });
    await template.fill('{hots}');
    await page.getByRole('alert').waitFor();
    await template.fill('{scheme}|{user}|{pass}');
    await expect.poll(() => lines.first().innerText()).toMatch(new RegExp(`http\\|user-${name}\\|battery7staple$`));

    await press(own('presets.button'));
    await dialog.getByLabel(own('presets.name'), { exact: true }).fill('Bars');
    await dialog.getByRole('button', { name: own('presets.save'), exact: true }).click();
    await dialog.getByRole('button', { name: own('presets.useNamed', { Name: 'Bars' }) }).waitFor();
    await dialog.getByRole('button', { name: done, exact: true }).click();
    await template.fill('{host}');
    await expect.poll(() => lines.first().innerText()).toMatch(/gate\.example\.com$/);
    await press(own('presets.button'));
    await dialog.getByRole('button', { name: own('presets.useNamed', { Name: 'Bars' }) }).click();
    await expect.poll(() => lines.first().innerText()).toMatch(new RegExp(`http\\|user-${name}\\|battery7staple$`));
    await press(own('presets.button'));
    await dialog.getByRole('button', { name: own('presets.delete', { Name: 'Bars' }) }).click();
    await dialog.getByText(own('presets.empty')).waitFor();
    await dialog.getByRole('button', { name: done, exact: true }).click();

    await press(own('result.qr'));
    await page.getByRole('img', { name: own('qr.code') }).waitFor();
    await dialog.getByText(`http://user-${name}:battery7staple@gate.example.com:8000`).waitFor();
    await dialog.getByRole('button', { name: done, exact: true }).click();

    await press(own('convert.button'));
    await dialog.getByLabel(own('convert.paste')).fill('customer-ann-cc-US:pw@pr.oxylabs.io:7777\nwhat');
    const ours = dialog.getByRole('region', { name: own('convert.ours') });
    await ours.getByText(`gate.example.com:8000:user-${name}-country-us:battery7staple`).waitFor();
    await dialog.getByText(own('convert.notConverted_one', { count: 1 })).waitFor();
  },
);

test.each(inTurn(LANGUAGES))('a list URL works until it is revoked, in %s', async (language) => {
  const { customer, name, page, own, press, lines } = await newcomer(language);
  const dialog = page.getByRole('dialog');
  await lines.first().waitFor();
  await press(customer.text('common:labelled', { Label: own('settings.count'), Value: 100 }));
  await press(own('urls.create'));
  await dialog.getByLabel(own('urls.name'), { exact: true }).fill('Crawler');
  await dialog.getByRole('button', { name: own('urls.submit'), exact: true }).click();
  await dialog.getByText(own('urls.once')).waitFor();
  const url = await dialog.locator('code').first().innerText();
  await dialog.getByRole('button', { name: customer.text('common:done'), exact: true }).click();

  const answer = await fetch(url);
  expect(answer.status).toBe(200);
  const read = rules.readEndpoints((await answer.text()).trimEnd());
  expect(read).toHaveLength(100);
  expect(read[0]?.Endpoint).toMatchObject({ Host: 'gate.example.com', UserName: `user-${name}` });

  // The URL is no longer shown, but its use count is.
  await page.reload();
  await page.getByText(own('urls.uses_one', { count: 1 })).waitFor();
  expect(await page.getByText(url).count()).toBe(0);
  await press(own('urls.revokeNamed', { Name: 'Crawler' }));
  await dialog.getByRole('button', { name: own('urls.revoke'), exact: true }).click();
  await page.getByText(own('urls.empty')).waitFor();
  expect((await fetch(url)).status).toBeGreaterThanOrEqual(400);
});
