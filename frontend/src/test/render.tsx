// Renders a screen for a unit test, with a query cache and a router.
import { QueryClientProvider } from '@tanstack/react-query';
import { act, render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { MemoryRouter, type NavigateFunction, useLocation, useNavigate } from 'react-router';
import { vi } from 'vitest';
import { newQueryClient } from '@/stores/queries';

let address = '';
let navigate: NavigateFunction;

function Address() {
  const { pathname, search } = useLocation();
  address = pathname + search;
  navigate = useNavigate();
  return null;
}

/** Renders it at this address; `addressNow` returns the current one, `goBack` is the browser's button. */
export function renderScreen(screen: ReactNode, at = '/') {
  const { unmount } = render(
    <QueryClientProvider client={newQueryClient()}>
      <MemoryRouter initialEntries={[at]}>
        {screen}
        <Address />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return { addressNow: () => address, goBack: () => act(async () => navigate(-1)), unmount };
}

/** Makes the window as narrow as a phone, so that lists render as cards, which jsdom can read without layout. */
export function onPhone() {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('max-width'),
    addEventListener: () => {},
    removeEventListener: () => {},
  }));
}
