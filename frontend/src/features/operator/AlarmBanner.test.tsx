// The banner about problems of the shop.
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { renderScreen } from '@/test/render';
import { answerWith } from '@/test/server';
import { AlarmBanner } from './AlarmBanner';

const alarm = (Alarm: string, ...Problems: string[]) => ({
  Alarm,
  Problems,
  RaisedAt: '2026-11-27 10:00:00',
  CheckedAt: '2026-11-27 11:00:00',
});

test('servers that are down link to their screen, and wrong books name a command', async () => {
  answerWith({
    'Operator/GetAlarmList': {
      Data: [alarm('books', 'wallet 1: balance 12.00'), alarm('proxy_servers', 'Europe: not heard of')],
    },
  });
  renderScreen(<AlarmBanner />);
  const [books, servers] = (await screen.findAllByRole('alert')).map((notice) => within(notice));
  expect(books?.getByText('postern ledger verify')).toBeVisible();
  expect(books?.queryByRole('link')).toBeNull();
  expect(servers?.getByText('Proxy servers are down')).toBeVisible();
  expect(servers?.getByText('Europe: not heard of')).toBeVisible();
  expect(servers?.getByRole('link', { name: 'Proxy servers' })).toHaveAttribute('href', '/operator/proxy-servers');
});

test('without a problem there is no banner', async () => {
  const sent = answerWith({ 'Operator/GetAlarmList': { Data: [] } });
  renderScreen(<AlarmBanner />);
  await expect.poll(() => sent.length).toBe(1);
  expect(screen.queryByRole('alert')).toBeNull();
});
