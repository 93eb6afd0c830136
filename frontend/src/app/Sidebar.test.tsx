// The sidebar: open with its sections, collapsed with flyouts, and as the user left it.
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { SIDEBAR_KEY } from '@/core/constants.gen';
import { startsOpen, useUserStore } from '@/stores/user';
import { onPhone, renderScreen } from '@/test/render';
import { Sidebar } from './Sidebar';

const INFO = { UserId: 1, Email: 'ann@example.com', Level: 0, State: 'active', Token: 't' };

/** A window of a width in pixels. */
const inWindow = (width: number) =>
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: [...query.matchAll(/\((min|max)-width: (\d+)px\)/g)].every(([, bound, pixels]) =>
      bound === 'min' ? width >= Number(pixels) : width <= Number(pixels),
    ),
    addEventListener: () => {},
    removeEventListener: () => {},
  }));

const show = (sidebarOpen: boolean, isMobile = false) => {
  useUserStore.setState({ info: INFO as never, sidebarOpen });
  return renderScreen(<Sidebar isMobile={isMobile} />, '/order');
};

beforeEach(() => localStorage.removeItem(SIDEBAR_KEY));

test('an entry with screens leads to the first of them and shows the others', async () => {
  const { addressNow } = show(true);
  await userEvent.click(screen.getByRole('link', { name: 'Billing' }));
  expect(addressNow()).toBe('/billing/products');
  await userEvent.click(screen.getByRole('link', { name: 'Wallet' }));
  expect(addressNow()).toBe('/billing/wallet');
  const fold = screen.getByRole('button', { name: 'Screens of Billing' });
  expect(fold).toHaveAttribute('aria-expanded', 'true');
  await userEvent.click(fold);
  expect(screen.queryByRole('link', { name: 'Wallet' })).toBeNull();
  expect(addressNow()).toBe('/billing/wallet');
});

test('the drawer of a phone unfolds the screens and stays open', async () => {
  onPhone();
  const { addressNow } = show(true, true);
  await userEvent.click(screen.getByRole('button', { name: 'Billing' }));
  expect(screen.getByRole('link', { name: 'Wallet' })).toBeVisible();
  expect(addressNow()).toBe('/order');
});

test('collapsed, it has the brand, and the screens of an entry are beside it on hover', async () => {
  const { addressNow } = show(false);
  const sidebar = within(screen.getByRole('navigation'));
  expect(sidebar.getByText('Postern')).toBeInTheDocument();
  const billing = sidebar.getByRole('link', { name: 'Billing' });
  expect(sidebar.queryByRole('link', { name: 'Wallet' })).toBeNull();
  await userEvent.hover(billing);
  await userEvent.click(within(sidebar.getByRole('list', { name: 'Billing' })).getByRole('link', { name: 'Wallet' }));
  expect(addressNow()).toBe('/billing/wallet');
  await waitFor(() => expect(sidebar.queryByRole('list', { name: 'Billing' })).toBeNull());
  await userEvent.unhover(billing);
  await userEvent.click(billing);
  expect(addressNow()).toBe('/billing/products');
});

test('collapsed, the screens of an entry open on focus by keyboard, and Escape closes them', async () => {
  show(false);
  const billing = screen.getByRole('link', { name: 'Billing' });
  // jsdom does not tell how the focus came.
  const matches = billing.matches.bind(billing);
  billing.matches = (selector) => selector === ':focus-visible' || matches(selector);
  act(() => billing.focus());
  expect(billing).toHaveAttribute('aria-expanded', 'true');
  await userEvent.tab();
  expect(document.activeElement).toHaveTextContent('Products');
  fireEvent.keyDown(document.activeElement as Element, { key: 'Escape' });
  expect(billing).toHaveAttribute('aria-expanded', 'false');
});

test.each([
  [1920, true],
  [1280, false],
])('in a window of %d px it starts as wide as fits, and then as the user left it', async (width, fits) => {
  inWindow(width);
  expect(startsOpen()).toBe(fits);
  show(fits);
  await userEvent.click(screen.getByRole('button', { name: fits ? 'Collapse menu' : 'Open menu' }));
  expect(useUserStore.getState().sidebarOpen).toBe(!fits);
  expect(startsOpen()).toBe(!fits);
});

test('the drawer of a phone is never remembered', async () => {
  inWindow(360);
  localStorage.setItem(SIDEBAR_KEY, 'open');
  expect(startsOpen()).toBe(false);
});
