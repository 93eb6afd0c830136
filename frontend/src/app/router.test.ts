// The addresses of the app.
import type { RouteObject } from 'react-router';
import { expect, test } from 'vitest';
import { SCREENS } from '@/core/sidebar.gen';
import { router } from './router';

/** The addresses of these routes, without those that catch unknown ones. */
function addressesOf(routes: readonly RouteObject[], above = ''): string[] {
  return routes.flatMap(({ path = '', children }) => {
    if (path === '*') return [];
    const address = path === '' || path.startsWith('/') ? path || above : `${above}/${path}`;
    return children ? addressesOf(children, address.replace(/\/$/, '')) : [address || '/'];
  });
}

test('the server knows every address of the app, and no other', () => {
  expect([...new Set(addressesOf(router.routes))].sort()).toEqual([...SCREENS].sort());
});
