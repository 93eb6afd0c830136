// Webhooks: cards, validation, secrets and deliveries.
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { onPhone, renderScreen } from '@/test/render';
import { answerWith } from '@/test/server';
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
