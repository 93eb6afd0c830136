// A shop with an SMTP server: signing up and resetting a password by email.
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, test } from 'vitest';
import { Customer } from './customer';
import { inTurn, LANGUAGES } from './languages';
import { openBrowser, Shop } from './shop';
import { SmtpServer } from './smtpServer';

let mails: SmtpServer;
let shop: Shop;
let browser: Browser;

beforeAll(async () => {
  mails = await SmtpServer.open();
  const settings = { POSTERN_SMTP_URL: mails.url, POSTERN_MAIL_FROM: 'Postern <shop@example.com>' };
  [shop, browser] = await Promise.all([Shop.open(settings), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
  await mails.close();
});

test.each(inTurn(LANGUAGES))('an emailed link signs up, another sets a new password, in %s', async (language) => {
  const customer = await Customer.arrives(shop, browser, language);
  const { page } = customer;
  const linkOf = (text: string, path: string) => new RegExp(`http\\S+/${path}\\?\\S+`).exec(text)?.[0] ?? '';
  await customer.opens('/sign-up');
  await customer.fillsSignUp();
  await page.goto(linkOf(await mails.mailTo(customer.email), 'sign-up'));
  await customer.confirmsSignUp();
  await page.getByRole('navigation').first().waitFor();
  await customer.signsOut();

  mails.mails.length = 0;
  await page.getByRole('link', { name: customer.text('auth:login.forgot') }).click();
  await page.getByLabel(customer.text('auth:email'), { exact: true }).fill(customer.email);
  await page.getByRole('button', { name: customer.text('auth:passwordReset.submit') }).click();
  await customer.heading(customer.text('auth:passwordReset.sent')).waitFor();
  await page.goto(linkOf(await mails.mailTo(customer.email), 'password-reset'));
  const password = 'another staple 34';
  await page.getByLabel(customer.text('auth:newPassword.label'), { exact: true }).fill(password);
  await page.getByRole('button', { name: customer.text('auth:newPassword.submit') }).click();
  await page.getByRole('navigation').first().waitFor();
  await customer.signsOut();
  await customer.fillsLogin(customer.email, password);
  await page.getByRole('navigation').first().waitFor();
});
