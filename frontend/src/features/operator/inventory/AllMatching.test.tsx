// All nodes that match the list are changed at once, piece by piece: stopped, continued, and after a piece that failed.
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { onPhone, renderScreen } from '@/test/render';
import { answerWith, type Sent } from '@/test/server';
import { signInAs } from '@/test/staff';
import { showToast } from '@/ui/toast';
import { node, OWNED, replies } from './fixtures';
import { InventoryPage } from './InventoryPage';

beforeEach(() => {
  onPhone();
  signInAs('operator');
});

const at = '/operator/inventory?Supplier=Acme&Country=US&City=new-york';
const ALL = { All: true, Filter: { Supplier: 'Acme', Country: 'US', City: 'new-york' } };
const RETIRE = 'Operator/RetireNodes';

type Reply = Parameters<typeof answerWith>[0][string];

const piece = (Changed: number, Next: number | null, ...left: number[]) => ({
  Data: { Changed, Failed: left.map((NodeId) => ({ NodeId, Ip: '198.51.100.2', State: 'assigned' })), Next },
});
const of = (sent: Sent[], call: string) => sent.filter((one) => one.call === call);
const afters = (sent: Sent[], call = RETIRE) => of(sent, call).map(({ body }) => body.After);

/** Answers a call in turn: the last answer is repeated. */
const inTurn = (...answers: Reply[]) => {
  const left = [...answers];
  return async (one: Sent) => {
    const answer = (left.length > 1 ? left.shift() : left[0]) ?? 'network';
    return typeof answer === 'function' ? answer(one) : answer;
  };
};

/** An answer that is given later. */
function later(answer: Exclude<Reply, (...given: never[]) => unknown>) {
  let give = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { reply: () => given.then(() => answer), give: () => give() };
}

/** Ticks the rows of the page, then all that match, and chooses an action: its dialog. */
async function actsOnAll(call: string, action: string, answer: Reply, list: object = { Total: 2500 }) {
  const Rows = [node(1, OWNED), node(2)];
  const sent = answerWith({
    ...replies(),
    'Operator/GetInventory': { Data: { Rows, Page: 1, PageSize: 50, ...list } },
    [call]: answer,
  });
  const rendered = renderScreen(<InventoryPage />, at);
  for (const { Ip } of Rows) await userEvent.click(await screen.findByRole('checkbox', { name: new RegExp(Ip) }));
  const bar = within(screen.getByRole('toolbar'));
  await userEvent.click(bar.getByRole('button', { name: /^Select all/ }));
  await userEvent.click(bar.getByRole('button', { name: action }));
  const dialog = within(await screen.findByRole('dialog'));
  const press = (name: string) => userEvent.click(dialog.getByRole('button', { name }));
  return { ...rendered, sent, dialog, press };
}

test('after a piece without an answer, what was done is told, and the button continues', async () => {
  const answer = inTurn(piece(998, 1000, 5, 6), 'network', piece(1000, 2000), piece(480, null, 7));
  const { sent, dialog, press } = await actsOnAll(RETIRE, 'Take off sale', answer);
  expect(dialog.getByRole('heading', { name: 'Take all 2,500 matching static proxies off sale?' })).toBeVisible();
  expect(dialog.getByText(/Those that a customer has or is buying stay as they are/)).toBeVisible();
  expect(dialog.queryByRole('definition')).toBeNull();
  await press('Take off sale');
  expect(
    await dialog.findByText(/^1,000 of about 2,500 done\. “Take off sale” continues with the others/),
  ).toBeVisible();
  expect(dialog.getByText(/The server cannot be reached/)).toBeVisible();
  // The list shows what was done, once.
  await waitFor(() => expect(of(sent, 'Operator/GetInventory')).toHaveLength(2));
  expect(showToast).not.toHaveBeenCalled();
  await press('Take off sale');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(afters(sent)).toEqual([undefined, 1000, 1000, 2000]);
  for (const { body } of of(sent, RETIRE)) expect(body).toMatchObject(ALL);
  expect(of(sent, RETIRE)[0]?.body).toEqual(ALL);
  expect(showToast).toHaveBeenCalledWith('2,478 static proxies were taken off sale. 3 stay as they are.', 'warning');
  expect(screen.queryByRole('toolbar')).toBeNull();
  await waitFor(() => expect(of(sent, 'Operator/GetInventory')).toHaveLength(3));
});

test('it stops after the piece under way, and until then nothing closes the dialog', async () => {
  const second = later(piece(1000, 2000));
  const answer = inTurn(piece(1000, 1000), second.reply, piece(500, null));
  const { sent, dialog, press } = await actsOnAll(RETIRE, 'Take off sale', answer);
  await press('Take off sale');
  await waitFor(() => expect(dialog.getByRole('status')).toHaveTextContent('1,000 of about 2,500 done'));
  expect(dialog.getByRole('button', { name: 'Stop' })).toHaveFocus();
  expect(dialog.getByRole('button', { name: 'Close' })).toBeDisabled();
  await userEvent.keyboard('{Escape}');
  expect(dialog.getByRole('button', { name: 'Take off sale' })).toBeDisabled();
  await press('Stop');
  expect(dialog.getByRole('button', { name: 'Stopping…' })).toBeVisible();
  second.give();
  expect(
    await dialog.findByText(/^2,000 of about 2,500 done\. “Take off sale” continues with the others/),
  ).toBeVisible();
  expect(afters(sent)).toEqual([undefined, 1000]);
  expect(showToast).not.toHaveBeenCalled();
  await waitFor(() => expect(of(sent, 'Operator/GetInventory')).toHaveLength(2));
  // Other nodes match now, so they are not selected any more.
  await userEvent.keyboard('{Escape}');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(screen.queryByRole('toolbar')).toBeNull();
});

test('what was stopped continues with the next piece', async () => {
  const first = later(piece(1000, 1000));
  const answer = inTurn(first.reply, piece(1000, 2000), piece(500, null));
  const { sent, dialog, press } = await actsOnAll('Operator/RestoreNodes', 'Put back on sale', answer);
  expect(dialog.getByRole('heading', { name: 'Put all 2,500 matching static proxies back on sale?' })).toBeVisible();
  expect(dialog.getByText(/^They are changed piece by piece/)).toBeVisible();
  await press('Put back on sale');
  expect(await dialog.findByText('0 of about 2,500 done')).toBeVisible();
  await press('Stop');
  first.give();
  await dialog.findByText(/^1,000 of about 2,500 done\./);
  await press('Put back on sale');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(afters(sent, 'Operator/RestoreNodes')).toEqual([undefined, 1000, 2000]);
  expect(showToast).toHaveBeenCalledWith('2,500 static proxies are on sale again.', 'success');
});

test('who leaves the screen stops it, and is told what was done', async () => {
  const second = later(piece(1000, 2000));
  const answer = inTurn(piece(1000, 1000), second.reply, piece(500, null));
  const { sent, dialog, press, unmount } = await actsOnAll(RETIRE, 'Take off sale', answer);
  await press('Take off sale');
  await dialog.findByText('1,000 of about 2,500 done');
  unmount();
  second.give();
  await waitFor(() => expect(showToast).toHaveBeenCalledWith('2,000 static proxies were taken off sale.', 'success'));
  expect(afters(sent)).toEqual([undefined, 1000]);
});

test('of a number that is only a lower bound, the progress names no total', async () => {
  const second = later(piece(800, null));
  const list = { Total: 10_000, TotalIsAtLeast: true };
  const answer = inTurn(piece(1000, 1000), second.reply);
  const { dialog, press } = await actsOnAll(RETIRE, 'Take off sale', answer, list);
  const title = 'Take all matching static proxies, more than 10,000, off sale?';
  expect(dialog.getByRole('heading', { name: title })).toBeVisible();
  await press('Take off sale');
  expect(await dialog.findByText('1,000 done so far')).toBeVisible();
  second.give();
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('an edit of all names no values, is refused at its field, and begins again once it is another', async () => {
  const call = 'Operator/EditNodes';
  const Fields = { Isp: [{ Rule: 'maxLength', Params: { Max: '100' } }] };
  const refused = { Code: 2001, Message: '', Data: { Fields } };
  const answer = inTurn(refused, piece(1000, 1000), 'network', piece(1000, 1000), piece(700, null));
  const { sent, dialog, press } = await actsOnAll(call, 'Edit', answer);
  expect(dialog.getByRole('heading', { name: 'Edit all 2,500 matching static proxies' })).toBeVisible();
  expect(dialog.getByLabelText('HTTP port')).toHaveAttribute('placeholder', '');
  expect(await dialog.findByLabelText('Cost in USD')).toBeVisible();
  expect(dialog.getByText(/^Those that are with customers change too/)).toBeVisible();
  const isp = dialog.getByLabelText('ISP');
  await userEvent.type(isp, 'Southlight');
  await press('Save changes');
  await waitFor(() => expect(isp).toHaveAccessibleDescription(/100/));
  expect(isp).toHaveFocus();
  expect(dialog.getByText(/^They are changed piece by piece/)).toBeVisible();
  await userEvent.type(isp, '{Backspace}');
  await press('Save changes');
  expect(await dialog.findByText(/^1,000 of about 2,500 done\..*“Save changes” continues/)).toBeVisible();
  // What was done has another name now: all of them get the new one.
  await userEvent.type(isp, 't 2');
  expect(dialog.getByText(/^They are changed piece by piece/)).toBeVisible();
  await press('Save changes');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(of(sent, call).map(({ body }) => [body.Isp, body.After])).toEqual([
    ['Southlight', undefined],
    ['Southligh', undefined],
    ['Southligh', 1000],
    ['Southlight 2', undefined],
    ['Southlight 2', 1000],
  ]);
  expect(of(sent, call)[0]?.body).toEqual({ ...ALL, Isp: 'Southlight' });
  expect(showToast).toHaveBeenCalledWith('1,700 static proxies were changed.', 'success');
});
