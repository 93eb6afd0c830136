// One-line summaries of orders.
import { expect, test } from 'vitest';
import type { Schemas } from '@/api/client';
import { renderScreen } from '@/test/render';
import { endOf } from './contents';
import { OrderSummary } from './OrderSummary';

type Order = Schemas['OrderView'];

const line = (LabelEn: string, VerStr = LabelEn) => ({ LabelEn, LabelZh: LabelEn, VerStr, Quantity: 1 });
const node = (EndsAt: string) => ({ NodeId: 1, Ip: '198.18.0.1', EndsAt });
const order = (over: object) =>
  ({
    Kind: 'purchase',
    State: 'fulfilled',
    Quantity: 3,
    PeriodDays: 30,
    Lines: [line('Regular')],
    Nodes: [],
    Total: '50.00',
    Currency: 'USD',
    ...over,
  }) as unknown as Order;
const NODES = [node('2026-12-23 10:00:00'), node('2026-12-20 10:00:00')];
const TRAFFIC = { Quantity: 50, Lines: [line('Residential traffic', 'rotating residential proxies plan')] };

test.each([
  ['IPs of one plan, to their latest end', order({ Nodes: NODES }), '3 Regular IPs · 30 days · until 2026-12-23'],
  ['one IP that is not paid yet', order({ State: 'unpaid', Quantity: 1 }), '1 Regular IP · 30 days'],
  ['IPs of several plans', order({ Kind: 'renewal', Lines: [line('Regular'), line('Premium')] }), '3 IPs · 30 days'],
  ['IPs that were given back', order({ State: 'refunded', Nodes: NODES }), '3 Regular IPs · 30 days'],
  ['traffic', order(TRAFFIC), '50 GB · 30 days'],
  ['traffic without an end', order({ ...TRAFFIC, PeriodDays: 0 }), '50 GB · Never expires'],
  ['a top-up', order({ Kind: 'top_up', PeriodDays: null, Lines: [] }), 'Top-up of $50.00'],
])('%s', (_, one, text) => {
  renderScreen(<OrderSummary order={one} end={endOf(one)} />);
  expect(document.body).toHaveTextContent(text);
  expect(document.body.textContent).toBe(text);
});

test('traffic shows the expiry of its batch', () => {
  renderScreen(<OrderSummary order={order(TRAFFIC)} end="2027-01-02 03:04:05" />);
  expect(document.body.textContent).toBe('50 GB · 30 days · until 2027-01-02');
});
