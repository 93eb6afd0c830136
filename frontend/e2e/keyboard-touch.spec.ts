// Without a mouse: buying, switching, support and refunds by keyboard alone, and by touch on a phone.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Customer, PARIS, PASSWORD } from './customer';
import { type InputDevice, Keyboard, TouchScreen } from './inputDevices';
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

const OPERATOR = 'operator@example.com';
const ADDRESS = /^127\.(16|17)(\.\d+){2}$/;

const listOn = ({ page }: Customer) => page.getByRole('grid').or(page.getByRole('treegrid'));

interface Someone {
  customer: Customer;
  device: InputDevice;
}

/** Signs in without a mouse. */
async function comes(
  known: Customer,
  Device: typeof Keyboard | typeof TouchScreen,
  password: string,
): Promise<Someone> {
  const { email, language } = known;
  const customer = await Customer.stands(shop, browser, language, email, Device.window);
  await Device.alone(customer.page);
  const device = new Device(customer);
  await customer.opens('/login');
  await device.types(customer.page.getByLabel(customer.text('auth:email'), { exact: true }), email);
  await device.types(customer.page.getByLabel(customer.text('auth:password'), { exact: true }), password);
  await device.presses(customer.page.getByRole('button', { name: customer.text('auth:login.submit') }));
  await customer.page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
  return { customer, device };
}

/** The order number. */
async function buys({ customer, device }: Someone, city: string, quantity: string): Promise<string> {
  const { page } = customer;
  await device.goesTo('static-residential-proxies', 'order');
  await device.types(page.getByRole('searchbox', { name: customer.own('order.search') }), city);
  await device.types(page.getByRole('textbox', { name: city, exact: true }), quantity);
  await device.presses(page.getByRole('button', { name: customer.text('orders:quote.buy') }));
  await customer.sees(customer.text('orders:fulfilled'));
  return /PO\w{10}/.exec(await page.title())?.[0] ?? '';
}

async function switchesFirst({ customer, device }: Someone): Promise<void> {
  const { page } = customer;
  await device.goesTo('static-residential-proxies', 'proxy-list');
  // An earlier order shows the same addresses.
  await customer.heading(customer.own('list.title')).waitFor();
  const addresses = page.getByRole('main').getByText(ADDRESS);
  await addresses.nth(1).waitFor();
  const [ip = ''] = await addresses.allInnerTexts();
  const menu = page.getByRole('button', { name: customer.own('list.actionsOf', { Ip: ip }), exact: true });
  await device.pressesIn(listOn(customer), menu);
  await device.takes(page.getByRole('menuitem', { name: customer.own('action.switch'), exact: true }));
  const submit = page.getByRole('dialog').getByRole('button', {
    name: customer.own('switch.submit_one', { count: 1 }),
  });
  await submit.and(page.locator(':enabled')).waitFor();
  await device.presses(submit);
  const done = page.getByRole('dialog', { name: customer.own('switch.done_one', { count: 1 }) });
  await device.presses(done.getByRole('button', { name: customer.text('common:done'), exact: true }));
  await done.waitFor({ state: 'detached' });
  await expect.poll(() => addresses.allInnerTexts()).not.toContain(ip);
}

/** Writes to support, and leaves the chat open. */
async function asks({ customer, device }: Someone, question: string): Promise<void> {
  const { page } = customer;
  await device.goesTo('contact-support');
  const chat = page.getByRole('dialog', { name: customer.text('support:title') });
  await device.types(chat.getByRole('textbox', { name: customer.text('support:message') }), question);
  await device.presses(chat.getByRole('button', { name: customer.text('support:send'), exact: true }));
  await chat.getByText(customer.text('support:sent')).waitFor();
}

/** As an operator: opens the waiting conversation and answers. */
async function answers({ customer: operator, device }: Someone, email: string, answer: string): Promise<void> {
  const { page } = operator;
  const own = (key: string, parameters?: Record<string, string>) => operator.text(`support:${key}`, parameters);
  await device.goesTo('operator', 'operator-support');
  // The list before it has links to customers too.
  await operator.heading(own('operator.title')).waitFor();
  await device.presses(page.getByRole('link', { name: email }));
  const pane = page.getByRole('region', { name: own('operator.with', { Name: email }) });
  await device.types(pane.getByRole('textbox', { name: own('message') }), answer);
  await device.presses(pane.getByRole('button', { name: own('send'), exact: true }));
  await pane.getByText(answer).waitFor();
}

async function refunds({ customer: operator, device }: Someone, order: string, amount: string): Promise<void> {
  const { page } = operator;
  await device.goesTo('operator', 'operator-orders');
  await device.types(page.getByRole('searchbox', { name: operator.text('orders:operator.search') }), order);
  await operator.sees(operator.text('common:range', { From: 1, To: 1, Total: 1 }));
  await device.pressesIn(listOn(operator), page.getByRole('link', { name: order, exact: true }));
  await device.presses(page.getByRole('button', { name: operator.text('orders:refund.open'), exact: true }));
  const dialog = page.getByRole('dialog');
  await device.types(dialog.getByLabel(operator.text('orders:refund.reason')), 'Too slow');
  await device.presses(
    dialog.getByRole('button', { name: operator.text('orders:refund.confirm', { Amount: amount }), exact: true }),
  );
  await dialog.waitFor({ state: 'detached' });
}

describe.each([
  ['keys', Keyboard],
  ['fingers on a phone', TouchScreen],
] as const)('by %s', (_, Device) => {
  test.each(inTurn(LANGUAGES))(
    'IPs are bought, one is switched, and one asks for the money back, in %s',
    async (language) => {
      const known = await Customer.arrives(shop, browser, language);
      await known.joins('50.00');
      const someone = await comes(known, Device, PASSWORD);
      const order = await buys(someone, PARIS[language], '2');
      await switchesFirst(someone);
      await asks(someone, 'Please refund my order');

      const desk = await Customer.stands(shop, browser, language, OPERATOR);
      const operator = await comes(desk, Device, shop.passwordOf(OPERATOR));
      await answers(operator, known.email, 'You have it back now');
      const chat = someone.customer.page.getByRole('dialog', { name: known.text('support:title') });
      await chat.getByText('You have it back now').waitFor();
      await refunds(operator, order, '$10.00');
      await known.page.reload();
      await known.hasBalance('$50.00');
    },
  );
});
