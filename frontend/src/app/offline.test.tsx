// What is on the screen while the connection is lost, and that it recovers by itself.
import { act, render, screen, waitFor } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { connectionWorks, useConnection } from '@/api/connection';
import { answerWith } from '@/test/server';
import { ConnectionBar } from './ConnectionBar';
import { ScreenError } from './ScreenError';
import { TextsMissing } from './TextsMissing';

const reload = vi.fn();
const lose = (lost: 'offline' | 'unreachable' | null) => act(() => useConnection.setState({ lost }));

beforeEach(() => {
  reload.mockReset();
  vi.stubGlobal('location', { ...window.location, reload });
  vi.spyOn(console, 'error').mockImplementation(() => {});
});
afterEach(() => {
  connectionWorks();
  vi.restoreAllMocks();
});

function failing(error: unknown) {
  const router = createMemoryRouter([
    {
      path: '/',
      loader: () => {
        throw error;
      },
      errorElement: <ScreenError />,
      HydrateFallback: () => null,
    },
  ]);
  render(<RouterProvider router={router} />);
}

test('a bar says what is lost, and goes by itself', () => {
  render(<ConnectionBar />);
  expect(screen.getByRole('status')).toBeEmptyDOMElement();
  lose('offline');
  expect(screen.getByRole('status')).toHaveTextContent('You are offline');
  lose('unreachable');
  expect(screen.getByRole('status')).toHaveTextContent('The server cannot be reached');
  lose(null);
  expect(screen.getByRole('status')).toBeEmptyDOMElement();
});

test.each([
  'Failed to fetch dynamically imported module: /assets/x.js',
  'error loading dynamically imported module: /assets/x.js',
  'Importing a module script failed.',
  'Unable to preload CSS for /assets/x.css',
  // Of wasm files.
  'Failed to fetch',
  'NetworkError when attempting to fetch resource.',
  'Load failed',
])(
  'a screen whose code could not be fetched is no crash, and loads once the connection is back: %s',
  async (message) => {
    answerWith({});
    failing(new TypeError(message));
    expect(await screen.findByRole('heading', { name: 'The server cannot be reached' })).toBeVisible();
    expect(screen.queryByText('Something went wrong on this page')).toBeNull();
    expect(reload).not.toHaveBeenCalled();
    lose(null);
    expect(reload).toHaveBeenCalledTimes(1);
  },
);

test('a screen whose code is missing on a server that answers is not loaded again and again', async () => {
  const sent = answerWith({ '/': { Data: null } });
  failing(new TypeError('Failed to fetch dynamically imported module: /assets/x.js'));
  expect(await screen.findByText('Something went wrong on this page')).toBeVisible();
  await waitFor(() => expect(sent).toHaveLength(1));
  expect(reload).not.toHaveBeenCalled();
});

test('a screen that breaks offline for another reason says so once the connection is back', async () => {
  failing(new Error('broken'));
  expect(await screen.findByText('Something went wrong on this page')).toBeVisible();
  lose('offline');
  // React subscribes to the connection only after it has drawn the screen.
  expect(await screen.findByRole('heading', { name: 'You are offline' })).toBeVisible();
});

test('without texts the page loads again by itself', () => {
  render(<TextsMissing />);
  expect(screen.getByText('页面加载失败')).toBeVisible();
  lose('offline');
  lose(null);
  expect(reload).toHaveBeenCalledTimes(1);
});
