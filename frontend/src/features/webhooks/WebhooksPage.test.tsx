// Webhooks: cards, validation, secrets and deliveries.
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { onPhone, renderScreen } from '@/test/render';
import { answerWith } from '@/test/server';
import { signInAs } from '@/test/staff';
import { showToast } from '@/ui/toast';
import { WebhooksPage } from './WebhooksPage';

const URL = 'https://hooks.example.com/postern';
const webhook = (changes: object = {}) => ({
  WebhookId: 1,
  Url: URL,
  Description: 'books',
  Events: ['order.paid', 'wallet.low'],
  State: 'enabled',
  CreatedAt: '2026-11-01 10:00:00',
  LastAttemptAt: '2026-11-20 10:00:00',
  LastStatus: 503,
  LastProblem: 'bad_status',
  RecentAttempts: 40,
  RecentFailures: 2,
  IsOfShop: false,
  ...changes,
});
const listOf = (...Webhooks: object[]) => ({ Data: { Webhooks, MaxWebhooks: 10, TestHosts: [] } });
const delivery = {
  DeliveryId: 7,
  WebhookId: 1,
  MessageId: 'msg_7',
  Kind: 'order.paid',
  State: 'failed',
  Attempts: 1,
  CreatedAt: '2026-11-20 10:00:00',
  LastAttemptAt: '2026-11-20 10:00:01',
  Status: 503,
  Problem: 'bad_status',
  DurationMs: 41,
};
const REPLIES = {
  'Webhooks/GetWebhookList': listOf(webhook()),
  'Webhooks/GetDeliveryList': { Data: { Rows: [delivery], Total: 1 } },
  'Webhooks/GetDelivery': {
    Data: {
      Delivery: delivery,
      Url: URL,
      IsOfShop: false,
      Body: '{"type":"order.paid"}',
      Attempts: [
        {
          AttemptedAt: '2026-11-20 10:00:01',
          DurationMs: 41,
          Status: 503,
          Problem: 'bad_status',
          RequestHeaders: [{ Name: 'webhook-id', Value: 'msg_7' }],
          AnswerHeaders: [],
          Answer: 'restarting',
        },
      ],
    },
  },
};

beforeEach(onPhone);

test('without webhooks the screen offers to add the first one', async () => {
  answerWith({ 'Webhooks/GetWebhookList': listOf() });
  renderScreen(<WebhooksPage />);
  expect(await screen.findByText('No webhooks yet')).toBeVisible();
  expect(screen.queryByText('Deliveries')).toBeNull();
});

test('a failed load can be retried', async () => {
  answerWith({});
  renderScreen(<WebhooksPage />);
  const retry = await screen.findByRole('button', { name: 'Try again' });
  answerWith(REPLIES);
  await userEvent.click(retry);
  expect(await screen.findByRole('article', { name: URL })).toBeVisible();
});

test('a card shows the events and recent deliveries of a webhook', async () => {
  answerWith(REPLIES);
  renderScreen(<WebhooksPage />);
  const card = await screen.findByRole('article', { name: URL });
  expect(within(card).getByText('2 events')).toBeVisible();
  expect(within(card).getByText('503')).toBeVisible();
  expect(within(card).getByText('2 of 40')).toBeVisible();
});

test('a webhook that was turned off after failures says so, and can be turned on', async () => {
  const sent = answerWith({
    ...REPLIES,
    'Webhooks/GetWebhookList': listOf(webhook({ State: 'failed', FailingSince: '2026-11-10 10:00:00' })),
    'Webhooks/EnableWebhook': listOf(webhook()),
  });
  renderScreen(<WebhooksPage />);
  expect(await screen.findByRole('alert')).toHaveTextContent('Deliveries failed for days');
  await userEvent.click(screen.getByRole('button', { name: 'Turn on' }));
  expect(await screen.findByRole('button', { name: 'Send test event' })).toBeVisible();
  expect(sent.find((one) => one.call === 'Webhooks/EnableWebhook')?.body).toEqual({ WebhookId: 1, IsEnabled: true });
});

test('a forbidden URL is refused at its field, and the secret is shown at the end', async () => {
  const sent = answerWith({
    ...REPLIES,
    'Webhooks/AddWebhook': { Data: { WebhookId: 2, Secret: 'whsec_c2VjcmV0' } },
  });
  renderScreen(<WebhooksPage />);
  await screen.findByRole('article', { name: URL });
  await userEvent.click(screen.getByRole('button', { name: 'Add webhook' }));
  const dialog = await screen.findByRole('dialog', { name: 'Add webhook' });
  const url = within(dialog).getByLabelText('URL');
  await userEvent.type(url, 'https://127.0.0.1/');
  await userEvent.click(within(dialog).getByRole('radio', { name: /Only chosen events/ }));
  await userEvent.click(within(dialog).getByRole('button', { name: 'Add' }));
  await waitFor(() => expect(url).toBeInvalid());
  expect(await within(dialog).findByText('Choose at least one event')).toBeVisible();
  expect(sent.some((one) => one.call === 'Webhooks/AddWebhook')).toBe(false);
  await userEvent.clear(url);
  await userEvent.type(url, 'https://hooks.example.com/in');
  await userEvent.click(within(dialog).getByRole('checkbox', { name: 'All of Wallet' }));
  await userEvent.click(within(dialog).getByRole('checkbox', { name: /wallet\.low/ }));
  await userEvent.click(within(dialog).getByRole('button', { name: 'Add' }));
  expect(await screen.findByText('whsec_c2VjcmV0')).toBeVisible();
  const body = sent.find((one) => one.call === 'Webhooks/AddWebhook')?.body ?? {};
  expect(body.Events).toContain('wallet.topped_up');
  expect(body.Events).not.toContain('wallet.low');
});

test('a delivery shows request and response, and can be resent', async () => {
  const sent = answerWith({ ...REPLIES, 'Webhooks/ResendDelivery': { Data: { DeliveryId: 7 } } });
  renderScreen(<WebhooksPage />, '/?DeliveryId=7');
  const dialog = await screen.findByRole('dialog', { name: 'Order paid' });
  expect(within(dialog).getByText('webhook-id: msg_7')).toBeVisible();
  expect(within(dialog).getByText('restarting')).toBeVisible();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Resend' }));
  await waitFor(() => expect(showToast).toHaveBeenCalledWith('The delivery is being resent', 'success'));
  const resent = sent.find((one) => one.call === 'Webhooks/ResendDelivery');
  expect(resent?.headers['Idempotency-Key']).toBeTruthy();
});

test('rotating a secret asks for confirmation, and says that both secrets sign for a day', async () => {
  answerWith({
    ...REPLIES,
    'Webhooks/RotateWebhookSecret': {
      Data: { WebhookId: 1, Secret: 'whsec_bmV3', OldSecretUntil: '2026-11-21 10:00:00' },
    },
  });
  renderScreen(<WebhooksPage />);
  await userEvent.click(await screen.findByRole('button', { name: `Actions for ${URL}` }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Rotate secret' }));
  const dialog = await screen.findByRole('dialog');
  expect(within(dialog).getByText(/For 24 hours, requests are signed with both/)).toBeVisible();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Rotate' }));
  expect(await screen.findByText('whsec_bmV3')).toBeVisible();
});

/** Opens the form of a new webhook, and types its URL. */
async function addsAnother() {
  const sent = answerWith({ ...REPLIES, 'Webhooks/AddWebhook': { Data: { WebhookId: 2, Secret: 'whsec_c2VjcmV0' } } });
  renderScreen(<WebhooksPage />);
  await screen.findByRole('article', { name: URL });
  await userEvent.click(screen.getByRole('button', { name: 'Add webhook' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Add webhook' }));
  await userEvent.type(dialog.getByLabelText('URL'), 'https://hooks.example.com/in');
  const adds = async () => {
    await userEvent.click(dialog.getByRole('button', { name: 'Add' }));
    await screen.findByText('whsec_c2VjcmV0');
    return sent.find((one) => one.call === 'Webhooks/AddWebhook')?.body;
  };
  return { dialog, adds };
}

test('an operator adds a webhook of the shop, which receives nothing about the security of accounts', async () => {
  signInAs('operator');
  const { dialog, adds } = await addsAnother();
  expect(dialog.getByRole('radio', { name: /^My account/ })).toBeChecked();
  await userEvent.click(dialog.getByRole('radio', { name: /^Only chosen events/ }));
  await userEvent.click(dialog.getByRole('checkbox', { name: 'All of Security' }));
  await userEvent.click(dialog.getByRole('checkbox', { name: /wallet\.low/ }));
  await userEvent.click(dialog.getByRole('radio', { name: /^All accounts of the shop.*AccountId and Email/ }));
  expect(dialog.queryByRole('checkbox', { name: /security/i })).toBeNull();
  expect(dialog.getByRole('checkbox', { name: /wallet\.low/ })).toBeChecked();
  expect(await adds()).toMatchObject({ IsOfShop: true, Events: ['wallet.low'] });
});

test('an operator adds a webhook of the own account', async () => {
  signInAs('operator');
  const { adds } = await addsAnother();
  expect(await adds()).toEqual({ Url: 'https://hooks.example.com/in' });
});

test.each(['support', 'accountant', undefined] as const)('the role %s is not asked whose events', async (role) => {
  if (role) signInAs(role);
  const { dialog, adds } = await addsAnother();
  expect(dialog.queryByRole('group', { name: 'Events of' })).toBeNull();
  expect(await adds()).not.toHaveProperty('IsOfShop');
});

test('a webhook of the shop is marked, and its form and its deliveries say so', async () => {
  signInAs('operator');
  const other = webhook({ WebhookId: 2, Url: 'https://own.example.com/' });
  const sent = answerWith({
    ...REPLIES,
    'Webhooks/GetWebhookList': listOf(webhook({ IsOfShop: true }), other),
    'Webhooks/EditWebhook': listOf(webhook({ IsOfShop: true }), other),
    'Webhooks/GetDelivery': { Data: { Delivery: delivery, Url: URL, IsOfShop: true, Body: '{}', Attempts: [] } },
  });
  renderScreen(<WebhooksPage />);
  const cards = [URL, other.Url].map((name) => screen.findByRole('article', { name }));
  const [ofShop, own] = await Promise.all(cards);
  expect(within(ofShop as HTMLElement).getByText('Shop')).toBeVisible();
  expect(within(own as HTMLElement).queryByText('Shop')).toBeNull();

  await userEvent.click(screen.getByRole('button', { name: `Actions for ${URL}` }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Edit' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText(/receives the events of all accounts of the shop/)).toBeVisible();
  expect(dialog.queryByRole('radio', { name: /^My account/ })).toBeNull();
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent.find((one) => one.call === 'Webhooks/EditWebhook')?.body).not.toHaveProperty('IsOfShop');

  await userEvent.click(await screen.findByRole('link', { name: /^Show delivery/ }));
  const panel = within(await screen.findByRole('dialog', { name: 'Order paid' }));
  expect(await panel.findByText('All accounts of the shop')).toBeVisible();
});
