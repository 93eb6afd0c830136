// Prepares through the API what a journey takes for granted: accounts, sessions, balances and proxies. Journeys about those themselves use the screens.
import type { Page } from 'playwright-core';
import type { components } from '../src/api/schema.gen';
import { DEVICE_KEY, LANGUAGE_KEY, USER_STORE_KEY } from '../src/core/constants.gen';
import { type Language, type Shop, texts } from './shop';

type Schemas = components['schemas'];
export type Session = Schemas['SessionStarted'];

/** A city: its names, written down independently of the product's table, and its codes in the API. */
export interface City extends Record<Language, string> {
  country: string;
  code: string;
}

/** Makes an API call; returns its data. */
export async function ask<Data>(shop: Shop, call: string, body: unknown, session?: Session): Promise<Data> {
  const response = await fetch(`${shop.url}/api/${call}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'Idempotency-Key': crypto.randomUUID().replaceAll('-', ''),
      ...(session && { Token: session.Token }),
    },
    body: JSON.stringify(body),
  });
  const { Code: code, Data: data, Message: message } = await response.json();
  if (code !== 1000) throw new Error(`${call} answered ${code}: ${message}`);
  return data;
}

/** Signs up, and confirms with the mailed link. */
export async function makeAccount(shop: Shop, language: Language, email: string, password: string): Promise<Session> {
  const form = { Email: email, Password: password, Language: language, TimeZone: 'Asia/Shanghai' };
  await ask(shop, 'User/SignUp', form);
  const mail = await shop.mailTo(email, texts(language, 'mail')('confirm_sign_up.subject', { Shop: 'Postern' }));
  const token = /^http\S+[?&]\w+=(\S+)$/m.exec(mail)?.[1];
  return ask(shop, 'User/VerifyEmail', { VerifyToken: token, Password: password });
}

/** Tops up the wallet through the sandbox gateway. */
export async function topUp(shop: Shop, session: Session, amount: string): Promise<void> {
  const form = { Amount: amount, PaymentMethod: 'sandbox' };
  const { Payment, Order } = await ask<Schemas['TopUpStarted']>(shop, 'Wallet/CreateTopUp', form, session);
  const pressed = new URLSearchParams({ action: 'approve' });
  await fetch(`${shop.url}/sandbox/pay/${Payment.PaymentId}`, { method: 'POST', body: pressed, redirect: 'manual' });
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const { State } = await ask<{ State: string }>(shop, 'Order/GetOrder', { OrderId: Order.OrderId }, session);
    if (State === 'fulfilled') return;
    await new Promise((later) => setTimeout(later, 100));
  }
  throw new Error(`the top-up of ${amount} does not arrive`);
}

/** Buys IPs of the first tier for 30 days from the wallet; returns the id of the order. */
export async function buy(shop: Shop, session: Session, wanted: [City, number][]): Promise<number> {
  const order = {
    VerStr: 'shared ISP proxies plan',
    PeriodDays: 30,
    Lines: wanted.map(([{ country, code }, quantity]) => ({ Country: country, City: code, Quantity: quantity })),
  };
  const { Total } = await ask<Schemas['Quote']>(shop, 'Order/QuoteOrder', order, session);
  const request = { ...order, ExpectedTotal: Total, PayFromWallet: true };
  const { OrderId } = await ask<Schemas['OrderView']>(shop, 'Order/CreateOrder', request, session);
  return OrderId;
}

/** Opens the shop with a session that began elsewhere: at the account's first screen, or at another one. */
export async function openSignedIn(
  page: Page,
  shop: Shop,
  language: Language,
  session: Session,
  path = '/login',
): Promise<void> {
  // An empty page of the shop's origin.
  const empty = `${shop.url}/empty`;
  await page.route(empty, (route) =>
    route.fulfill({ contentType: 'text/html', body: '<link rel="icon" href="data:,">' }),
  );
  await page.goto(empty);
  await page.unroute(empty);
  const { Token, User, DeviceId } = session;
  const kept: Record<string, string> = {
    [USER_STORE_KEY]: JSON.stringify({ state: { info: { ...User, Token } }, version: 0 }),
    [DEVICE_KEY]: DeviceId,
    [LANGUAGE_KEY]: language,
  };
  await page.evaluate((entries) => {
    for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value);
  }, kept);
  await page.goto(shop.url + path);
  await page.waitForURL((url) => url.pathname !== '/login');
}

/** A session of a demo user. */
export const sessionOf = (shop: Shop, email: string): Promise<Session> =>
  ask(shop, 'User/Login', { Email: email, Password: shop.passwordOf(email) });

/** Signs a demo user in. */
export async function signIn(page: Page, shop: Shop, language: Language, email: string): Promise<void> {
  await openSignedIn(page, shop, language, await sessionOf(shop, email));
}

/** Two bank transfers, which the demo does not have: one has arrived, the other is announced. Returns the number of its order. */
export async function makeTransfers(shop: Shop): Promise<string> {
  const customer = await sessionOf(shop, 'reseller@example.com');
  const operator = await sessionOf(shop, 'operator@example.com');
  const announces = async (Amount: string) => {
    const form = { Amount, PaymentMethod: 'transfer' };
    return (await ask<Schemas['TopUpStarted']>(shop, 'Wallet/CreateTopUp', form, customer)).Order.OrderNumber;
  };
  const arrived = { PaymentId: await announces('20.00'), Amount: '20.00' };
  await ask(shop, 'Order/SettlePayment', arrived, operator);
  return announces('50.00');
}
