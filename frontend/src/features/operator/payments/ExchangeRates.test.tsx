// Exchange rates: what is wrong with them, and how they are set by hand or from a feed.
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { renderScreen } from '@/test/render';
import { answerWith, type Sent } from '@/test/server';
import { forbidden, signInAs } from '@/test/staff';
import { showToast } from '@/ui/toast';
import { ExchangeRates } from './ExchangeRates';
import { exchangeRate, fetchedRate } from './fixtures';

const LIST = 'Operator/GetExchangeRateList';
const SET = 'Operator/SetExchangeRate';
const sentTo = (sent: Sent[]) => sent.filter(({ call }) => call === SET);
const unset = () => exchangeRate({ Rate: null, SetAt: null, IsUsable: false });

beforeEach(() => signInAs('operator'));

/** Shows this rate, and returns its card. */
async function shows(rate: object) {
  const sent = answerWith({ [LIST]: { Data: [rate] } });
  renderScreen(<ExchangeRates />);
  return { sent, card: within(await screen.findByRole('listitem')) };
}

/** Opens the dialog of this rate, whose call is answered like this. */
async function opens(rate: object, reply: Parameters<typeof answerWith>[0][string] = 'network') {
  const sent = answerWith({ [LIST]: { Data: [rate] }, [SET]: reply });
  renderScreen(<ExchangeRates />);
  await userEvent.click(await screen.findByRole('button', { name: 'Set the rate of CNY' }));
  await screen.findByRole('dialog', { name: 'Exchange rate of CNY' });
  return sent;
}

const save = () => userEvent.click(screen.getByRole('button', { name: 'Save' }));
const field = (name: string) => screen.getByLabelText(name);
const chooses = (name: RegExp) => userEvent.click(screen.getByRole('radio', { name }));

test('a failed load can be retried', async () => {
  answerWith({ [LIST]: 'network' });
  renderScreen(<ExchangeRates />);
  const retry = await screen.findByRole('button', { name: 'Try again' });
  answerWith({ [LIST]: { Data: [exchangeRate()] } });
  await userEvent.click(retry);
  expect(await screen.findByRole('heading', { name: '1 USD = 7.125 CNY' })).toBeVisible();
});

test.each([
  ['not set yet', unset(), 'USD to CNY: no rate yet', 'Not offered', /Customers are not offered/],
  [
    'of a feed that does not answer',
    fetchedRate({ Problem: 'no_answer' }),
    '1 USD = 7.125 CNY',
    'Feed problem',
    /did not answer.*is used for the time being/,
  ],
  [
    'of a feed that leapt',
    fetchedRate({ Problem: 'too_far' }),
    '1 USD = 7.125 CNY',
    'Feed problem',
    /If it is right, save the feed again/,
  ],
  [
    'too old',
    fetchedRate({ Problem: 'no_rate', IsUsable: false }),
    '1 USD = 7.125 CNY',
    'Not offered',
    /no rate at its path.*Customers are not offered/,
  ],
])('a rate that is %s warns', async (_, rate, title, condition, text) => {
  const { card } = await shows(rate);
  expect(card.getByRole('heading', { name: title })).toBeVisible();
  expect(card.getByText(condition)).toHaveAttribute('data-tone', 'warn');
  expect(card.getByRole('status')).toHaveTextContent(text);
});

test.each([
  ['by hand', exchangeRate(), ['In use', 'Alipay or WeChat Pay', 'Set by hand', 'Set']],
  ['from a feed', fetchedRate(), ['In use', 'Alipay or WeChat Pay', 'rates.example, margin 1.5%', 'Fetched']],
  ['for no method', exchangeRate({ Methods: [] }), ['Not in use', '–', 'Set by hand', 'Set']],
])('a rate %s says where it comes from, without a warning', async (_, rate, texts) => {
  const { card } = await shows(rate);
  for (const text of texts) expect(card.getByText(text)).toBeVisible();
  expect(card.getByText(/^2026-02-03/)).toBeVisible();
  expect(card.queryByRole('status')).toBeNull();
});

test.each(['', '0', 'seven'])('the rate “%s” is refused at its field', async (rate) => {
  const sent = await opens(unset());
  if (rate) await userEvent.type(field('CNY for one USD'), rate);
  await save();
  await waitFor(() => expect(field('CNY for one USD')).toBeInvalid());
  expect(sentTo(sent)).toEqual([]);
});

test('a rate is set by hand once, also if its answer is lost', async () => {
  const answers = ['network' as const, { Data: [exchangeRate({ Rate: '7.20' })] }];
  const sent = await opens(exchangeRate(), () => answers.shift() ?? 'network');
  expect(field('CNY for one USD')).toHaveValue('7.125');
  await userEvent.clear(field('CNY for one USD'));
  await userEvent.type(field('CNY for one USD'), '7.2');
  await save();
  await waitFor(() => expect(screen.getByRole('button', { name: 'Save' })).toBeEnabled());
  await save();
  expect(await screen.findByRole('heading', { name: '1 USD = 7.20 CNY' })).toBeVisible();
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(showToast).toHaveBeenCalledWith('Exchange rate set', 'success');
  const body = { Currency: 'CNY', Rate: '7.2' };
  expect(sentTo(sent).map((one) => one.body)).toEqual([body, body]);
  const [first, second] = sentTo(sent).map(({ headers }) => headers['Idempotency-Key']);
  expect(first).toBe(second);
});

test('a feed needs an address, a path and a margin that is a percentage', async () => {
  const sent = await opens(exchangeRate());
  await chooses(/^From a feed/);
  await save();
  await waitFor(() => expect(field('Address of the feed')).toBeInvalid());
  await userEvent.type(field('Address of the feed'), 'http://rates.example/');
  await userEvent.type(field('Margin in percent'), 'x');
  await save();
  await waitFor(() => expect(field('Path to the rate')).toBeInvalid());
  expect(field('Address of the feed')).toHaveAccessibleDescription(/https/);
  expect(field('Margin in percent')).toBeInvalid();
  expect(sentTo(sent)).toEqual([]);
  // They are about the feed.
  await chooses(/^Set by hand/);
  expect(field('CNY for one USD')).toBeValid();
  await chooses(/^From a feed/);
  expect(field('Margin in percent')).toBeValid();
  expect(field('Margin in percent')).toHaveValue('x');
});

test('what is wrong with a feed is shown at its field, and it is saved again', async () => {
  const Fields = { FeedUrl: [{ Rule: 'feedUnread', Params: {} }] };
  const answers = [{ Code: 2001, Message: 'Invalid', Data: { Fields } }, { Data: [fetchedRate({ Rate: '7.23' })] }];
  const sent = await opens(fetchedRate({ Problem: 'no_rate' }), () => answers.shift() ?? 'network');
  expect(screen.getByRole('radio', { name: /^From a feed/ })).toBeChecked();
  await save();
  await waitFor(() => expect(field('Address of the feed')).toHaveAccessibleDescription(/no rate at this address/));
  await userEvent.type(field('Path to the rate'), '/mid');
  await save();
  expect(await screen.findByRole('heading', { name: '1 USD = 7.23 CNY' })).toBeVisible();
  expect(sentTo(sent).at(-1)?.body).toEqual({
    Currency: 'CNY',
    FeedUrl: 'https://rates.example/usd.json',
    FeedPath: '/rates/CNY/mid',
    Margin: '1.5',
  });
});

test('an accountant reads rates, and sets none', async () => {
  signInAs('accountant');
  const { sent, card } = await shows(unset());
  expect(card.getByText('Not offered')).toBeVisible();
  expect(card.queryByRole('button')).toBeNull();
  expect(forbidden(sent, 'accountant')).toEqual([]);
});
