// The products: one summary for each, whatever state its IPs are in.
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { core } from '@/core';
import { renderScreen } from '@/test/render';
import { answerWith } from '@/test/server';
import { ProductsPage } from './ProductsPage';

const PLAN = {
  PlanId: 1,
  VerStr: 'shared ISP proxies plan',
  NodeType: 2,
  IpsCount: 5,
  AutoRenew: false,
  AutoRenewal: 'off',
  AutoRenewCount: 0,
  ActiveCount: 5,
  GraceCount: 0,
  EndingSoonCount: 0,
  State: 'active',
  NextExpiresAt: '2999-01-02 00:00:00',
  GraceEndsAt: null,
  NextCharge: null,
};

function open(plan: Record<string, unknown>) {
  const Data = [{ ...PLAN, ...plan }];
  const sent = answerWith({
    'Ips/GetServerVer': { Data: core().defaultCatalogue() },
    'Ips/UserGetNodeTable': { Data: { Rows: Data, Total: 1 } },
    'Ips/userGetUserVerPlan': { Data },
    'Ips/SetAutoRenew': { Data: { Changed: 5, Failed: [] } },
    'Traffic/GetTraffic': { Data: { Batches: [] } },
  });
  renderScreen(<ProductsPage />);
  return sent;
}

const fact = async (name: string) => {
  const term = await screen.findByText(name, { selector: 'dt' });
  return within(term.nextElementSibling as HTMLElement);
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime('2026-03-10T12:00:00Z');
});
afterEach(() => vi.useRealTimers());

test.each([
  ['active', {}, ['Active']],
  ['expired IPs among active ones', { ActiveCount: 3, GraceCount: 2 }, ['2 have expired']],
  ['only expired IPs', { ActiveCount: 0, GraceCount: 5, NextExpiresAt: null }, ['5 have expired']],
  ['IPs that expire soon', { EndingSoonCount: 1, NextExpiresAt: '2026-03-11 12:00:00' }, ['1 expires soon']],
  ['both', { ActiveCount: 4, GraceCount: 1, EndingSoonCount: 2 }, ['1 has expired', '2 expire soon']],
  [
    'an expiry that passed on screen',
    { EndingSoonCount: 1, NextExpiresAt: '2026-03-09 12:00:00' },
    ['Expired', '1 expires soon'],
  ],
  ['no IPs', { IpsCount: 0, ActiveCount: 0, NextExpiresAt: null }, ['No IPs']],
])('the state of %s', async (_, plan, badges) => {
  open(plan);
  for (const badge of badges) expect(await screen.findByText(badge)).toBeVisible();
  if (badges[0] !== 'Active') expect(screen.queryByText('Active')).toBeNull();
  expect(screen.queryByText(/ago$/)).toBeNull();
});

test('expired IPs are counted apart, with the end of their time', async () => {
  open({ ActiveCount: 3, GraceCount: 2, GraceEndsAt: '2026-03-12 12:00:00' });
  expect((await fact('IPs')).getByText('3 active, 2 expired')).toBeVisible();
  expect((await fact('Expired IPs kept until')).getByText('2026-03-12 12:00:00')).toBeVisible();
});

test.each([
  ['off', false, false, undefined],
  ['on', true, true, undefined],
  ['off', true, false, 'IPs bought next renew automatically'],
  ['on', false, true, 'IPs bought next do not renew'],
])('auto-renewal %s, for the next ones %s', async (AutoRenewal, AutoRenew, isOn, note) => {
  open({ AutoRenewal, AutoRenew, AutoRenewCount: isOn ? 5 : 0 });
  const toggle = (await fact('Auto-renew')).getByRole('switch');
  if (isOn) expect(toggle).toBeChecked();
  else expect(toggle).not.toBeChecked();
  expect(screen.queryByText(/^IPs bought next/)?.textContent).toBe(note);
});

test('a charge for some IPs stands beside auto-renewal that is on for some, and all can be switched', async () => {
  const sent = open({
    AutoRenewal: 'partly',
    AutoRenewCount: 4,
    NextCharge: { At: '2026-03-14 00:00:00', Amount: '20.00', Currency: 'USD', IpsCount: 4 },
  });
  const renewal = await fact('Auto-renew');
  expect(renewal.getByText('On for some IPs')).toBeVisible();
  expect(renewal.queryByRole('switch')).toBeNull();
  expect((await fact('Next charge')).getByText('$20.00')).toBeVisible();
  await userEvent
    .setup({ advanceTimers: vi.advanceTimersByTime })
    .click(renewal.getByRole('button', { name: 'All off' }));
  expect(sent.find((one) => one.call === 'Ips/SetAutoRenew')?.body).toMatchObject({
    VerStr: PLAN.VerStr,
    AutoRenew: false,
  });
});
