// Webhooks: added, verified by the Standard Webhooks library, a delivery resent, the secret rotated; and one of the shop, for the seller's own systems.
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Customer } from './customer';
import { inTurn, LANGUAGES } from './languages';
import { openBrowser, Shop } from './shop';

let shop: Shop;
let browser: Browser;

beforeAll(async () => {
  [shop, browser] = await Promise.all([Shop.open({ POSTERN_WEBHOOK_TEST_HOSTS: '127.0.0.1' }), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

interface Request {
  headers: IncomingHttpHeaders;
  body: string;
}

/** A customer's server: records requests, and answers with a set status. */
class Receiver {
  readonly requests: Request[] = [];
  status = 204;

  private constructor(private readonly server: Server) {}

  static async open(): Promise<Receiver> {
    const server = createServer();
    const receiver = new Receiver(server);
    server.on('request', async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      receiver.requests.push({ headers: request.headers, body });
      response.writeHead(receiver.status).end();
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/postern`;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

/** The payload as verified by the library; throws if no signature matches. */
function verified(secret: string, request: Request | undefined) {
  const headers = Object.fromEntries(
    Object.entries(request?.headers ?? {}).map(([name, value]) => [name, String(value)]),
  );
  return new Webhook(secret).verify(request?.body ?? '', headers) as { type: string; data: Record<string, unknown> };
}

test.each(inTurn(LANGUAGES))(
  'a webhook is added, verified by the library, resent, rotated, turned off and deleted, in %s',
  async (language) => {
    const receiver = await Receiver.open();
    const customer = await Customer.arrives(shop, browser, language);
    const { page } = customer;
    await customer.joins();
    await customer.goesTo('my-account', 'webhooks');
    const own = (key: string, parameters?: Record<string, string | number>) =>
      customer.text(`webhooks:${key}`, parameters);
    const dialog = page.getByRole('dialog');
    const press = (name: string) => dialog.getByRole('button', { name, exact: true }).click();
    const done = () => press(customer.text('common:done'));
    const choose = async (action: string) => {
      await page.getByRole('button', { name: own('actionsOf', { Url: receiver.url }) }).click();
      await page.getByRole('menuitem', { name: own(`action.${action}`), exact: true }).click();
      await dialog.waitFor();
    };
    const requests = (count: number) => expect.poll(() => receiver.requests.length, { timeout: 20_000 }).toBe(count);

    // Forbidden URLs are refused before anything is sent.
    await page
      .getByRole('main')
      .getByRole('button', { name: own('add') })
      .first()
      .click();
    const url = dialog.getByLabel(own('form.url'), { exact: true });
    await url.fill('https://169.254.169.254/latest/meta-data');
    await press(own('form.add'));
    await dialog.getByText(customer.text('validation:webhookPrivate')).waitFor();
    await url.fill(receiver.url);
    await dialog.getByRole('radio', { name: own('form.chosen') }).check();
    await press(own('form.add'));
    await dialog.getByText(customer.text('validation:chooseAnEvent')).waitFor();
    await dialog.getByRole('checkbox', { name: own('event.wallet.topped_up') }).check();
    await dialog.getByLabel(own('form.description'), { exact: true }).fill('books');
    await press(own('form.add'));
    await dialog.getByText(own('secret.once')).waitFor();
    const first = await dialog.locator('pre').innerText();
    await done();

    // A test event arrives, and the library verifies it.
    await page.getByRole('button', { name: own('action.test') }).click();
    await dialog.getByText('204').first().waitFor();
    await requests(1);
    expect(verified(first, receiver.requests[0])).toMatchObject({ type: 'webhook.test' });
    await done();

    // An event occurs; the endpoint refuses it.
    receiver.status = 500;
    await customer.topsUp('40.00');
    await requests(2);
    expect(verified(first, receiver.requests[1])).toMatchObject({ type: 'wallet.topped_up', data: { Total: '40.00' } });
    await customer.goesTo('my-account', 'webhooks');
    const delivery = page.getByRole('link', { name: new RegExp(own('event.wallet.topped_up')) });
    await delivery.first().click();
    await dialog.getByText('500').first().waitFor();

    // Resending sends the same message id, so that the receiver recognizes it.
    receiver.status = 204;
    await press(own('panel.resend'));
    await expect
      .poll(
        () =>
          receiver.requests
            .slice(2)
            .some(({ headers }) => headers['webhook-id'] === receiver.requests[1]?.headers['webhook-id']),
        { timeout: 20_000 },
      )
      .toBe(true);
    await dialog.getByText(own('delivery.delivered')).first().waitFor();
    await done();
    const before = receiver.requests.length;

    // Both secrets sign for a day, then only the new one.
    await choose('rotate');
    await press(own('rotate.confirm'));
    await dialog.getByText(own('secret.once')).waitFor();
    const second = await dialog.locator('pre').innerText();
    expect(second).not.toBe(first);
    await done();
    await page.getByRole('button', { name: own('action.test') }).click();
    // A retry of the failed delivery may come in between, signed before the rotation.
    const isSigned = (request: Request, secret: string) => {
      try {
        return Boolean(verified(secret, request));
      } catch {
        return false;
      }
    };
    const ofBoth = () =>
      receiver.requests.slice(before).find((request) => [first, second].every((secret) => isSigned(request, secret)));
    await expect.poll(ofBoth, { timeout: 20_000 }).toBeDefined();
    await done();
    const another = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    expect(() => verified(another, ofBoth())).toThrow(WebhookVerificationError);

    // Turned off, nothing is sent; then it is deleted.
    await choose('turnOff');
    await press(own('off.confirm'));
    await page.getByRole('main').getByText(own('state.paused'), { exact: true }).first().waitFor();
    await page.getByRole('button', { name: own('action.turnOn') }).click();
    await page.getByRole('button', { name: own('action.test') }).waitFor();
    await choose('delete');
    await press(own('delete.confirm'));
    await page.getByText(own('empty.title')).waitFor();
    receiver.close();
  },
);

test.each(inTurn(LANGUAGES))(
  "an operator's webhook of the shop receives a customer's event with its account, in %s",
  async (language) => {
    const receiver = await Receiver.open();
    const operator = await Customer.comesBack(shop, browser, language, 'operator@example.com');
    const { page } = operator;
    const own = (key: string, parameters?: Record<string, string | number>) =>
      operator.text(`webhooks:${key}`, parameters);
    const dialog = page.getByRole('dialog');
    const press = (name: string) => dialog.getByRole('button', { name, exact: true }).click();
    const card = page.getByRole('article', { name: receiver.url, exact: true });

    await operator.opens('/my-account/webhooks');
    await page
      .getByRole('main')
      .getByRole('button', { name: own('add') })
      .first()
      .click();
    await dialog.getByLabel(own('form.url'), { exact: true }).fill(receiver.url);
    await dialog.getByRole('radio', { name: own('form.shop') }).check();
    await dialog.getByText(own('form.shopHint')).waitFor();
    await dialog.getByRole('radio', { name: own('form.chosen') }).check();
    await dialog.getByRole('checkbox', { name: own('event.wallet.topped_up') }).check();
    // Nothing about the security of accounts can be chosen.
    expect(await dialog.getByRole('checkbox', { name: own('event.security.new_device') }).count()).toBe(0);
    await press(own('form.add'));
    await dialog.getByText(own('secret.once')).waitFor();
    const secret = await dialog.locator('pre').innerText();
    await press(operator.text('common:done'));
    await card.getByText(own('ofShop'), { exact: true }).waitFor();

    const customer = await Customer.arrives(shop, browser, language);
    await customer.joins('40.00');
    const received = () => receiver.requests.find(({ body }) => body.includes(customer.email));
    await expect.poll(received, { timeout: 20_000 }).toBeDefined();
    expect(verified(secret, received())).toMatchObject({
      type: 'wallet.topped_up',
      data: { Total: '40.00', Email: customer.email, AccountId: expect.any(Number) },
    });

    await page.reload();
    await operator.isInTheApp();
    const delivery = page.getByRole('link', { name: new RegExp(own('event.wallet.topped_up')) });
    await delivery.first().click();
    await dialog.getByText('204').first().waitFor();
    await dialog.getByText(customer.email).first().waitFor();
    await dialog.getByText(own('form.shop'), { exact: true }).waitFor();
    await press(operator.text('common:done'));

    await page.getByRole('button', { name: own('actionsOf', { Url: receiver.url }) }).click();
    await page.getByRole('menuitem', { name: own('action.edit'), exact: true }).click();
    await dialog.getByText(own('form.shopFixed')).waitFor();
    expect(await dialog.getByRole('radio', { name: own('form.mine') }).count()).toBe(0);
    await press(operator.text('common:cancel'));
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: own('actionsOf', { Url: receiver.url }) }).click();
    await page.getByRole('menuitem', { name: own('action.delete'), exact: true }).click();
    await press(own('delete.confirm'));
    await card.waitFor({ state: 'detached' });
    receiver.close();
  },
);
