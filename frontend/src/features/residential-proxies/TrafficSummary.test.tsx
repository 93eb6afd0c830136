// Remaining traffic, and the automatic reorder.
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { renderScreen } from '@/test/render';
import { answerWith } from '@/test/server';
import { BatchList } from './BatchList';
import { batch, commonReplies, reorder, traffic } from './fixtures';
import { TrafficSummary } from './TrafficSummary';

test('without any purchase it offers to buy traffic', async () => {
  answerWith({ ...commonReplies(), 'Traffic/GetTraffic': { Data: traffic({ Batches: [], LeftBytes: 0 }) } });
  renderScreen(<TrafficSummary />);
  expect(await screen.findByText('No traffic yet')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Buy traffic' })).toHaveAttribute('href', '/residential-proxies/order');
});

test('left, used and overdrawn traffic is shown', async () => {
  const GB = 1_000_000_000;
  answerWith({
    ...commonReplies(),
    'Traffic/GetTraffic': {
      Data: traffic({
        LeftBytes: 0,
        UsedBytes: 50 * GB,
        OverdraftBytes: 3_450_000,
        Batches: [batch(1, { LeftBytes: 0, UsedBytes: 50 * GB, IsOver: true })],
      }),
    },
  });
  renderScreen(<TrafficSummary />);
  expect(await screen.findByText(/Your traffic is used up/)).toBeVisible();
  expect(screen.getByText('50 GB of 50 GB used')).toBeVisible();
  expect(screen.getByText(/^3.45 MB went through/)).toBeVisible();
});

test('an automatic reorder is saved, and invalid input is reported at its field', async () => {
  const sent = answerWith({
    ...commonReplies(),
    'Traffic/SetReorder': ({ body }) =>
      body.MonthlyLimit === '10'
        ? {
            Code: 2001,
            Message: 'x',
            Data: { Fields: { MonthlyLimit: [{ Rule: 'amountMin', Params: { Min: '150.00' } }] } },
          }
        : { Data: traffic({ Reorder: reorder() }) },
  });
  renderScreen(<TrafficSummary />);
  await userEvent.click(await screen.findByRole('button', { name: 'Set up' }));
  const dialog = await screen.findByRole('dialog', { name: 'Automatic reorder' });
  await userEvent.type(await within(dialog).findByLabelText(/When less than this is left/), '5');
  await userEvent.type(within(dialog).getByLabelText('Amount to buy (GB)'), '1.5');
  await userEvent.type(within(dialog).getByLabelText(/Monthly limit/), '10');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Turn on' }));
  expect(await within(dialog).findByText(/Enter a whole number/)).toBeVisible();
  await userEvent.clear(within(dialog).getByLabelText('Amount to buy (GB)'));
  await userEvent.type(within(dialog).getByLabelText('Amount to buy (GB)'), '50');
  expect(within(dialog).getByText("At today's price: $150.00")).toBeVisible();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Turn on' }));
  expect(await within(dialog).findByText('At least 150.00')).toBeVisible();
  await userEvent.type(within(dialog).getByLabelText(/Monthly limit/), '0');
  await userEvent.clear(within(dialog).getByLabelText(/Monthly limit/));
  await userEvent.type(within(dialog).getByLabelText(/Monthly limit/), '300');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Turn on' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(screen.getByText('Below 5 GB: 50 GB, 30 days, at most $300.00 a month')).toBeVisible();
  expect(sent.filter((one) => one.call === 'Traffic/SetReorder').at(-1)?.body).toEqual({
    IsOn: true,
    ThresholdGigabytes: '5',
    Gigabytes: 50,
    PeriodDays: 30,
    MonthlyLimit: '300',
  });
});

test('a failed reorder shows the reason, and is turned off with its settings unchanged', async () => {
  const failed = reorder({ Failure: 'balance_too_low', FailedAt: '2026-11-20 10:00:00' });
  const sent = answerWith({
    ...commonReplies(),
    'Traffic/GetTraffic': { Data: traffic({ Reorder: failed }) },
    'Traffic/SetReorder': { Data: traffic({ Reorder: reorder({ IsOn: false }) }) },
  });
  renderScreen(<TrafficSummary />);
  expect(await screen.findByText(/your wallet balance was too low/)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Change' }));
  const dialog = await screen.findByRole('dialog');
  await userEvent.clear(await within(dialog).findByLabelText('Amount to buy (GB)'));
  await userEvent.click(within(dialog).getByRole('button', { name: 'Turn off' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent.find((one) => one.call === 'Traffic/SetReorder')?.body).toMatchObject({ IsOn: false, Gigabytes: 50 });
});

test('without traffic on sale, a reorder can be turned off but not changed', async () => {
  const sent = answerWith({
    ...commonReplies(),
    'Traffic/GetTrafficCatalogue': { Data: { Currency: 'USD', Offers: [] } },
    'Traffic/GetTraffic': { Data: traffic({ Reorder: reorder() }) },
    'Traffic/SetReorder': { Data: traffic({ Reorder: reorder({ IsOn: false }) }) },
  });
  renderScreen(<TrafficSummary />);
  await userEvent.click(await screen.findByRole('button', { name: 'Change' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(await dialog.findByText('Traffic is not on sale right now')).toBeVisible();
  expect(dialog.getByText(/Your settings are kept/)).toBeVisible();
  expect(dialog.queryByRole('button', { name: 'Save changes' })).toBeNull();
  await userEvent.click(dialog.getByRole('button', { name: 'Turn off' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const { SpentThisMonth: _, ...settings } = reorder({ IsOn: false });
  expect(sent.find((one) => one.call === 'Traffic/SetReorder')?.body).toEqual(settings);
  // Now off, it cannot be turned on.
  await userEvent.click(screen.getByRole('button', { name: 'Set up' }));
  expect(await screen.findByText('Contact us, or check again later.')).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Turn o/ })).toBeNull();
});

test('every batch shows its order, remaining traffic and expiry', async () => {
  const { EndsAt: _, ...forever } = batch(3);
  answerWith({
    ...commonReplies(),
    'Traffic/GetTraffic': {
      Data: traffic({ Batches: [batch(1, { EndsSoon: true }), forever, batch(2, { IsOver: true })] }),
    },
  });
  renderScreen(<BatchList />);
  const items = await screen.findAllByRole('listitem');
  expect(items.map((item) => within(item).getByRole('link').textContent)).toEqual(['PO1', 'PO3', 'PO2']);
  expect(within(items[0] as HTMLElement).getByText('Expires soon')).toBeVisible();
  expect(within(items[1] as HTMLElement).getByText('Never')).toBeVisible();
  expect(within(items[2] as HTMLElement).getByText('Ended')).not.toBeVisible();
  await userEvent.click(screen.getByText('Used up or expired (1)'));
  expect(within(items[2] as HTMLElement).getByText('Ended')).toBeVisible();
});
