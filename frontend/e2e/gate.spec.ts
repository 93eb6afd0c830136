// What one buys works: the demo's gates, the real curl, and the traffic on the charts.
import { connect, type Socket } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Customer, NEW_YORK } from './customer';
import { openGate, pastes } from './gate';
import { inTurn, LANGUAGES } from './languages';
import { openBrowser, Shop } from './shop';

/** The demo's customer, who has residential traffic. */
const EMAIL = 'customer@example.com';
const PLAN = 'shared ISP proxies plan';
const LINES = 100;
/** Longer than the time until a gate's first heartbeat and the screen's next poll. */
const UPDATE_MS = 60_000;
/** The exits of the residential gate. */
const EXITS = ['127.31.0.1', '127.31.0.2'];

let shop: Shop;
let browser: Browser;
let closes: (() => Promise<void>)[];

beforeAll(async () => {
  [shop, browser] = await Promise.all([Shop.open(), openBrowser()]);
  closes = await Promise.all([openGate(shop, 'static'), openGate(shop, 'residential')]);
});
afterAll(async () => {
  await Promise.all(closes.map((close) => close()));
  await browser.close();
  await shop.close();
});

/** The exit address that the shop saw. */
const exitOf = (text: string): string => JSON.parse(text).Data.Ip;

test.each(inTurn(LANGUAGES))('a bought IP works in curl, passes its test, and has a chart, in %s', async (language) => {
  const customer = await Customer.arrives(shop, browser, language);
  const { page } = customer;
  await customer.comesToOwn([[NEW_YORK, 1]], '50.00');
  await customer.goesTo('static-residential-proxies', 'proxy-setup');
  const protocol = (name: string) => page.getByRole('radio', { name, exact: true }).check();
  const command = page.getByRole('region', { name: 'curl', exact: true });
  const line = async (scheme: string) => {
    await expect.poll(() => command.innerText()).toContain(`${scheme}://`);
    return (await command.innerText()).trim();
  };
  const http = await line('http');
  const ip = /@([\d.]+):/.exec(http)?.[1] ?? '';
  expect(ip).toMatch(/^127\.1[67]\./);
  expect(exitOf((await pastes(http)).text)).toBe(ip);
  expect(exitOf((await pastes(http.replace('curl ', 'curl --proxytunnel '))).text)).toBe(ip);
  await protocol('SOCKS5');
  expect(exitOf((await pastes(await line('socks5'))).text)).toBe(ip);

  // What the list copies is run as it is.
  await customer.opensProxyList();
  const copyAs = { name: customer.own('list.copyAs'), exact: true };
  await page.getByRole('combobox', copyAs).selectOption('curl');
  await page.getByRole('button', { name: customer.own('list.copyLine', { Ip: ip }), exact: true }).click();
  await customer.sees(customer.text('common:copied'));
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(exitOf((await pastes(copied)).text)).toBe(ip);
  await customer.goesTo('static-residential-proxies', 'proxy-setup');

  for (const name of ['HTTP', 'SOCKS5']) {
    await protocol(name);
    await page.getByRole('button', { name: customer.own('test.start') }).click();
    await customer.sees(customer.text('proxy_test:works'));
    await page.locator('dd', { hasText: ip }).last().waitFor();
  }

  // Its password no longer counts.
  await customer.calls('Ips/AddWhiteList', { VerStr: PLAN, Address: '8.8.8.8', Label: '' });
  await customer.calls('Ips/UpdateVerAuth', { VerStr: PLAN, AccessMode: 'whitelist' });
  await expect.poll(async () => (await pastes(http)).text, { timeout: 5_000 }).toContain('Only whitelisted addresses');
  await protocol('HTTP');
  await page.getByRole('button', { name: customer.own('test.start') }).click();
  await customer.sees(customer.text('proxy_test:reason.address_not_listed'));

  await customer.opens('/static-residential-proxies/proxy-list?view=usage');
  await expect.poll(() => page.getByRole('main').innerText(), { timeout: 15_000 }).toContain(ip);
});

test.each(inTurn(LANGUAGES))(
  'a proxy user, a sticky session, a generated list and its test work; a pause ends open connections, in %s',
  async (language) => {
    const customer = await Customer.comesBack(shop, browser, language, EMAIL);
    const { page } = customer;
    const name = `curl_${language}`;
    const form = { Name: name, Password: 'battery7staple' };
    const added = await customer.asks<{ ProxyUser: { ProxyUserId: number } }>('ProxyUsers/AddProxyUser', form);
    await customer.goesTo('residential-proxies', 'endpoint-generator');
    const own = (key: string) => customer.text(`generator:${key}`);
    await customer.heading(own('title')).waitFor();
    await page.getByLabel(own('settings.user'), { exact: true }).selectOption({ label: name });
    await page.getByRole('radio', { name: own('settings.sticky'), exact: true }).check();
    await page
      .getByRole('button', {
        name: customer.text('common:labelled', { Label: own('settings.count'), Value: LINES }),
        exact: true,
      })
      .click();
    const made = customer.text('generator:result.lines_other', { count: LINES });
    await page.getByRole('status').filter({ hasText: made }).waitFor();
    await page.getByRole('button', { name: own('result.copy'), exact: true }).click();
    const generated = (await page.evaluate(() => navigator.clipboard.readText())).split('\n');
    expect(generated).toHaveLength(LINES);

    const target = `${shop.url}/api/SystemSettings/GetClientIp`;
    const through = async (line: string, scheme = 'http') => {
      const [host, port, user, password] = line.split(':');
      const at = `${host}:${Number(port) + (scheme === 'http' ? 0 : 1)}`;
      return exitOf((await pastes(`curl -x "${scheme}://${user}:${password}@${at}" "${target}"`)).text);
    };
    const exits = await Promise.all(generated.map((line) => through(line)));
    expect(new Set(exits)).toEqual(new Set(EXITS));
    // A session keeps its exit, over either protocol.
    for (const index of [0, 1, 2, 3]) expect(await through(generated[index] ?? '', 'socks5')).toBe(exits[index]);

    // A line of curl is run as it is.
    await page.getByLabel(own('settings.format'), { exact: true }).selectOption('curl');
    const list = page.getByRole('region', { name: own('result.title'), exact: true });
    const command = list.getByRole('listitem').first().locator('code');
    await expect.poll(() => command.innerText()).toMatch(/^curl /);
    expect(EXITS).toContain(exitOf((await pastes(await command.innerText())).text));

    await page.getByRole('button', { name: own('test.start'), exact: true }).click();
    await customer.sees(customer.text('proxy_test:works'));
    expect(EXITS).toContain(await page.locator('dd code', { hasText: '127.31.' }).innerText());

    const credentials = Buffer.from(`user-${name}:${form.Password}`).toString('base64');
    const tunnel = await opensTunnel(new URL(shop.url).host, credentials);
    const ended = new Promise<number>((told) => tunnel.once('close', () => told(Date.now())));
    await customer.calls('ProxyUsers/PauseProxyUsers', { ProxyUserIds: [added.ProxyUser.ProxyUserId] });
    const paused = Date.now();
    expect((await ended) - paused).toBeLessThan(5_000);
    const refused = await pastes(`curl -i -x "http://user-${name}:${form.Password}@127.0.0.1:17002" "${target}"`);
    expect(refused.text).toMatch(/^HTTP\/1.1 403 [\s\S]+This proxy user is paused/);
    await page.getByRole('button', { name: customer.text('proxy_test:again'), exact: true }).click();
    await customer.sees(customer.text('proxy_test:reason.paused'));

    await customer.opens('/residential-proxies/users?view=usage');
    await expect.poll(() => page.getByRole('main').innerText(), { timeout: 15_000 }).toContain(name);
  },
);

test.each(inTurn(LANGUAGES))(
  'servers are operational once their gates have sent a heartbeat, in %s',
  async (language) => {
    const customer = await Customer.comesBack(shop, browser, language, 'customer@example.com');
    const { page } = customer;
    const t = (key: string) => customer.text(`status:${key}`);
    await page.getByRole('button', { name: customer.text('common:account'), exact: true }).click();
    await page.getByRole('menuitem', { name: customer.text('nav:status') }).click();
    await customer.heading(t('title')).waitFor();
    const serverOf = (name: string) =>
      page
        .getByRole('list', { name: t('servers'), exact: true })
        .locator(':scope > li')
        .filter({ has: customer.heading(name) });
    await serverOf('Demo ISP').getByText(t('state.operational'), { exact: true }).waitFor({ timeout: UPDATE_MS });
    await serverOf('Demo').getByText(t('state.operational'), { exact: true }).waitFor({ timeout: UPDATE_MS });

    // Today is known, and without an outage.
    const days = serverOf('Demo ISP').getByRole('slider');
    await days.press('End');
    expect(await days.getAttribute('aria-valuetext')).toContain(t('level.good'));

    const operator = await Customer.comesBack(shop, browser, language, 'operator@example.com');
    await operator.goesTo('operator', 'operator-proxy-servers');
    const row = operator.page.getByRole('row').filter({ hasText: 'Demo ISP' });
    await row.getByText(operator.text('proxy_servers:state.operational')).waitFor();
    await row.getByText(/^postern-gate /).waitFor();
  },
);

/** An open tunnel through the gate of residential proxies. */
async function opensTunnel(target: string, credentials: string): Promise<Socket> {
  const socket = connect(17_002, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\nProxy-Authorization: Basic ${credentials}\r\n\r\n`);
  const answer = await new Promise<string>((told) => socket.once('data', (data) => told(data.toString())));
  expect(answer).toMatch(/^HTTP\/1.1 200 /);
  return socket;
}
