// Page object of a customer: actions and lookups by the texts shown on the screen.
import type { Browser, Locator, Page } from 'playwright-core';
import { buy, type City, makeAccount, openSignedIn, type Session, signIn, topUp } from './prepare';
import { type Language, type Shop, texts, type Visit, visit, type Window } from './shop';

/** Outcomes that the sandbox gateway offers. */
export type Outcome = 'approve' | 'decline' | 'lost' | 'twice';

export type Gateway = 'sandbox' | 'stripe' | 'btcpay' | 'epay';

export const NEW_YORK: City = { en: 'New York', zh: '纽约', country: 'US', code: 'new-york' };
export const FRANKFURT: City = { en: 'Frankfurt', zh: '法兰克福', country: 'DE', code: 'frankfurt' };
export const TOKYO: City = { en: 'Tokyo', zh: '东京', country: 'JP', code: 'tokyo' };
export const PARIS: City = { en: 'Paris', zh: '巴黎', country: 'FR', code: 'paris' };

export const PASSWORD = 'correct horse 21';
let newcomers = 0;

/** Opens a screen through the sidebar. */
export async function goesTo(page: Page, language: Language, entry: string, child?: string): Promise<void> {
  const nav = texts(language, 'nav');
  const sidebar = page.getByRole('navigation', { name: nav('navigation') });
  if (!child) return sidebar.getByRole('link', { name: nav(entry), exact: true }).click();
  // In the drawer of a phone it is a button.
  const name = { name: nav(entry), exact: true };
  // Within a list item, so not from the sidebar on.
  const entryItself = page.getByRole('link', name).or(page.getByRole('button', name));
  const screens = sidebar.getByRole('listitem').filter({ has: entryItself });
  const parent = screens.getByRole('link', name).or(screens.getByRole('button', name));
  const link = screens.getByRole('link', { name: nav(child), exact: true });
  await parent.waitFor();
  if ((await link.count()) === 0) await parent.click();
  await link.click();
}

export class Customer {
  readonly page: Page;

  private constructor(
    readonly shop: Shop,
    readonly visit: Visit,
    readonly language: Language,
    readonly email: string,
  ) {
    this.page = visit.page;
  }

  /** A new visitor. */
  static async arrives(shop: Shop, browser: Browser, language: Language): Promise<Customer> {
    newcomers += 1;
    return new Customer(shop, await visit(browser, language), language, `newcomer-${newcomers}@example.com`);
  }

  /** A demo user, signed in. */
  static async comesBack(
    shop: Shop,
    browser: Browser,
    language: Language,
    email: string,
    window: Window = {},
  ): Promise<Customer> {
    const known = await Customer.stands(shop, browser, language, email, window);
    await signIn(known.page, shop, language, email);
    return known;
  }

  /** An existing user, not signed in. */
  static async stands(
    shop: Shop,
    browser: Browser,
    language: Language,
    email: string,
    window: Window = {},
  ): Promise<Customer> {
    return new Customer(shop, await visit(browser, language, window), language, email);
  }

  /** The same user in another browser. */
  static async elsewhere(customer: Customer, browser: Browser, language = customer.language): Promise<Customer> {
    return Customer.stands(customer.shop, browser, language, customer.email);
  }

  /** Makes an API call as the page does, to set up a test. */
  async calls(call: string, body: unknown): Promise<void> {
    await this.asks(call, body);
  }

  /** Makes an API call and returns its response. */
  async asks<Data>(call: string, body: unknown): Promise<Data> {
    const { Code: code, Data: data } = await this.page.evaluate(
      async ([path, text]) => {
        const user = JSON.parse(localStorage.getItem('user') ?? '{}');
        const headers = {
          'Content-Type': 'application/json',
          Token: user.state.info.Token,
          'Idempotency-Key': `${path}${Math.random()}`.replace(/\W/g, ''),
        };
        const answer = await fetch(`/api/${path}`, { method: 'POST', headers, body: text ?? '' });
        return await answer.json();
      },
      [call, JSON.stringify(body)],
    );
    if (code !== 1000) throw new Error(`${call} answered ${code}`);
    return data;
  }

  text(name: string, parameters?: Record<string, string | number>): string {
    const [namespace = '', key = ''] = name.split(':');
    return texts(this.language, namespace)(key, parameters);
  }

  async opens(path: string): Promise<void> {
    const mark = path.includes('?') ? '&' : '?';
    await this.page.goto(`${this.shop.url}${path}${mark}lang=${this.language}`);
    await this.isInTheApp();
  }

  /** Waits until the app has replaced the prerendered screen. */
  async isInTheApp(): Promise<void> {
    await this.page.locator('[data-first-screen]').first().waitFor({ state: 'detached' });
  }

  async fillsSignUp(): Promise<void> {
    await this.page.getByLabel(this.text('auth:email'), { exact: true }).fill(this.email);
    await this.page.getByLabel(this.text('auth:password'), { exact: true }).fill(PASSWORD);
    await this.page.getByRole('button', { name: this.text('auth:signUp.submit') }).click();
    await this.heading(this.text('auth:signUp.sent')).waitFor();
  }

  /** Opens the demo mailbox, waits for the email and follows its link; that of a sign-up asks for its password. */
  async followsMailedLink(mail: 'confirm_sign_up' | 'reset_password'): Promise<void> {
    await this.page.getByRole('link', { name: this.text('auth:openMailbox') }).click();
    await this.heading(this.text('sandbox:mailbox.title')).waitFor();
    const subject = this.text(`mail:${mail}.subject`, { Shop: 'Postern' });
    const found = this.page.getByRole('listitem').filter({ hasText: this.email }).filter({ hasText: subject });
    for (let attempt = 0; attempt < 20 && (await found.count()) === 0; attempt += 1) {
      await this.page.waitForTimeout(500);
      await this.page.reload();
    }
    await this.page.getByRole('link', { name: this.text('sandbox:mailbox.asText') }).click();
    await found.first().getByRole('link').click();
    if (mail === 'confirm_sign_up') await this.confirmsSignUp();
  }

  /** On the screen of a sign-up's link: enters the password, which creates the account. */
  async confirmsSignUp(password = PASSWORD): Promise<void> {
    await this.page.getByLabel(this.text('auth:password'), { exact: true }).fill(password);
    await this.page.getByRole('button', { name: this.text('auth:confirm.submit'), exact: true }).click();
  }

  /** Gets an account and a balance through the API, and opens the shop signed in. */
  async joins(balance?: string): Promise<void> {
    await openSignedIn(this.page, this.shop, this.language, await this.getsAccount(balance));
    await this.page.getByRole('navigation').first().waitFor();
  }

  private async getsAccount(balance?: string): Promise<Session> {
    const session = await makeAccount(this.shop, this.language, this.email, PASSWORD);
    if (balance) await topUp(this.shop, session, balance);
    return session;
  }

  async signsUp(): Promise<void> {
    await this.opens('/sign-up');
    await this.fillsSignUp();
    await this.followsMailedLink('confirm_sign_up');
    await this.page.getByRole('navigation').first().waitFor();
  }

  async fillsLogin(email = this.email, password = PASSWORD): Promise<void> {
    await this.page.getByLabel(this.text('auth:email'), { exact: true }).fill(email);
    await this.page.getByLabel(this.text('auth:password'), { exact: true }).fill(password);
    await this.page.getByRole('button', { name: this.text('auth:login.submit') }).click();
  }

  async signsOut(): Promise<void> {
    await this.page.getByRole('button', { name: this.text('common:account'), exact: true }).click();
    await this.page.getByRole('menuitem', { name: this.text('common:signOut') }).click();
    await this.heading(this.text('auth:login.title')).waitFor();
  }

  /** Opens a screen through the sidebar. */
  async goesTo(entry: string, child?: string): Promise<void> {
    await goesTo(this.page, this.language, entry, child);
  }

  /** Fills in the top-up form, where a hint may appear, and goes on to the gateway: the one that is offered first, unless another is chosen. */
  async startsTopUp(amount: string, gateway?: Gateway, hint?: string): Promise<void> {
    const { page } = this;
    await this.goesTo('billing', 'billing-wallet');
    await page.getByLabel(this.text('billing:topUp.amount', { Currency: 'USD' }), { exact: true }).fill(amount);
    const methods = page.getByLabel(this.text('billing:topUp.method'), { exact: true });
    if (gateway) await methods.selectOption({ label: this.text(`billing:method.${gateway}`) });
    if (hint) await page.getByText(hint, { exact: true }).waitFor();
    await page.getByRole('button', { name: this.text('billing:topUp.submit') }).click();
  }

  /** Fills in the top-up form and waits for the sandbox's page; where it is not the only gateway, it is named. */
  async beginsTopUp(amount: string, gateway?: 'sandbox'): Promise<void> {
    await this.startsTopUp(amount, gateway);
    await this.heading(this.text('sandbox:pay')).waitFor();
  }

  /** Presses a button on the gateway's payment page. */
  async tellsBankTo(outcome: Outcome): Promise<void> {
    await this.page.getByRole('button', { name: this.text(`sandbox:${outcome}.hint`) }).click();
  }

  async topsUp(amount: string, gateway?: 'sandbox'): Promise<void> {
    await this.beginsTopUp(amount, gateway);
    await this.tellsBankTo('approve');
    await this.seesTopUp(amount);
  }

  /** Waits for the message that the wallet was topped up. */
  async seesTopUp(amount: string): Promise<void> {
    await this.sees(this.text('billing:outcome.succeeded', { Amount: `$${amount}` }));
  }

  async opensOrderForm(): Promise<void> {
    await this.goesTo('static-residential-proxies', 'order');
    await this.heading(this.text('static_residential_proxies:order.title')).waitFor();
  }

  async wants(city: City, quantity: number): Promise<void> {
    const box = this.page.getByRole('textbox', { name: city[this.language], exact: true });
    const folded = this.page.getByRole('main').getByRole('button', { expanded: false });
    await box.or(folded.first()).first().waitFor();
    // Searching expands a collapsed region.
    if (!(await box.isVisible())) {
      await this.page.getByRole('searchbox', { name: this.own('order.search') }).fill(city[this.language]);
    }
    await box.fill(String(quantity));
  }

  /** The stock that the order form shows for a city. */
  async stockOf(city: City): Promise<number> {
    const row = this.page
      .getByRole('listitem')
      .filter({ has: this.page.getByRole('textbox', { name: city[this.language], exact: true }) });
    const [words = ''] = this.text('static_residential_proxies:order.inStock', { count: '#' })
      .split('#')
      .filter(Boolean);
    // Outside the viewport, its text is not rendered.
    const found = await row.getByText(words).textContent();
    return Number(found?.replace(/\D/g, ''));
  }

  async placesOrder(): Promise<void> {
    await this.page.getByRole('button', { name: this.text('orders:quote.place') }).click();
    await this.page.waitForURL(/\/order\?OrderId=\d+/);
  }

  /** Gets an account, a balance and these IPs through the API, and opens their order. */
  async comesToOwn(wanted: [City, number][], balance: string): Promise<void> {
    const session = await this.getsAccount(balance);
    const orderId = await buy(this.shop, session, wanted);
    await openSignedIn(this.page, this.shop, this.language, session, `/order?OrderId=${orderId}`);
    await this.sees(this.text('orders:fulfilled'));
  }

  /** A text of the static residential proxies namespace. */
  own(key: string, parameters?: Record<string, string | number>): string {
    return this.text(`static_residential_proxies:${key}`, parameters);
  }

  async opensProxyList(): Promise<void> {
    await this.goesTo('static-residential-proxies', 'proxy-list');
    await this.heading(this.own('list.title')).waitFor();
  }

  /** Selects rows of the list, counted from 1. */
  async selects(...rows: number[]): Promise<void> {
    // The first checkbox is the header's.
    for (const row of rows) await this.page.getByRole('main').getByRole('checkbox').nth(row).check();
  }

  /** Starts an action on the selected rows, and returns its dialog. */
  async begins(action: string): Promise<Locator> {
    const bar = this.page.getByRole('toolbar', { name: this.text('common:selection') });
    await bar.getByRole('button', { name: this.own(`action.${action}`), exact: true }).click();
    const dialog = this.page.getByRole('dialog');
    await dialog.waitFor();
    return dialog;
  }

  async paysWith(method: 'wallet' | Gateway): Promise<void> {
    // At the beginning, as two of them offer Alipay.
    await this.page.getByRole('radio', { name: new RegExp(`^${this.text(`orders:method.${method}`)}`) }).check();
    await this.page.getByRole('button', { name: new RegExp(`^${this.text('orders:payNow')} .*\\$`) }).click();
  }

  heading(text: string): Locator {
    return this.page.getByRole('heading', { name: text, exact: true });
  }

  async sees(text: string): Promise<void> {
    await this.page.getByText(text).first().waitFor();
  }

  /** Waits until the header shows this balance. */
  async hasBalance(amount: string): Promise<void> {
    const balance = this.page.getByRole('link', { name: this.text('common:walletBalance'), exact: true });
    await balance.filter({ hasText: amount }).waitFor();
  }

  /** The header's button for unpaid orders, with this count. */
  unpaidOrders(count: number): Locator {
    const key = count === 1 ? 'orders:unpaid.count_one' : 'orders:unpaid.count_other';
    return this.page.getByRole('button', { name: this.text(key, { count }) });
  }

  /** Clears the recorded problems that this test expects. */
  expectedProblems(): string[] {
    return this.visit.problems.splice(0);
  }

  /** Shows a hidden column of the list. */
  async showsColumn(title: string): Promise<void> {
    await this.page.getByRole('button', { name: this.text('common:columns'), exact: true }).click();
    await this.page.getByRole('menuitemcheckbox', { name: title, exact: true }).click();
    await this.page.keyboard.press('Escape');
    await this.page.getByRole('columnheader', { name: title, exact: true }).waitFor();
  }

  /** Texts of a column from top to bottom. */
  async column(title: string): Promise<string[]> {
    const head = this.page.getByRole('columnheader', { name: title, exact: true });
    const index = await head.getAttribute('aria-colindex');
    return this.page.locator(`[role="gridcell"][aria-colindex="${index}"]`).allInnerTexts();
  }

  /** Texts of the list's rows, once there are this many. */
  async rows(count: number): Promise<string[]> {
    await this.sees(this.text('common:range', { From: 1, To: count, Total: count }));
    const rows = this.page.getByRole('grid').or(this.page.getByRole('treegrid')).getByRole('row');
    // The first row is the header. The grid renders after the page around it.
    await rows.nth(count).waitFor();
    const all = await rows.allInnerTexts();
    return all.slice(1);
  }
}

/** A discount as an order or a quote names it. */
export const discountText = (customer: Customer, kind: 'coupon' | 'reseller', Percent: string, code = '') =>
  customer.text('orders:discountOf', {
    Name: [customer.text(`orders:discount.${kind}`), code].filter(Boolean).join(' '),
    Percent,
  });
