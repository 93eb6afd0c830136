// A faulty node of a customer is replaced: by one of its city, or by a chosen one.
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { onPhone, renderScreen } from '@/test/render';
import { answerWith, type Sent } from '@/test/server';
import { signInAs } from '@/test/staff';
import { last, node, OWNED, page, REGULAR, replies } from './fixtures';
import { InventoryPage } from './InventoryPage';

beforeEach(() => {
  onPhone();
  signInAs('operator');
});

const FAULTY = node(1, { ...OWNED, ExpiresAt: '2026-12-01 10:00:00' });
const REPLACED = { AccountId: 7, OldNodeId: 1, OldIp: '198.51.100.1', NewNodeId: 9, NewIp: '198.51.100.9' };

type Replies = Parameters<typeof answerWith>[0];

async function opensReplace(answer: Replies[string]) {
  const sent = answerWith({
    ...replies(),
    // The dialog's list asks for what is in stock.
    'Operator/GetInventory': ({ body }: Sent) =>
      (body.Filter as { State?: string }).State === 'available'
        ? page(node(8, { City: 'miami', CityNameEn: 'Miami' }), node(9))
        : page(FAULTY),
    'Operator/ReplaceNode': answer,
  });
  renderScreen(<InventoryPage />, '/operator/inventory');
  await userEvent.click(await screen.findByRole('button', { name: 'Actions for 198.51.100.1' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Replace' }));
  const dialog = within(await screen.findByRole('dialog'));
  const gives = (reason: string) => userEvent.type(dialog.getByLabelText('Reason'), reason);
  return { sent, dialog, gives };
}

test('another IP of the city, with a reason, and the faulty one off sale', async () => {
  const { sent, dialog, gives } = await opensReplace({ Data: REPLACED });
  expect(dialog.getByText('ann@example.com')).toBeVisible();
  expect(dialog.getByText('2026-12-01 10:00:00')).toBeVisible();
  expect(dialog.getByRole('radio', { name: /^Another IP in New York/ })).toBeChecked();
  const submit = dialog.getByRole('button', { name: 'Replace' });
  await userEvent.click(submit);
  await waitFor(() => expect(dialog.getByLabelText('Reason')).toBeInvalid());
  expect(last(sent, 'Operator/ReplaceNode')).toBeUndefined();
  await gives('It is offline');
  await userEvent.click(submit);
  expect(await screen.findByText('198.51.100.9')).toBeVisible();
  expect(last(sent, 'Operator/ReplaceNode')).toEqual({ NodeId: 1, Reason: 'It is offline', Retire: true });
  expect(screen.getByRole('dialog')).toHaveTextContent('ann@example.com now has 198.51.100.9');
  await userEvent.click(screen.getByRole('button', { name: 'Done' }));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('without stock in the city, the operator chooses another IP, and keeps the faulty one', async () => {
  const answers = [
    { Code: 4002, Message: 'Out of stock', Data: { Available: 0, Country: 'US', City: 'new-york' } },
    { Data: { ...REPLACED, NewIp: '198.51.100.8' } },
  ];
  const { sent, dialog, gives } = await opensReplace(() => answers.shift() ?? 'network');
  await gives('It is offline');
  await userEvent.click(dialog.getByRole('checkbox', { name: /Take the faulty IP off sale/ }));
  await userEvent.click(dialog.getByRole('button', { name: 'Replace' }));
  expect(await dialog.findByText(/No other IP of this plan is in stock in New York/)).toBeVisible();
  expect(dialog.queryByText('Out of stock')).toBeNull();
  await userEvent.click(dialog.getByRole('button', { name: 'Choose another city' }));
  expect(dialog.queryByText(/is in stock in New York/)).toBeNull();
  expect(dialog.getByRole('button', { name: 'Replace' })).toBeDisabled();
  await userEvent.click(await dialog.findByRole('checkbox', { name: /198\.51\.100\.8/ }));
  expect(last(sent, 'Operator/GetInventory')?.Filter).toEqual({ State: 'available', VerStr: REGULAR, Country: 'US' });
  expect(dialog.getByLabelText('Reason')).toHaveValue('It is offline');
  await userEvent.type(dialog.getByRole('searchbox'), '198');
  await waitFor(() => expect(last(sent, 'Operator/GetInventory')?.Search).toBe('198'));
  // Enter in the search does not send the form, as a browser would.
  expect(fireEvent.keyDown(dialog.getByRole('searchbox'), { key: 'Enter' })).toBe(false);
  await userEvent.click(dialog.getByRole('button', { name: 'Replace with 198.51.100.8' }));
  await screen.findByRole('button', { name: 'Done' });
  expect(last(sent, 'Operator/ReplaceNode')).toEqual({
    NodeId: 1,
    NewNodeId: 8,
    Reason: 'It is offline',
    Retire: false,
  });
});

test('a chosen IP that was sold meanwhile, and any other refusal, are explained in the dialog', async () => {
  const Fields = { NewNodeId: [{ Rule: 'notInStock', Params: {} }] };
  const answers = [
    { Code: 2001, Message: '', Data: { Fields } },
    { Code: 4005, Message: 'The state does not allow this', Data: {} },
  ];
  const { dialog, gives } = await opensReplace(() => answers.shift() ?? 'network');
  await gives('slow');
  await userEvent.click(dialog.getByRole('radio', { name: /^An IP that I choose/ }));
  await userEvent.click(await dialog.findByRole('checkbox', { name: /198\.51\.100\.9/ }));
  await userEvent.click(dialog.getByRole('button', { name: 'Replace with 198.51.100.9' }));
  expect(await dialog.findByText(/^This static proxy is not in stock/)).toBeVisible();
  await userEvent.click(dialog.getByRole('radio', { name: /^Another IP in New York/ }));
  expect(dialog.queryByText(/^This static proxy is not in stock/)).toBeNull();
  await userEvent.click(dialog.getByRole('button', { name: 'Replace' }));
  expect(await dialog.findByText('The state does not allow this')).toBeVisible();
});
