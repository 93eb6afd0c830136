// Proxy servers for operators: registered, connected with their secret, monitored, rotated and removed.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Customer } from './customer';
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

const PASSWORD = 'battery7staple9horse';

test.each(inTurn(LANGUAGES))(
  'a proxy server is added, authorizes, reports an invalid record, gets a new secret and is removed, in %s',
  async (language) => {
    const customer = await Customer.comesBack(shop, browser, language, 'customer@example.com');
    const user = `gate_check_${language}`;
    await customer.calls('ProxyUsers/AddProxyUser', { Name: user, Password: PASSWORD, LimitCycle: 'none' });
    const operator = await Customer.comesBack(shop, browser, language, 'operator@example.com');
    const { page } = operator;
    const t = (key: string, parameters?: Record<string, string | number>) =>
      operator.text(`proxy_servers:${key}`, parameters);
    const dialog = page.getByRole('dialog');
    const press = (name: string) => dialog.getByRole('button', { name, exact: true }).click();
    const wrongRecord = {
      Id: 'wrong-1',
      UsedAt: 'yesterday',
      UserName: user,
      Country: 'DE',
      Target: 'shop.example.com:443',
      UploadBytes: 1,
      DownloadBytes: 2,
    };
    /** The response to a server with this secret. */
    const sends = async (path: 'authorize' | 'usage', secret: string, data: object) => {
      const headers = { Authorization: `Bearer ${secret}` };
      const answer = await page.request.post(`${shop.url}/proxy-server/${path}`, { headers, data });
      return answer.status() === 200 ? answer.json() : answer.status();
    };
    const connection = { UserName: `user-${user}`, Password: PASSWORD, ClientAddress: '203.0.113.9' };
    const shownSecret = async () => {
      await dialog.getByText(t('secret.once')).waitFor();
      await dialog.getByRole('button', { name: t('secret.copy') }).click();
      return page.evaluate(() => navigator.clipboard.readText());
    };
    const begins = async (action: 'rotate' | 'remove') => {
      await page.getByRole('button', { name: t('list.actionsOf', { Name: name }) }).click();
      await page.getByRole('menuitem', { name: t(`action.${action}`) }).click();
      await dialog.waitFor();
    };

    // Invalid input is reported at its field before anything is sent.
    const name = `Gate ${language}`;
    await operator.goesTo('operator', 'operator-proxy-servers');
    await page.getByRole('button', { name: t('add') }).click();
    await dialog.getByLabel(t('form.name'), { exact: true }).fill(name);
    await dialog.getByLabel(t('form.host'), { exact: true }).fill('http://gate.example.com');
    await dialog.getByLabel(t('form.httpPort'), { exact: true }).fill('65536');
    await press(t('form.submit'));
    const wrong = { Value: 'http://gate.example.com' };
    await dialog.getByText(operator.text('validation:endpointHost', wrong)).waitFor();
    await dialog.getByText(operator.text('validation:port')).waitFor();
    await dialog.getByLabel(t('form.host'), { exact: true }).fill('gate.example.com');
    await dialog.getByLabel(t('form.httpPort'), { exact: true }).fill('8000');
    await dialog.getByLabel(t('form.socks5Port'), { exact: true }).fill('1080');
    await press(t('form.submit'));

    // The secret works at once, and the dialog reports the first request.
    const secret = await shownSecret();
    await dialog.getByText(t('secret.waiting')).waitFor();
    expect(await sends('authorize', secret, connection)).toMatchObject({ Allowed: true });
    expect(await sends('usage', secret, { Records: [wrongRecord] })).toEqual({
      Counted: 0,
      Repeated: 0,
      Rejected: [{ Index: 0, Reason: 'time' }],
    });
    const [beforeTime = ''] = t('secret.requestReceived', { Time: '#' }).split('#');
    await dialog
      .getByText(language === 'en' ? beforeTime : (t('secret.requestReceived', { Time: '#' }).split('#')[1] ?? ''))
      .waitFor();
    await press(operator.text('common:done'));
    const row = page.getByRole('row').filter({ hasText: name });
    await expect.poll(() => row.innerText()).toContain(t('list.now'));
    await expect.poll(() => row.innerText()).toContain('HTTP 8000 · SOCKS5 1080');

    // The rejected record is linked from its server, with its reason and raw content.
    await page.getByRole('link', { name: t('list.rejectedOf', { Name: name, Count: 1 }) }).click();
    const [rejected = ''] = await operator.rows(1);
    expect(rejected).toContain(t('reason.time'));
    await page.getByRole('button', { name: 'wrong-1' }).click();
    await dialog.getByText('"UsedAt": "yesterday"').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('combobox', { name: t('rejected.reason') }).selectOption('too_old');
    await operator.sees(operator.text('common:noRows'));
    await page.getByRole('combobox', { name: t('rejected.reason') }).selectOption('');
    await page.getByRole('combobox', { name: t('rejected.server') }).selectOption('');
    // The demo's own records are listed too.
    await page.getByRole('gridcell', { name: t('reason.from_future') }).waitFor();

    // After rotating, the old secret is refused.
    await page.getByRole('radio', { name: t('view.servers') }).click({ force: true });
    await begins('rotate');
    await press(t('rotate.confirm'));
    const other = await shownSecret();
    await press(operator.text('common:done'));
    expect(other).not.toBe(secret);
    expect(await sends('authorize', secret, connection)).toBe(401);
    expect(await sends('authorize', other, connection)).toMatchObject({ Allowed: true });

    await begins('remove');
    await press(t('remove.confirm'));
    await operator.sees(t('remove.done', { Name: name }));
    await expect.poll(() => row.count()).toBe(0);
    expect(await sends('authorize', other, connection)).toBe(401);
  },
);

test.each(inTurn(LANGUAGES))('IPs assigned to a server are carried by no other, in %s', async (language) => {
  const operator = await Customer.comesBack(shop, browser, language, 'operator@example.com');
  const { page } = operator;
  const t = (key: string, parameters?: Record<string, string | number>) =>
    operator.text(`proxy_servers:${key}`, parameters);
  const form = { Name: `Second ${language}`, Kind: 'static', Host: 'isp.example.com', HttpPort: '8000' };
  const { Secret } = await operator.asks<{ Secret: string }>('Operator/AddProxyServer', form);
  const network = '127.16.4.0/24';
  /** Addresses in the network that the second server may carry. */
  const carried = async () => {
    const headers = { Authorization: `Bearer ${Secret}` };
    const answer = await page.request.post(`${shop.url}/proxy-server/nodes`, { headers, data: {} });
    const { Nodes } = (await answer.json()) as { Nodes: { Ip: string }[] };
    return Nodes.filter(({ Ip }) => Ip.startsWith('127.16.4.')).length;
  };
  const count = await carried();
  expect(count).toBeGreaterThan(10);

  const dialog = page.getByRole('dialog');
  const opens = async () => {
    await page.getByRole('button', { name: t('list.actionsOf', { Name: 'Demo ISP' }) }).click();
    await page.getByRole('menuitem', { name: t('action.assign') }).click();
    await dialog.waitFor();
  };
  const assigns = async (addresses: string) => {
    await dialog.getByLabel(t('assign.addresses'), { exact: true }).fill(addresses);
    await dialog.getByRole('button', { name: t('assign.submit'), exact: true }).click();
  };
  const closes = () => dialog.getByRole('button', { name: operator.text('common:done'), exact: true }).click();
  await operator.goesTo('operator', 'operator-proxy-servers');
  await opens();
  await assigns('127.16.4');
  await dialog.getByText(operator.text('validation:noNetwork', { Value: '127.16.4' })).waitFor();
  await assigns(`${network}\n203.0.113.9`);
  await dialog.getByText(t(`assign.done_other`, { count })).waitFor();
  await dialog.getByText('203.0.113.9', { exact: true }).waitFor();
  await closes();
  await page.getByRole('gridcell', { name: String(count), exact: true }).waitFor();
  expect(await carried()).toBe(0);

  await opens();
  await dialog.getByRole('radio', { name: t('assign.any') }).click({ force: true });
  await assigns(network);
  await dialog.getByText(t(`assign.done_other`, { count })).waitFor();
  await closes();
  expect(await carried()).toBe(count);
});
