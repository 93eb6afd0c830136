// Limits on what one customer may leave unpaid, and steps of the limit on held IPs.
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { useUserStore } from '@/stores/user';
import { renderScreen } from '@/test/render';
import { answerWith, type Sent } from '@/test/server';
import { showToast } from '@/ui/toast';
import { limits, signedInAs } from './fixtures';
import { PricesPage } from './PricesPage';

function opens(
  more: Parameters<typeof answerWith>[0] = {},
  role: Parameters<typeof signedInAs>[0] = 'operator',
): Sent[] {
  useUserStore.setState({ info: signedInAs(role) });
  const sent = answerWith({ 'Operator/GetLimits': { Data: limits() }, ...more });
  renderScreen(<PricesPage />, '/?view=limits');
  return sent;
}

const bodies = (sent: Sent[], call: string) => sent.filter((one) => one.call === call).map(({ body }) => body);
const opened = async (name: string) => {
  await userEvent.click(await screen.findByRole('button', { name }));
  return within(await screen.findByRole('dialog'));
};

test('a limit is changed, and the answer is shown', async () => {
  const [first, ...others] = limits().Limits;
  const sent = opens({ 'Operator/SetLimit': { Data: limits({ Limits: [{ ...first, Most: 30 }, ...others] }) } });
  const dialog = await opened('Edit: Unpaid orders');
  const most = dialog.getByLabelText('At most this many');
  expect(most).toHaveValue('20');
  await userEvent.clear(most);
  await userEvent.type(most, '30');
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await screen.findByRole('row', { name: /^Unpaid orders 30/ })).toBeVisible();
  expect(bodies(sent, 'Operator/SetLimit')).toEqual([{ Limit: 'unpaid_orders', Most: '30' }]);
  expect(bodies(sent, 'Operator/GetPrices')).toEqual([]);
  expect(showToast).toHaveBeenCalledWith('The limit is changed', 'success');
});

test('the server’s refusal stands at the field, with what was typed', async () => {
  const Fields = { Most: [{ Rule: 'wholeNumber', Params: { Max: '10000' } }] };
  opens({ 'Operator/SetLimit': { Code: 2002, Message: 'Invalid', Data: { Fields } } });
  const dialog = await opened('Edit: Open top-ups');
  const most = dialog.getByLabelText('At most this many');
  await userEvent.clear(most);
  await userEvent.type(most, 'many');
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(most).toHaveAccessibleDescription('Enter a whole number from 1 to 10,000'));
  expect(most).toHaveValue('many');
});

test('a step is added; without a number of IPs nothing is sent, because that would remove it', async () => {
  const sent = opens({ 'Operator/SetHoldStep': { Data: limits() } });
  const dialog = await opened('Add step');
  await userEvent.type(dialog.getByLabelText('From this amount in USD'), '500');
  await userEvent.click(dialog.getByRole('button', { name: 'Add' }));
  expect(dialog.getByLabelText('IPs')).toHaveAccessibleDescription(/required/i);
  expect(bodies(sent, 'Operator/SetHoldStep')).toEqual([]);
  await userEvent.type(dialog.getByLabelText('IPs'), '1000');
  await userEvent.click(dialog.getByRole('button', { name: 'Add' }));
  await waitFor(() => expect(bodies(sent, 'Operator/SetHoldStep')).toEqual([{ From: '500', Ips: '1000' }]));
});

test('a step is edited and removed, but that of all customers only edited', async () => {
  const sent = opens({ 'Operator/SetHoldStep': { Data: limits({ HoldSteps: [{ From: '0.00', Ips: 20 }] }) } });
  expect(await screen.findByRole('button', { name: 'Edit: All customers' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Remove: All customers' })).toBeNull();
  const dialog = await opened('Remove: From $50.00');
  expect(dialog.getByText(/next lower step/)).toBeVisible();
  await userEvent.click(dialog.getByRole('button', { name: 'Remove' }));
  await waitFor(() => expect(screen.queryByRole('row', { name: /^From \$50\.00/ })).toBeNull());
  expect(bodies(sent, 'Operator/SetHoldStep')).toEqual([{ From: '50.00' }]);
});

/** The limits with another value for one of them. */
const changed = (Limit: string, Most: number) =>
  limits({ Limits: limits().Limits.map((one) => (one.Limit === Limit ? { Limit, Most } : one)) });

test('what support may refund is an amount in the table of staff', async () => {
  const sent = opens({ 'Operator/SetLimit': { Data: changed('support_refund', 1200) } });
  const table = within(await screen.findByRole('table', { name: 'Staff' }));
  expect(table.getByRole('row', { name: /^Refunds by support, per order \$50\.00/ })).toBeVisible();
  const unpaid = within(screen.getByRole('table', { name: 'Open at the same time' }));
  expect(unpaid.queryByText(/Refunds/)).toBeNull();
  const dialog = await opened('Edit: Refunds by support, per order');
  const most = dialog.getByLabelText('At most, in USD');
  expect(most).toHaveValue('50');
  expect(dialog.queryByText(/already open/)).toBeNull();
  await userEvent.clear(most);
  await userEvent.type(most, '1200');
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await screen.findByRole('row', { name: /\$1,200\.00/ })).toBeVisible();
  expect(bodies(sent, 'Operator/SetLimit')).toEqual([{ Limit: 'support_refund', Most: '1200' }]);
});

test('changes in a view are a number in the table of staff: none, until the seller allows some', async () => {
  const sent = opens({ 'Operator/SetLimit': { Data: changed('view_changes', 2000) } });
  const table = within(await screen.findByRole('table', { name: 'Staff' }));
  expect(table.getByRole('row', { name: /^Changes in one view as a customer None/ })).toBeVisible();
  const unpaid = within(screen.getByRole('table', { name: 'Open at the same time' }));
  expect(unpaid.queryByText(/Changes/)).toBeNull();
  const dialog = await opened('Edit: Changes in one view as a customer');
  const most = dialog.getByLabelText('At most this many');
  expect(most).toHaveAccessibleDescription('Zero for views that only read');
  expect(dialog.getByText(/^Only for setting up proxies: notes, /)).toBeVisible();
  expect(dialog.getByText(/audit log as “Made a change as the customer”/)).toBeVisible();
  expect(dialog.queryByText(/already open|refunds/)).toBeNull();
  await userEvent.clear(most);
  await userEvent.type(most, '2000');
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await table.findByRole('row', { name: /^Changes in one view as a customer 2,000/ })).toBeVisible();
  expect(bodies(sent, 'Operator/SetLimit')).toEqual([{ Limit: 'view_changes', Most: '2000' }]);
});

test('an accountant reads the limits, and changes none', async () => {
  opens({}, 'accountant');
  expect(await screen.findByRole('row', { name: 'Unpaid orders 20' })).toBeVisible();
  expect(screen.getByRole('row', { name: 'From $50.00 200' })).toBeVisible();
  expect(screen.queryByRole('button', { name: /^(Edit|Remove|Add)/ })).toBeNull();
});
