// Money that went back: what was taken and is owed, evidence and its download, and how far the shop's refunds have come.
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { beforeEach, expect, test, vi } from 'vitest';
import { onPhone, renderScreen } from '@/test/render';
import { answerWith, type Sent } from '@/test/server';
import { forbidden, signInAs } from '@/test/staff';
import { saveFile } from '@/ui/saveFile';
import { toastError } from '@/ui/toast';
import { page, paymentReturn, refundByHand } from './fixtures';
import { ReturnList } from './ReturnList';

const LIST = 'Operator/GetPaymentReturnList';
const EVIDENCE = 'Operator/GetDisputeEvidence';
const last = (sent: Sent[], call = LIST) => sent.findLast((one) => one.call === call)?.body;
const SAVE = { name: 'Save the evidence for PO23456789AB as PDF' };

beforeEach(() => {
  onPhone();
  signInAs('operator');
});

/** The only row of the list. */
async function shows(row: object) {
  answerWith({ [LIST]: page([row]) });
  renderScreen(<ReturnList />);
  return within(await screen.findByRole('listitem'));
}

test('evidence that the server refuses is not saved, and can be asked for again', async () => {
  answerWith({ [LIST]: page([paymentReturn()]), [EVIDENCE]: { Code: 4290, Message: 'Too many attempts' } });
  renderScreen(<ReturnList />);
  await userEvent.click(await screen.findByRole('button', SAVE));
  await waitFor(() => expect(toastError).toHaveBeenCalledWith('Too many attempts'));
  expect(screen.getByRole('button', SAVE)).toBeEnabled();
  expect(saveFile).not.toHaveBeenCalled();
});

test('the evidence of a dispute is saved as PDF, in the language of the screen', async () => {
  let answer = (_: object) => {};
  const sent = answerWith({
    [LIST]: page([paymentReturn()]),
    [EVIDENCE]: () => new Promise((resolve) => (answer = resolve as typeof answer)),
  });
  renderScreen(<ReturnList />);
  await userEvent.click(await screen.findByRole('button', SAVE));
  expect(screen.getByRole('button', SAVE)).toHaveAttribute('aria-busy', 'true');
  await waitFor(() => expect(last(sent, EVIDENCE)).toEqual({ ReturnId: 5 }));
  expect(sent.at(-1)?.headers['Accept-Language']).toMatch(/^en/);
  answer({ file: 'evidence-PO23456789AB.pdf', text: '%PDF-' });
  await waitFor(() => expect(vi.mocked(saveFile).mock.calls[0]?.[0].name).toBe('evidence-PO23456789AB.pdf'));
  expect(screen.getByRole('button', SAVE)).toBeEnabled();
});

test('an open dispute says why, what was taken, and until when evidence is due', async () => {
  const row = await shows(paymentReturn());
  expect(row.getByText('Dispute · fraudulent')).toBeVisible();
  expect(row.getByText('Being decided')).toHaveAttribute('data-tone', 'warn');
  expect(row.getByText('$20.00')).toBeVisible();
  expect(row.getByRole('link', { name: 'ann@example.com' })).toHaveAttribute('href', '/operator/accounts/7');
  expect(row.getByRole('link', { name: 'PO23456789AB' })).toHaveAttribute(
    'href',
    '/operator/orders?OrderNumber=PO23456789AB',
  );
  expect(row.getByText(/^Evidence due/)).toHaveTextContent(/^Evidence due in [\d,]+ days$/);
  expect(row.queryByText(/Owes/)).toBeNull();
});

test.each([
  ['dispute', 'final', 'Lost', 'neutral'],
  ['dispute', 'undone', 'Won', 'good'],
  ['refund', 'open', 'Pending', 'warn'],
  ['refund', 'final', 'Refunded', 'neutral'],
  ['refund', 'undone', 'Failed', 'good'],
  ['invalid', 'final', 'Invalid', 'neutral'],
  ['invalid', 'undone', 'Valid again', 'good'],
])('a %s that is %s is called %s', async (Kind, State, text, tone) => {
  const row = await shows(paymentReturn({ Kind, State, Reason: '', DueAt: null }));
  expect(row.getByText(text)).toHaveAttribute('data-tone', tone);
  expect(row.getByText('Owes $5.00 in all')).toBeVisible();
  expect(row.queryAllByRole('button', SAVE)).toHaveLength(Kind === 'dispute' ? 1 : 0);
});

test('a dispute that is decided has no time for evidence, and who owes nothing is not said to', async () => {
  const row = await shows(paymentReturn({ State: 'undone', Taken: '0.00', Owed: '0.00' }));
  expect(row.getByText('$0.00')).toBeVisible();
  expect(row.queryByText(/Evidence due/)).toBeNull();
  expect(row.queryByText(/Owes/)).toBeNull();
});

test.each([
  ['requested', 'Requested', 'accent'],
  ['by_hand', 'By hand', 'warn'],
  ['on_its_way', 'On its way', 'accent'],
  ['to_be_claimed', 'To be claimed', 'warn'],
  ['arrived', 'Arrived', 'good'],
  ['failed', 'Failed', 'bad'],
])("a refund of the shop's says how far it has come: %s", async (Progress, text, tone) => {
  const row = await shows(refundByHand({ Progress, CanBeSettled: false }));
  expect(row.getByText('Shop refund')).toBeVisible();
  expect(row.getByText(text)).toHaveAttribute('data-tone', tone);
  expect(row.queryByRole('button')).toBeNull();
});

test('why a refund could not be sent is said on request, also to those who have no pointer', async () => {
  const row = await shows(refundByHand({ Trouble: 'No such charge', CanBeSettled: false }));
  const why = row.getByRole('button', { name: 'Why the last attempt failed' });
  expect(screen.queryByText('No such charge')).toBeNull();
  why.focus();
  await userEvent.keyboard('{Enter}');
  const told = await screen.findByRole('dialog', { name: 'Why the last attempt failed' });
  expect(within(told).getByText('No such charge')).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByText('No such charge')).toBeNull());
  expect(why).toHaveFocus();
});

test.each([
  ['en', 'Record the outcome of the refund of PO23456789AB', 'Record the outcome of a refund'],
  ['zh', '登记 PO23456789AB 的退款结果', '登记退款结果'],
] as const)('%s: the outcome of a refund by hand is recorded from its row', async (language, name, title) => {
  await i18next.changeLanguage(language);
  const row = await shows(refundByHand());
  await userEvent.click(row.getByRole('button', { name }));
  expect(await screen.findByRole('dialog', { name: title })).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(row.getByRole('button', { name })).toHaveFocus();
});

test('filters are in the address', async () => {
  const sent = answerWith({ [LIST]: page([paymentReturn()]) });
  const { addressNow } = renderScreen(<ReturnList />, '/?AccountId=7');
  await screen.findByRole('listitem');
  expect(last(sent)?.Filter).toEqual({ AccountId: 7 });
  await userEvent.selectOptions(screen.getByLabelText('Type'), 'Dispute');
  await userEvent.selectOptions(screen.getByLabelText('Status'), 'Money is gone');
  await userEvent.selectOptions(screen.getByLabelText('Gateway'), 'Card, Alipay or WeChat Pay');
  const Filter = { Kind: 'dispute', State: 'final', Gateway: 'stripe' };
  await waitFor(() => expect(last(sent)?.Filter).toEqual({ ...Filter, AccountId: 7 }));
  await userEvent.click(screen.getByRole('button', { name: 'Account 7' }));
  await waitFor(() => expect(last(sent)?.Filter).toEqual(Filter));
  expect(addressNow()).toBe('/?Kind=dispute&State=final&Gateway=stripe');
});

test('a failed load can be tried again', async () => {
  answerWith({ [LIST]: { Code: 5000, Message: 'Not now' } });
  renderScreen(<ReturnList />);
  expect(await screen.findByText('Not now')).toBeVisible();
  answerWith({ [LIST]: page([paymentReturn()]) });
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('listitem')).toBeVisible();
});

test.each(['support', 'accountant'] as const)('%s reads the list and saves evidence', async (role) => {
  signInAs(role);
  const sent = answerWith({
    [LIST]: page([paymentReturn()]),
    [EVIDENCE]: { file: 'evidence-PO23456789AB.pdf', text: '%PDF-' },
  });
  renderScreen(<ReturnList />);
  await userEvent.click(await screen.findByRole('button', SAVE));
  await waitFor(() => expect(saveFile).toHaveBeenCalledOnce());
  expect(forbidden(sent, role)).toEqual([]);
});

test.each(['support', 'accountant'] as const)('%s does not record outcomes', async (role) => {
  signInAs(role);
  const row = await shows(refundByHand());
  expect(row.getByText('By hand')).toBeVisible();
  expect(row.queryByRole('button')).toBeNull();
});

test('refunds of the shop can be asked for alone', async () => {
  const sent = answerWith({ [LIST]: page([refundByHand()]) });
  renderScreen(<ReturnList />);
  await screen.findByRole('listitem');
  await userEvent.selectOptions(screen.getByLabelText('Type'), 'Shop refund');
  await waitFor(() => expect(last(sent)?.Filter).toMatchObject({ Kind: 'by_shop' }));
});
