// Coupons for operators: the list with its filters, adding and ending.
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { onPhone, renderScreen } from '@/test/render';
import { answerWith, type Sent } from '@/test/server';
import { forbidden, signInAs } from '@/test/staff';
import { showToast } from '@/ui/toast';
import { fieldOnWire } from '@/ui/wireTime';
import { CouponsPage } from './CouponsPage';

const REGULAR = 'shared ISP proxies plan';
const TRAFFIC = 'rotating residential proxies plan';
const CATALOGUE = {
  Currency: 'USD',
  Tiers: [{ VerStr: REGULAR, NodeType: 2, LabelEn: 'Regular', LabelZh: '普通', DescEn: '', DescZh: '', Price: '5.00' }],
  Periods: [{ PeriodDays: 30, DiscountBasisPoints: 0 }],
  QuantitySteps: [],
};

const coupon = (terms: object = {}, change: object = {}) => ({
  Coupon: { Code: 'SPRING', Benefit: { Percent: 1250 }, Minimum: '0.00', Products: [], ...terms },
  State: 'usable',
  Orders: 0,
  CreatedAt: '2026-11-01 10:00:00',
  ...change,
});

function opens(rows: object[], more: Parameters<typeof answerWith>[0] = {}, at = '/') {
  const sent = answerWith({
    'Operator/GetCouponList': { Data: { Rows: rows, Total: rows.length, Page: 1, PageSize: 50 } },
    'Operator/GetPrices': {
      Data: { At: '', Prices: { Catalogue: CATALOGUE, Traffic: { Currency: 'USD', Offers: [] } }, Planned: [] },
    },
    'Operator/AddCoupon': ({ body }) => ({ Data: coupon({ Code: body.Code }) }),
    ...more,
  });
  return { sent, ...renderScreen(<CouponsPage />, at) };
}

const last = (sent: Sent[], call: string) => sent.findLast((one) => one.call === call)?.body;
const opensForm = async () => {
  await userEvent.click(await screen.findByRole('button', { name: 'Add coupon' }));
  const dialog = within(await screen.findByRole('dialog'));
  await dialog.findByLabelText('Code');
  return dialog;
};
const adds = (dialog: Awaited<ReturnType<typeof opensForm>>) =>
  userEvent.click(dialog.getByRole('button', { name: 'Add' }));

beforeEach(() => {
  onPhone();
  signInAs('operator');
});

test('without coupons, the list offers to add one', async () => {
  opens([]);
  expect(await screen.findByText('No coupons yet')).toBeVisible();
  expect(screen.getAllByRole('button', { name: 'Add coupon' })).toHaveLength(2);
});

test('a row has the terms, the uses and the state', async () => {
  opens([
    coupon(
      { Products: [REGULAR, TRAFFIC], TotalUses: 100, UsesPerAccount: 1, FirstOrderOnly: true, Minimum: '10.00' },
      { Orders: 3 },
    ),
    coupon({ Code: 'FIVE', Benefit: { Amount: '5.00' } }, { State: 'ended', Orders: 7 }),
    coupon({ Code: 'OLD', Products: ['a plan of the past'] }, { State: 'planned' }),
  ]);
  const rows = await screen.findAllByRole('listitem');
  await waitFor(() => expect(rows[0]).toHaveTextContent('12.5% off · Regular, Residential traffic'));
  for (const text of ['SPRING', 'Usable', '3 of 100', 'First orders only · At most 1 per account', '$10.00']) {
    expect(rows[0]).toHaveTextContent(text);
  }
  for (const text of ['FIVE', 'Ended', '$5.00 off · All products', '7, no limit'])
    expect(rows[1]).toHaveTextContent(text);
  expect(rows[2]).toHaveTextContent('a plan of the past');
  expect(screen.getByRole('button', { name: 'Copy SPRING' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'End: OLD' })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'End: FIVE' })).toBeNull();
});

test('search and state are in the address and in the call', async () => {
  const { sent, addressNow } = opens([coupon()], {}, '/?State=usable');
  await screen.findByText('SPRING');
  expect(last(sent, 'Operator/GetCouponList')?.Filter).toEqual({ State: 'usable' });
  await userEvent.selectOptions(screen.getByLabelText('Status'), 'planned');
  await userEvent.type(screen.getByRole('searchbox'), 'spr');
  await waitFor(() => expect(last(sent, 'Operator/GetCouponList')?.Search).toBe('spr'));
  expect(last(sent, 'Operator/GetCouponList')?.Filter).toEqual({ State: 'planned' });
  expect(addressNow()).toBe('/?State=planned&Search=spr');
});

test('an empty form says what is missing, for a percentage and for an amount', async () => {
  const { sent } = opens([coupon()]);
  const dialog = await opensForm();
  await adds(dialog);
  expect(dialog.getByLabelText('Code')).toHaveAccessibleDescription(/3 to 32 letters|required/i);
  expect(dialog.getByLabelText('Percent off')).toHaveAccessibleDescription(/either a percentage or an amount/);
  await userEvent.click(dialog.getByRole('radio', { name: 'Amount' }));
  await adds(dialog);
  expect(dialog.getByLabelText('Amount off in USD')).toHaveAccessibleDescription(/either a percentage or an amount/);
  await userEvent.type(dialog.getByLabelText('Amount off in USD'), 'five');
  await userEvent.type(dialog.getByLabelText('Uses in total'), '0');
  await userEvent.type(dialog.getByLabelText('Valid from'), '2099-02-01 00:00');
  await userEvent.type(dialog.getByLabelText('Valid until'), '2099-01-01 00:00');
  await adds(dialog);
  for (const field of ['Amount off in USD', 'Uses in total', 'Valid until']) {
    expect(dialog.getByLabelText(field)).toBeInvalid();
  }
  expect(last(sent, 'Operator/AddCoupon')).toBeUndefined();
});

test('a coupon is added with all its terms', async () => {
  const { sent } = opens([coupon()]);
  const dialog = await opensForm();
  await userEvent.click(dialog.getByRole('button', { name: 'Generate' }));
  const code = (dialog.getByLabelText('Code') as HTMLInputElement).value;
  expect(code).toMatch(/^[A-HJ-NP-Z2-9]{10}$/);
  await userEvent.type(dialog.getByLabelText('Percent off'), '12.5');
  await userEvent.type(dialog.getByLabelText('Minimum order in USD'), '10');
  await userEvent.click(dialog.getByRole('checkbox', { name: 'Regular' }));
  await userEvent.click(dialog.getByRole('checkbox', { name: 'Residential traffic' }));
  await userEvent.click(dialog.getByRole('checkbox', { name: 'Regular' }));
  await userEvent.type(dialog.getByLabelText('Uses in total'), '1');
  await userEvent.click(dialog.getByRole('checkbox', { name: /^First orders only/ }));
  await userEvent.type(dialog.getByLabelText('Valid until'), '2099-01-01 00:00');
  await adds(dialog);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const calls = sent.filter((one) => one.call === 'Operator/AddCoupon');
  // Empty fields are not sent.
  expect(calls.map(({ body }) => body)).toEqual([
    {
      Code: code,
      Percent: '12.5',
      Minimum: '10',
      Products: [TRAFFIC],
      TotalUses: '1',
      FirstOrderOnly: true,
      ValidUntil: fieldOnWire('2099-01-01 00:00'),
    },
  ]);
  expect(calls[0]?.headers['Idempotency-Key']).toMatch(/^\w{32}$/);
  expect(showToast).toHaveBeenCalledWith(`Coupon ${code} is added`, 'success');
});

test('a percentage typed before the amount was chosen does not count', async () => {
  const { sent } = opens([coupon()]);
  const dialog = await opensForm();
  await userEvent.type(dialog.getByLabelText('Code'), 'FIVE');
  await userEvent.type(dialog.getByLabelText('Percent off'), '10');
  await userEvent.click(dialog.getByRole('radio', { name: 'Amount' }));
  await userEvent.type(dialog.getByLabelText('Amount off in USD'), '5');
  await adds(dialog);
  await waitFor(() => expect(last(sent, 'Operator/AddCoupon')).toMatchObject({ Code: 'FIVE', Amount: '5' }));
  expect(last(sent, 'Operator/AddCoupon')).not.toHaveProperty('Percent');
});

test('a code that is taken is refused at its field', async () => {
  const Fields = { Code: [{ Rule: 'nameTaken', Params: {} }] };
  opens([coupon()], { 'Operator/AddCoupon': { Code: 2002, Message: 'Invalid', Data: { Fields } } });
  const dialog = await opensForm();
  await userEvent.type(dialog.getByLabelText('Code'), 'SPRING');
  await userEvent.type(dialog.getByLabelText('Percent off'), '10');
  await adds(dialog);
  await waitFor(() => expect(dialog.getByLabelText('Code')).toHaveAccessibleDescription('This name is taken'));
  expect(dialog.getByLabelText('Percent off')).toHaveValue('10');
});

test('ending asks first, says what stays, and the list is fetched again', async () => {
  let rows = [coupon({}, { Orders: 2 })];
  const { sent } = opens([], {
    'Operator/GetCouponList': () => ({ Data: { Rows: rows, Total: 1, Page: 1, PageSize: 50 } }),
    'Operator/EndCoupon': () => {
      rows = [coupon({}, { Orders: 2, State: 'ended' })];
      return { Data: { Code: 'SPRING' } };
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'End: SPRING' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByText(/^2 orders use it and keep their discount/)).toBeVisible();
  expect(dialog.getByText(/cannot be used again/)).toBeVisible();
  await userEvent.click(dialog.getByRole('button', { name: 'End it now' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'End: SPRING' })).toBeNull());
  expect(last(sent, 'Operator/EndCoupon')).toEqual({ Code: 'SPRING' });
  expect(screen.getByText('Ended', { selector: 'span' })).toBeVisible();
});

test.each(['support', 'accountant'] as const)('%s reads coupons, and neither adds nor ends one', async (role) => {
  signInAs(role);
  const { sent } = opens([coupon()]);
  expect(await screen.findByText('SPRING')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Add coupon' })).toBeNull();
  expect(screen.queryByRole('button', { name: /^End/ })).toBeNull();
  expect(forbidden(sent, role)).toEqual([]);
});
