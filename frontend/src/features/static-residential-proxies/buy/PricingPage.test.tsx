// Comparison of the tiers, priced by the real rules.
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { useIpsStore } from '@/stores/ips';
import { usePlanStore } from '@/stores/plan';
import { useUserStore } from '@/stores/user';
import { renderScreen } from '@/test/render';
import { answerWith } from '@/test/server';
import { COMMON_REPLIES, catalogue, dedicated, REGULAR } from '../fixtures';
import { PricingPage } from './PricingPage';

const [regular] = catalogue.Tiers;

beforeEach(() => {
  usePlanStore.setState({ planList: null });
  useUserStore.setState({ info: null });
});

async function comparison(change: object = {}) {
  answerWith({
    ...COMMON_REPLIES,
    'Ips/GetServerVer': { Data: { ...catalogue, Tiers: [regular, dedicated], ...change } },
  });
  renderScreen(<PricingPage />);
  const table = await screen.findByRole('table', { name: 'Compare plans' });
  return (name: RegExp) =>
    within(within(table).getByRole('row', { name }))
      .getAllByRole('cell')
      .map((cell) => cell.textContent);
}

test('the resource type is an icon with a text alternative', async () => {
  const cells = await comparison();
  expect(cells(/^Dedicated to you alone/)).toEqual(['No', 'Yes']);
});

test('every period has the price of each tier for the chosen quantity', async () => {
  const cells = await comparison();
  expect(cells(/^30 days/)).toEqual(['$5.00', '$14.00']);
  expect(cells(/^90 days −5%/)).toEqual(['$14.25', '$39.90']);
  await userEvent.click(screen.getByRole('radio', { name: '10 IPs −2.5%' }));
  expect(cells(/^30 days/)).toEqual(['$48.75', '$136.50']);
});

test('what one IP may carry is compared as soon as a plan has a limit', async () => {
  const limited = { ...regular, MaxConnections: 1 };
  const cells = await comparison({ Tiers: [limited, { ...dedicated, MaxMegabits: 50 }] });
  expect(cells(/^At once per IP/)).toEqual(['1 connection', 'No limit']);
  expect(cells(/^Bandwidth per IP/)).toEqual(['No limit', '50 Mbit/s']);
});

test('without limits, nothing is said about them', async () => {
  await comparison();
  expect(screen.queryByText('At once per IP')).toBeNull();
  expect(screen.queryByText('Bandwidth per IP')).toBeNull();
});

test('a quantity above the order limit has no price', async () => {
  const cells = await comparison({ QuantitySteps: [{ MinQuantity: 2_000_000, DiscountBasisPoints: 100 }] });
  await userEvent.click(screen.getByRole('radio', { name: /^2,000,000 IPs/ }));
  expect(cells(/^30 days/)).toEqual(['–', '–']);
});

const unsold = { ...regular, IsSold: false };

test('a tier that is not on sale has no card, no column and no price in the calculator', async () => {
  const cells = await comparison({ Tiers: [unsold, dedicated] });
  expect(cells(/^30 days/)).toEqual(['$14.00']);
  expect(screen.queryByRole('link', { name: 'Order Regular' })).toBeNull();
  expect(screen.getByRole('link', { name: 'Order Dedicated' })).toBeVisible();
  const plan = screen.getByLabelText('Plan');
  expect(within(plan).getAllByRole('option')).toHaveLength(1);
  // Ten of them, less the quantity discount.
  expect(screen.getByText('Total for 10 IPs').nextElementSibling).toHaveTextContent('$136.50');
});

test('an unfinished order of a tier that is not on sale is not offered to continue', async () => {
  const draft = { name: REGULAR, ipsCount: 2, unitPrice: '5.00', price: '10.00' };
  useIpsStore.setState({ buyInfo: draft });
  await comparison({ Tiers: [unsold, dedicated] });
  expect(screen.queryByText(/^Not ordered yet/)).toBeNull();
});

test('while no tier is on sale, the prices say so', async () => {
  answerWith({ ...COMMON_REPLIES, 'Ips/GetServerVer': { Data: { ...catalogue, Tiers: [unsold] } } });
  renderScreen(<PricingPage />);
  expect(await screen.findByText('Nothing is on sale at the moment')).toBeVisible();
  expect(screen.queryByRole('table')).toBeNull();
  expect(screen.queryByText('Calculate your price')).toBeNull();
});
