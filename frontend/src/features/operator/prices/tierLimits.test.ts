// Limits of what one IP of a plan may carry: changed, planned and previewed.
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { useUserStore } from '@/stores/user';
import { showToast } from '@/ui/toast';
import { priceForm } from './changes';
import { catalogue, planned, priceList, REGULAR, signedInAs } from './fixtures';
import { cellsOf, changes, opened, opens, submits } from './pricesPage.helpers';

beforeEach(() => {
  useUserStore.setState({ info: signedInAs('operator') });
});

const limited = (limits: object) => [{ ...catalogue().Tiers[0], ...limits }, catalogue().Tiers[1]];

test('what one IP of a plan may carry is limited, at its fields, and no longer', async () => {
  let list = priceList();
  const { sent } = opens(list, {
    'Operator/GetPrices': () => ({ Data: list }),
    'Operator/ChangePrice': ({ body }) => {
      const limits = { MaxConnections: Number(body.MaxConnections) || null, MaxMegabits: null };
      list = priceList([], { Catalogue: catalogue({ Tiers: limited(limits) }) });
      return { Data: list };
    },
  });
  await screen.findByRole('table', { name: 'Limits per IP' });
  expect(cellsOf('Limits per IP', /^Regular/)[0]).toBe('No limit');
  const dialog = await opened('Edit: Limits of Regular');
  expect(dialog.getByRole('heading', { name: 'Limits of Regular' })).toBeVisible();
  expect(dialog.getByText('Now: No limit')).toBeVisible();
  expect(dialog.getByText('Within seconds, for all IPs of this plan, sold ones included.')).toBeVisible();
  const connections = dialog.getByLabelText('Connections at once per IP');
  await userEvent.type(connections, '0');
  await userEvent.type(dialog.getByLabelText('Bandwidth per IP (Mbit/s)'), '10001');
  await submits(dialog, 'Save');
  expect(connections).toHaveAccessibleDescription(/100,000/);
  expect(dialog.getByLabelText('Bandwidth per IP (Mbit/s)')).toHaveAccessibleDescription(/10,000/);
  await userEvent.clear(connections);
  await userEvent.type(connections, '100');
  await userEvent.clear(dialog.getByLabelText('Bandwidth per IP (Mbit/s)'));
  await submits(dialog, 'Save');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(showToast).toHaveBeenCalledWith('The limits are changed', 'success');
  expect(cellsOf('Limits per IP', /^Regular/)[0]).toBe('100 connections');
  const again = await opened('Edit: Limits of Regular');
  expect(again.getByText('Now: 100 connections')).toBeVisible();
  await userEvent.clear(again.getByLabelText('Connections at once per IP'));
  await submits(again, 'Save');
  await waitFor(() => expect(cellsOf('Limits per IP', /^Regular/)[0]).toBe('No limit'));
  expect(changes(sent).map(({ body }) => body)).toEqual([
    { Action: 'limit_tier', VerStr: REGULAR, MaxConnections: '100' },
    { Action: 'limit_tier', VerStr: REGULAR },
  ]);
});

test('planned limits are told in words, and the preview marks them', async () => {
  const Form = priceForm('limit_tier', { VerStr: REGULAR, MaxConnections: '50', MaxMegabits: '8' });
  const now = priceList([planned(1, { Form })], { Catalogue: catalogue({ Tiers: limited({ MaxConnections: 100 }) }) });
  const Tiers = limited({ MaxConnections: 50, MaxMegabits: 8 });
  const then = priceList([planned(1, { Form })], { Catalogue: catalogue({ Tiers }) });
  opens(now, { 'Operator/GetPrices': ({ body }) => ({ Data: body.At ? then : now }) });
  const row = within(await screen.findByRole('list', { name: 'Planned changes' })).getByRole('listitem');
  expect(row).toHaveTextContent('Limits of Regular: 100 connections →changed to 50 connections · 8 Mbit/s');
  expect(screen.getByRole('row', { name: 'Regular On sale · 100 connections' })).toBeVisible();
  expect(screen.getByRole('row', { name: 'Dedicated On sale' })).toBeVisible();
  await userEvent.selectOptions(screen.getByLabelText('Prices at'), screen.getByRole('option', { name: /^From 2027/ }));
  const marked = /^Regular On sale · 50 connections · 8 Mbit\/s today ?100 connections$/;
  expect(await screen.findByRole('row', { name: marked })).toBeVisible();
});
