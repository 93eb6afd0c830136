// Breadcrumbs: which parts are links.
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { onPhone, renderScreen } from '@/test/render';
import { Breadcrumbs, BreadcrumbsContext, type Crumb } from './Breadcrumbs';

const BILLING = { label: 'Billing', to: '/billing/products' };
const ORDERS = { label: 'Orders', to: '/order' };

const show = (breadcrumbs: Crumb[], opened?: string | null) =>
  renderScreen(
    <BreadcrumbsContext.Provider value={breadcrumbs}>
      <Breadcrumbs opened={opened} />
    </BreadcrumbsContext.Provider>,
  );
const links = () => screen.queryAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]);
const here = () => document.querySelector('[aria-current="page"]')?.textContent;

test('a top-level screen has no breadcrumbs', () => {
  show([]);
  expect(screen.queryByRole('navigation')).toBeNull();
});

test('a screen links to its section', () => {
  show([BILLING, ORDERS]);
  expect(screen.getByRole('navigation', { name: 'Breadcrumb' })).toHaveTextContent('BillingOrders');
  expect(links()).toEqual([['Billing', '/billing/products']]);
  expect(here()).toBe('Orders');
});

test('the first screen of a section does not link to itself', () => {
  show([{ ...BILLING, to: '/order' }, ORDERS]);
  expect(links()).toEqual([]);
  expect(here()).toBe('Orders');
});

test('an open item links to its screen even before its name is loaded', () => {
  const { unmount } = show([BILLING, ORDERS], null);
  expect(links()).toEqual([
    ['Billing', '/billing/products'],
    ['Orders', '/order'],
  ]);
  expect(here()).toBeUndefined();
  unmount();
  show([BILLING, ORDERS], 'PO-1');
  expect(links()).toHaveLength(2);
  expect(here()).toBe('PO-1');
});

test('an open item has a back link on a phone', () => {
  onPhone();
  show([BILLING, ORDERS], 'PO-1');
  expect(links()).toEqual([['Orders', '/order']]);
  expect(screen.queryByText('PO-1')).toBeNull();
});
