// The debounced search field.
import { act, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DebouncedSearch } from './DebouncedSearch';

const types = (value: string) =>
  fireEvent.change(screen.getByRole('searchbox', { name: 'Search' }), { target: { value } });
const passes = (ms: number) => act(() => vi.advanceTimersByTime(ms));

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('searches once after a pause, and not for the current value', () => {
  const ask = vi.fn();
  render(<DebouncedSearch label="Search" value="" onSearch={ask} />);
  for (const typed of ['m', 'ma', 'mai', 'mail', 'mail ']) {
    types(typed);
    passes(200);
  }
  expect(ask).not.toHaveBeenCalled();
  passes(100);
  expect(ask.mock.calls).toEqual([['mail']]);
  types('');
  passes(1_000);
  expect(ask).toHaveBeenCalledTimes(1);
});

test('what is typed stays while its own search comes back, and one from elsewhere replaces it', () => {
  const { rerender } = render(<DebouncedSearch label="Search" value="" onSearch={() => {}} />);
  const field = screen.getByRole('searchbox');
  types('john ');
  passes(300);
  rerender(<DebouncedSearch label="Search" value="john" onSearch={() => {}} />);
  expect(field).toHaveValue('john ');
  types('john s');
  rerender(<DebouncedSearch label="Search" value="" onSearch={() => {}} />);
  expect(field).toHaveValue('');
  rerender(<DebouncedSearch label="Search" value="john" onSearch={() => {}} />);
  expect(field).toHaveValue('john');
});

test('losing focus searches at once, and not again', () => {
  const ask = vi.fn();
  render(<DebouncedSearch label="Search" value="" onSearch={ask} />);
  types('x');
  fireEvent.blur(screen.getByRole('searchbox'));
  expect(ask.mock.calls).toEqual([['x']]);
  passes(10_000);
  expect(ask).toHaveBeenCalledTimes(1);
});
