// A search that the server does: asked once for what somebody has typed.
import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { DebouncedSearch } from './DebouncedSearch';

const field = () => screen.getByRole('searchbox', { name: 'Search' });

test('the search asks after a pause, once, and for nothing that is asked already', async () => {
  const ask = vi.fn();
  render(<DebouncedSearch label="Search" value="" onSearch={ask} />);
  await userEvent.type(field(), 'mail ');
  await waitFor(() => expect(ask).toHaveBeenCalledWith('mail'));
  expect(ask).toHaveBeenCalledTimes(1);
});

test('who turns to something else has typed all: nothing is asked afterwards', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime });
    const ask = vi.fn();
    render(
      <>
        <DebouncedSearch label="Search" value="" onSearch={ask} />
        <a href="#elsewhere">elsewhere</a>
      </>,
    );
    await user.type(field(), 'x');
    await user.click(screen.getByRole('link'));
    expect(ask.mock.calls).toEqual([['x']]);
    vi.advanceTimersByTime(10_000);
    expect(ask).toHaveBeenCalledTimes(1);
  } finally {
    vi.useRealTimers();
  }
});
