// Referrals for operators, by role.
import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { onPhone, renderScreen } from '@/test/render';
import { answerWith } from '@/test/server';
import { forbidden, signInAs } from '@/test/staff';
import { ReferralsPage } from './ReferralsPage';

const MARKED = {
  AccountId: 7,
  Email: 'ann@example.com',
  ReferrerEmail: 'bob@example.com',
  Doubts: ['same_address'],
  Held: '3.00',
  Currency: 'USD',
  SignedUpAt: '2026-02-01 09:00:00',
};
const RULE = { Rate: '10%', ValidFrom: '2026-01-01 00:00:00', IsInForce: true, AddedBy: null };

beforeEach(onPhone);

test.each([
  ['operator', ['Add rule', 'Approve', 'Reject']],
  ['accountant', []],
] as const)('%s reads rules and reviews, and has the buttons of the role', async (role, names) => {
  signInAs(role);
  const sent = answerWith({
    'Operator/GetReferralRuleList': { Data: [RULE] },
    'Operator/GetReferralReviewList': { Data: { Rows: [MARKED], Total: 1, Page: 1, PageSize: 50 } },
  });
  renderScreen(<ReferralsPage />);
  expect(await screen.findByText('ann@example.com')).toBeVisible();
  expect(await screen.findByText('10%')).toBeVisible();
  const buttons = screen.getAllByRole('button').map((button) => button.textContent);
  for (const name of ['Add rule', 'Approve', 'Reject'])
    expect(buttons.includes(name)).toBe((names as readonly string[]).includes(name));
  expect(forbidden(sent, role)).toEqual([]);
});
