// Refunds to where the money came from: what their customer reads and does, and what operators read, in both languages.
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import i18next from 'i18next';
import { expect, test, vi } from 'vitest';
import { ORDER, SOURCE_REFUNDS } from '@/gallery/examples';
import { renderScreen } from '@/test/render';
import { answerWith } from '@/test/server';
import { OrderContents } from './OrderContents';
import { refetchOfRefunds } from './refundProgress';
import { SourceRefunds } from './SourceRefunds';

const shows = (Refunds = SOURCE_REFUNDS, isOwn = true) => {
  renderScreen(<SourceRefunds order={{ ...ORDER, Refunds }} isOwn={isOwn} />);
  return screen.queryAllByRole('listitem').map((row) => within(row));
};

test('refunds to the wallet are not listed, and there is no card without others', () => {
  shows(ORDER.Refunds);
  expect(screen.queryByText('Refunds')).toBeNull();
});

test.each([
  ['en', ['Requested', 'By hand', 'On its way', 'To be claimed', 'Arrived', 'Failed']],
  ['zh', ['已申请', '人工退款', '退款中', '待领取', '已到账', '退款失败']],
] as const)('%s: each says how far it has come', async (language, progress) => {
  await i18next.changeLanguage(language);
  const rows = shows();
  expect(rows).toHaveLength(progress.length);
  const tones = ['accent', 'warn', 'accent', 'warn', 'good', 'bad'];
  for (const [index, row] of rows.entries()) {
    expect(row.getByText(String(progress[index]))).toHaveAttribute('data-tone', tones[index]);
    expect(row.getByText('$4.50')).toBeVisible();
    expect(row.getByText(ORDER.CreatedAt)).toBeVisible();
  }
});

test('the customer says on a page of the payment provider where a refund goes', async () => {
  const assign = vi.fn();
  vi.stubGlobal('location', { ...window.location, assign });
  const url = 'https://pay.example.com/pull-payments/4';
  const sent = answerWith({ 'Order/ClaimRefund': { Data: { Url: url } } });
  const rows = shows();
  fireEvent.click(screen.getByRole('button', { name: 'Say where it goes' }));
  await waitFor(() => expect(assign).toHaveBeenCalledWith(url));
  expect(sent[0]?.body).toEqual({ ReturnId: 4 });
  expect(rows[3]?.getByRole('button', { name: 'Say where it goes' })).toBeVisible();
  vi.unstubAllGlobals();
});

test('what was claimed is not claimed again', () => {
  const [, , , claimed] = SOURCE_REFUNDS;
  shows(claimed?.Source ? [{ ...claimed, Source: { ...claimed.Source, Progress: 'on_its_way' } }] : []);
  expect(screen.getByText('On its way')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Say where it goes' })).toBeNull();
});

test('a refund that has failed says where the money is, and one that has arrived needs no more words', () => {
  const rows = shows();
  expect(rows[5]?.getByText(/The money is in your wallet/)).toBeVisible();
  expect(rows[4]?.getByText('Alipay or WeChat Pay')).toBeVisible();
  expect(rows[4]?.getByText('arrives as ¥32.06')).toBeVisible();
  expect(rows[4]?.queryByText(/payment provider|wallet/)).toBeNull();
  expect(rows[2]?.queryByText(/arrives as/)).toBeNull();
});

test("the gateway's reference is shown to be copied, once there is one", () => {
  const rows = shows();
  expect(rows[2]?.getByText('re_3')).toBeVisible();
  expect(rows[2]?.getByRole('button', { name: 'Copy the reference' })).toBeVisible();
  expect(rows[0]?.queryByText('Reference')).toBeNull();
});

test('operators read what they or the customer have to do, and claim nothing', () => {
  const rows = shows(SOURCE_REFUNDS, false);
  expect(rows[1]?.getByText(/record the outcome under “Disputes and refunds”/)).toBeVisible();
  expect(rows[3]?.getByText(/The customer has a link/)).toBeVisible();
  expect(rows[5]?.getByText(/back in the customer's wallet/)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Say where it goes' })).toBeNull();
});

test('an order is fetched again as long as a refund of it is under way', () => {
  const isFetched = SOURCE_REFUNDS.map((refund) => refetchOfRefunds({ Refunds: [refund] }) !== false);
  expect(isFetched).toEqual([true, true, true, true, false, false]);
  expect(refetchOfRefunds(ORDER)).toBe(false);
  expect(refetchOfRefunds(undefined)).toBe(false);
});

test('only what was refunded of the order itself is subtracted from it', () => {
  // As of a top-up, whose money goes back from the wallet.
  renderScreen(<OrderContents order={{ ...ORDER, Refunded: '0.00', Refunds: SOURCE_REFUNDS }} />);
  expect(screen.queryByText('Refunded')).toBeNull();
});
