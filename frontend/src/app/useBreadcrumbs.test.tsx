// The breadcrumbs of the operators' screens lead to the screen with which the role begins.
import { renderHook } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { signInAs } from '@/test/staff';
import { useBreadcrumbs } from './useBreadcrumbs';

test.each([
  ['operator', '/operator/business'],
  ['support', '/operator/support'],
  ['accountant', '/operator/business'],
] as const)('%s begins at %s', (role, start) => {
  signInAs(role);
  const { result } = renderHook(useBreadcrumbs, {
    wrapper: ({ children }) => <MemoryRouter initialEntries={['/operator/orders']}>{children}</MemoryRouter>,
  });
  expect(result.current.map(({ to }) => to)).toEqual([start, '/operator/orders']);
});
