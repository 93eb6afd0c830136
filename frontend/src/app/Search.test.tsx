// Opening and closing the search: the button, the keyboard shortcut, and when it stays closed.
import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useSearchStore } from '@/stores/search';
import { useUserStore } from '@/stores/user';
import { renderScreen } from '@/test/render';
import { answerWith } from '@/test/server';
import { Dialog } from '@/ui/Overlay';
import { Search } from './Search';

const INFO = {
  UserId: 1,
  Email: 'ann@example.com',
  Level: 0,
  ResellerBasisPoints: 0,
  State: 'active',
  Language: 'en',
  TimeZone: 'UTC',
  IsView: false,
  TextsToAccept: [] as never[],
  Token: 't',
} as const;

const onSystem = (platform: string) => vi.spyOn(navigator, 'platform', 'get').mockReturnValue(platform);

beforeEach(() => {
  answerWith({});
  useUserStore.setState({ info: INFO });
  useSearchStore.setState({ isOpen: false });
});
afterEach(() => vi.restoreAllMocks());

const dialog = () => screen.queryByRole('dialog', { name: 'Search the shop' });

test('the button opens the search, and closing it returns the focus to the button', async () => {
  renderScreen(<Search isMobile={false} hasRules />);
  const button = screen.getByRole('button', { name: 'Search…' });
  await userEvent.click(button);
  expect(await screen.findByRole('combobox')).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(button).toHaveFocus());
  expect(dialog()).toBeNull();
});

test.each([
  ['Linux x86_64', 'Ctrl K', { ctrlKey: true }, { metaKey: true }],
  ['MacIntel', '⌘K', { metaKey: true }, { ctrlKey: true }],
])('on %s the shortcut is %s, which also closes the search', async (platform, shown, right, wrong) => {
  onSystem(platform);
  renderScreen(<Search isMobile={false} hasRules />);
  expect(screen.getByText(shown)).toBeVisible();
  fireEvent.keyDown(document.body, { key: 'k', ...wrong });
  fireEvent.keyDown(document.body, { key: 'k', ...right, shiftKey: true });
  expect(screen.getByRole('button', { name: 'Search…' })).toBeVisible();
  fireEvent.keyDown(document.body, { key: 'k', ...right });
  await screen.findByRole('combobox');
  fireEvent.keyDown(document.body, { key: 'k', ...right });
  expect(dialog()).toBeNull();
});

test('it does not open over another dialog', () => {
  renderScreen(
    <>
      <Search isMobile={false} hasRules />
      <Dialog open title="Other" onClose={() => {}}>
        text
      </Dialog>
    </>,
  );
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
  expect(useSearchStore.getState().isOpen).toBe(false);
});

test('a search opened before the rules are loaded appears once they are', async () => {
  const first = renderScreen(<Search isMobile={false} hasRules={false} />);
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
  expect(dialog()).toBeNull();
  first.unmount();
  renderScreen(<Search isMobile={false} hasRules />);
  await screen.findByRole('combobox');
});
