// The dialog that asks a customer to accept the seller's current texts.
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { LegalTextRef } from '@/api/legal';
import { useUserStore } from '@/stores/user';
import { renderScreen } from '@/test/render';
import { answerWith } from '@/test/server';
import { AcceptTexts } from './AcceptTexts';

const TERMS: LegalTextRef = { LegalTextId: 4, Kind: 'terms', Version: 3, PublishedAt: '2026-11-28 10:00:00' };
const PRIVACY: LegalTextRef = { LegalTextId: 7, Kind: 'privacy', Version: 1, PublishedAt: '2026-11-27 10:00:00' };
const INFO = {
  UserId: 1,
  Email: 'ann@example.com',
  Level: 0,
  ResellerBasisPoints: 0,
  State: 'active',
  Language: 'en',
  TimeZone: 'UTC',
  IsView: false,
  TextsToAccept: [TERMS, PRIVACY],
  Token: 't',
} as const;

/** As the layout shows it. */
function Asked() {
  const texts = useUserStore((state) => state.info?.TextsToAccept) ?? [];
  return texts.length > 0 && <AcceptTexts texts={[...texts]} />;
}

function opens(replies: Parameters<typeof answerWith>[0]) {
  const sent = answerWith(replies);
  useUserStore.setState({ info: { ...INFO, TextsToAccept: [...INFO.TextsToAccept] } });
  renderScreen(<Asked />);
  return sent;
}

test('it names both texts and their versions, has no other way out, and keeps the focus', async () => {
  opens({});
  const dialog = await screen.findByRole('dialog', { name: 'Please read and accept' });
  const terms = screen.getByRole('link', { name: 'Terms of service, in a new tab' });
  expect(terms).toHaveAttribute('href', '/terms');
  expect(terms).toHaveAttribute('target', '_blank');
  expect(screen.getByRole('link', { name: 'Privacy policy, in a new tab' })).toHaveAttribute('href', '/privacy');
  expect(dialog).toHaveTextContent('Version 3 of 2026-11-28');
  await userEvent.keyboard('{Escape}');
  expect(screen.getByRole('dialog')).toBeVisible();
  expect(screen.getAllByRole('button').map((button) => button.textContent)).toEqual(['Sign out', 'Accept']);
  for (let step = 0; step < 6; step += 1) {
    await userEvent.tab();
    expect(dialog).toContainElement(document.activeElement as HTMLElement);
  }
});

test('what was shown is accepted, and nothing is asked any more', async () => {
  const sent = opens({
    'User/AcceptTexts': { Data: [] },
    'User/GetUserInfo': { Data: { ...INFO, TextsToAccept: [] } },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Accept' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent.find(({ call }) => call === 'User/AcceptTexts')?.body).toEqual({ AcceptedTexts: [4, 7] });
  expect(sent.some(({ call }) => call === 'User/GetUserInfo')).toBe(true);
  expect(useUserStore.getState().info?.Token).toBe('t');
});

test('a version that was published meanwhile is asked about next', async () => {
  const newer = { ...TERMS, LegalTextId: 9, Version: 4 };
  const sent = opens({
    'User/AcceptTexts': ({ body }) => ({ Data: (body.AcceptedTexts as number[]).includes(9) ? [] : [newer] }),
    'User/GetUserInfo': 'network',
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Accept' }));
  expect(await screen.findByText('Version 4 of 2026-11-28')).toBeVisible();
  expect(screen.queryByRole('link', { name: /^Privacy policy/ })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Accept' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(sent.findLast(({ call }) => call === 'User/AcceptTexts')?.body).toEqual({ AcceptedTexts: [9] });
});

test('a refusal is shown in the dialog', async () => {
  opens({ 'User/AcceptTexts': { Code: 3333, Message: 'Not in a view', Data: { Key: 'someReason' } } });
  await userEvent.click(await screen.findByRole('button', { name: 'Accept' }));
  expect(await screen.findByText('Not in a view')).toBeVisible();
});

test('the other answer is to sign out', async () => {
  const sent = opens({ 'User/Logout': { Data: null } });
  await userEvent.click(await screen.findByRole('button', { name: 'Sign out' }));
  await waitFor(() => expect(useUserStore.getState().info).toBeNull());
  expect(sent.map(({ call }) => call)).toEqual(['User/Logout']);
});
