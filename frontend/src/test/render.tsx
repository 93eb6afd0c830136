// A screen as the app shows it, for a unit test: with its cache and its address.
import { QueryClientProvider } from '@tanstack/react-query';
import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter, useLocation } from 'react-router';
import { vi } from 'vitest';
import { newQueryClient } from '@/stores/queries';

let address = '';

function Address() {
  const { pathname, search } = useLocation();
  address = pathname + search;
  return null;
}

/** Shows it at this address; `addressNow` tells where it has led to since. */
export function renderScreen(screen: ReactNode, at = '/') {
  const { unmount } = render(
    <QueryClientProvider client={newQueryClient()}>
      <MemoryRouter initialEntries={[at]}>
        {screen}
        <Address />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return { addressNow: () => address, unmount };
}

/** From here on the window is as narrow as a phone: lists are cards, which a test can read without a layout. */
export function onPhone() {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('max-width'),
    addEventListener: () => {},
    removeEventListener: () => {},
  }));
}
