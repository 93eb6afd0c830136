// The IPs of an order after switches.
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { Schemas } from '@/api/client';
import { renderScreen } from '@/test/render';
import { OrderNodes, Replacements } from './OrderNodes';

const node = (NodeId: number, IsOwned: boolean) => ({
  NodeId,
  Ip: `198.18.0.${NodeId}`,
  Country: 'US',
  City: 'new-york',
  StartsAt: '2026-01-01 10:00:00',
  EndsAt: '2026-01-31 10:00:00',
  IsOwned,
});
const ORDER = {
  OrderNumber: 'PO1',
  Quantity: 3,
  Nodes: [node(1, true), node(2, false), node(3, true)],
  Replacements: [{ OldIp: '198.18.0.9', NewIp: '198.18.0.3', At: '2026-01-05 11:00:00' }],
} as unknown as Schemas['OrderView'];

test('an IP that the account no longer has is marked, and not copied', async () => {
  const written = vi.fn(async () => {});
  const user = userEvent.setup();
  vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(written);
  renderScreen(<OrderNodes order={ORDER} />);
  const [first, gone] = screen.getAllByRole('listitem');
  expect(within(gone as HTMLElement).getByText('No longer in the account')).toBeVisible();
  expect(within(gone as HTMLElement).queryByRole('button')).toBeNull();
  expect(within(first as HTMLElement).getByRole('button', { name: 'Copy the IP' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Copy all IPs' }));
  expect(written).toHaveBeenCalledWith('198.18.0.1\n198.18.0.3');
});

test('without any IP left there is nothing to copy', () => {
  renderScreen(<OrderNodes order={{ ...ORDER, Nodes: [ORDER.Nodes[1] as (typeof ORDER.Nodes)[0]] }} />);
  expect(screen.queryByRole('button')).toBeNull();
});

test('the order says which IP replaced which, and when', () => {
  renderScreen(<Replacements order={ORDER} />);
  expect(screen.getByRole('listitem')).toHaveTextContent('198.18.0.9 replaced by 198.18.0.3' + '2026-01-05 11:00:00');
});

test('an order without switches has no such list', () => {
  renderScreen(<Replacements order={{ ...ORDER, Replacements: [] }} />);
  expect(screen.queryByRole('list')).toBeNull();
});
