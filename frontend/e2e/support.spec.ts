// The support chat from the first message to closing the conversation, with a customer and an operator in two browsers.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Customer } from './customer';
import { inTurn, LANGUAGES } from './languages';
import { type Language, openBrowser, Shop } from './shop';

let shop: Shop;
let browser: Browser;

beforeAll(async () => {
  [shop, browser] = await Promise.all([Shop.open(), openBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await shop.close();
});

/** A picture of 64 by 48 pixels, drawn in the browser. */
async function picture(customer: Customer): Promise<Buffer> {
  const data = await customer.page.evaluate(() => {
    const canvas = document.createElement('canvas');
    canvas.width = 64;
    canvas.height = 48;
    const pen = canvas.getContext('2d');
    if (pen) {
      pen.fillStyle = '#2457d6';
      pen.fillRect(8, 8, 48, 32);
    }
    return canvas.toDataURL('image/png').split(',')[1] ?? '';
  });
  return Buffer.from(data, 'base64');
}

const attach = (within: Locator, name: string, mimeType: string, buffer: Buffer) =>
  within.locator('input[type="file"]').setInputFiles({ name, mimeType, buffer });

/** A new user with the chat open. */
async function comesToChat(language: Language) {
  const customer = await Customer.arrives(shop, browser, language);
  await customer.joins();
  const own = (key: string, parameters?: Record<string, string | number>) =>
    customer.text(`support:${key}`, parameters);
  const chat = customer.page.getByRole('dialog', { name: own('title') });
  const entry = customer.page.getByRole('button', { name: customer.text('nav:contact-support') });
  await entry.click();
  await chat.waitFor();
  const writes = async (text: string) => {
    await chat.getByRole('textbox', { name: own('message') }).fill(text);
    await chat.getByRole('textbox', { name: own('message') }).press('Enter');
  };
  return { customer, own, chat, entry, writes };
}

test.each(inTurn(LANGUAGES))(
  'a customer sends a picture, an operator answers, and the conversation is closed, in %s',
  async (language) => {
    const { customer, own, chat, entry, writes } = await comesToChat(language);
    const { page } = customer;
    const where = page.url();

    // An HTML page named as a picture is refused and can be removed.
    await attach(chat, 'screen.png', 'image/png', Buffer.from('<script>alert(1)</script>'));
    await chat
      .getByRole('alert')
      .filter({ hasText: customer.text('validation:attachmentContent') })
      .waitFor();
    await chat.getByRole('button', { name: own('removeFile', { Name: 'screen.png' }) }).click();
    await attach(chat, 'screen.png', 'image/png', await picture(customer));
    await chat.getByText('screen.png').waitFor();
    await writes('407 since this morning');
    await chat.getByText('407 since this morning').waitFor();
    await chat.getByRole('button', { name: own('openPicture', { Name: 'screen.png' }) }).waitFor();
    await chat.getByText(own('sent')).waitFor();
    expect(page.url()).toBe(where);

    // The operator finds the waiting conversation, sees the picture, and the customer sees the read mark.
    const operator = await Customer.comesBack(shop, browser, language, 'operator@example.com');
    await operator.opens('/operator/support');
    await operator.heading(own('operator.title')).waitFor();
    await operator.page.getByRole('link', { name: customer.email }).click();
    const pane = operator.page.getByRole('region', { name: own('operator.with', { Name: customer.email }) });
    await pane.getByText('407 since this morning').waitFor();
    await pane.getByRole('button', { name: own('openPicture', { Name: 'screen.png' }) }).click();
    const viewer = operator.page.getByRole('dialog');
    await expect
      .poll(() =>
        viewer.getByRole('img', { name: 'screen.png' }).evaluate((image: HTMLImageElement) => image.naturalWidth),
      )
      .toBe(64);
    await viewer.getByRole('button', { name: customer.text('common:close') }).click();
    await chat.getByText(own('read')).waitFor();

    // The minimised chat announces an answer, which begins with a canned one.
    await chat.getByRole('button', { name: own('minimise') }).click();
    await pane.getByRole('button', { name: own('canned.title') }).click();
    await operator.page.getByRole('menuitem', { name: 'Greeting' }).click();
    const field = pane.getByRole('textbox', { name: own('message') });
    await expect.poll(() => field.inputValue()).toContain(`Hello ${customer.email}, thank you for writing to Postern.`);
    await field.press('End');
    await field.pressSequentially('Add the new address.');
    await field.press('Shift+Enter');
    await field.pressSequentially('It works at once.');
    await attach(pane, 'steps.txt', 'text/plain', Buffer.from('1. Proxy setup'));
    await pane.getByRole('button', { name: own('removeFile', { Name: 'steps.txt' }) }).waitFor();
    await expect.poll(() => pane.getByRole('button', { name: own('send'), exact: true }).isEnabled()).toBe(true);
    await field.press('Enter');
    await page.getByRole('button', { name: own('openUnread', { Count: 1 }) }).waitFor();
    await entry.getByText('1').waitFor();
    await entry.click();
    await chat.getByText('It works at once.').waitFor();
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      chat.getByRole('button', { name: own('saveFile', { Name: 'steps.txt' }) }).click(),
    ]);
    expect(saved.suggestedFilename()).toBe('steps.txt');
    await expect.poll(() => entry.getByText('1').count()).toBe(0);

    // Closed, and reopened by the next message.
    await pane.getByRole('button', { name: own('operator.closeIt') }).click();
    await pane.getByText(own('operator.state.closed'), { exact: true }).waitFor();
    await chat.getByText(own('closedBy', { Name: 'Postern' })).waitFor();
    await writes('All is well now');
    await pane.getByText('All is well now').waitFor();
    await pane.getByText(own('operator.state.open'), { exact: true }).waitFor();
    await chat.getByRole('button', { name: own('close') }).click();
    await chat.waitFor({ state: 'detached' });
    expect(page.url()).toBe(where);
  },
);

test.each(inTurn(LANGUAGES))(
  'a message that could not be sent arrives once when the network is back, in %s',
  async (language) => {
    const { customer, own, chat, writes } = await comesToChat(language);
    await customer.page.context().setOffline(true);
    await chat.getByText(own('offline')).waitFor();
    await writes('Is anybody there?');
    await chat.getByRole('button', { name: own('sendAgain') }).waitFor();
    await customer.page.context().setOffline(false);
    await chat.getByText(own('sent')).waitFor();
    expect(await chat.getByText('Is anybody there?').count()).toBe(1);
    customer.expectedProblems();

    // The draft is kept while minimised, and closing returns the focus.
    await chat.getByRole('textbox', { name: own('message') }).fill('half a sent');
    await customer.page.keyboard.press('Escape');
    await customer.page.getByRole('button', { name: own('open'), exact: true }).click();
    expect(await chat.getByRole('textbox', { name: own('message') }).inputValue()).toBe('half a sent');
  },
);

test('operators manage canned answers', async () => {
  const operator = await Customer.comesBack(shop, browser, 'en', 'operator@example.com');
  const own = (key: string, parameters?: Record<string, string | number>) =>
    operator.text(`support:${key}`, parameters);
  const { page } = operator;
  await operator.opens('/operator/support');
  await page.getByRole('link', { name: 'reseller@example.com' }).click();
  await page.getByRole('button', { name: own('canned.title') }).click();
  await page.getByRole('menuitem', { name: own('canned.manage') }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: own('canned.add') }).click();
  await dialog.getByLabel(own('canned.titleField')).fill('Opening hours');
  await dialog.getByLabel(own('canned.text'), { exact: true }).fill('We are here until six, {nobody}.');
  await dialog.getByRole('button', { name: operator.text('common:save') }).click();
  await dialog.getByText(operator.text('validation:unknownPlaceholder', { Value: '{nobody}' })).waitFor();
  await dialog.getByLabel(own('canned.text'), { exact: true }).fill('We are here until six, {name}.');
  await dialog.getByRole('button', { name: operator.text('common:save') }).click();
  await dialog.getByText('We are here until six, {name}.').waitFor();
  const askToDelete = dialog.getByRole('button', { name: own('canned.delete', { Title: 'Opening hours' }) });
  await askToDelete.click();
  await dialog.getByRole('button', { name: operator.text('common:cancel') }).click();
  await askToDelete.click();
  await dialog.getByRole('button', { name: operator.text('common:delete'), exact: true }).click();
  await expect.poll(() => dialog.getByText('Opening hours').count()).toBe(0);
});

test("another vendor's chat replaces the built-in one, from its host only", async () => {
  const widget = `window.posternChat = { open: (who) => {
    const box = document.createElement('div');
    box.setAttribute('role', 'status');
    box.textContent = 'Vendor chat for ' + who.email + ' in ' + who.language;
    document.body.append(box);
  } };`;
  const vendor = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/javascript');
    response.end(widget);
  });
  await new Promise<void>((listening) => vendor.listen(0, '127.0.0.1', listening));
  const { port } = vendor.address() as AddressInfo;
  const other = await Shop.open({ POSTERN_CHAT_SCRIPT_URL: `http://127.0.0.1:${port}/widget.js` });
  try {
    const customer = await Customer.comesBack(other, browser, 'en', 'customer@example.com');
    const where = customer.page.url();
    await customer.page.getByRole('button', { name: customer.text('nav:contact-support') }).click();
    await customer.sees('Vendor chat for customer@example.com in en');
    expect(customer.page.url()).toBe(where);
    expect(await customer.page.getByRole('dialog').count()).toBe(0);
    await customer.page.context().close();
  } finally {
    await other.close();
    vendor.close();
  }
});
