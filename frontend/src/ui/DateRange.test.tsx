// The picker of a date range: presets beside the calendar.
import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { DateRange, type Range } from './DateRange';

function Example({ onChange }: { onChange: (range: Range) => void }) {
  const [range, setRange] = useState<Range>(['', '']);
  const change = (next: Range) => {
    setRange(next);
    onChange(next);
  };
  return <DateRange label="Any date" value={range} onChange={change} />;
}

test('a preset is chosen with one click, closes the calendar, and is marked when it opens again', async () => {
  vi.stubEnv('TZ', 'UTC');
  vi.useFakeTimers({ now: Date.parse('2026-11-26T05:00:00Z'), toFake: ['Date'] });
  const onChange = vi.fn();
  render(<Example onChange={onChange} />);
  const field = screen.getByPlaceholderText('Any date');
  await userEvent.click(field);
  const presets = () => within(screen.getByRole('group', { name: 'Frequent ranges' })).getAllByRole('button');
  expect(presets().map((one) => one.textContent)).toEqual([
    'Today',
    'Yesterday',
    'Last 7 days',
    'Last 30 days',
    'This month',
    'Last month',
  ]);
  await userEvent.click(screen.getByRole('button', { name: 'Last month' }));
  expect(onChange).toHaveBeenLastCalledWith(['2026-10-01', '2026-10-31']);
  expect(screen.queryByRole('group', { name: 'Frequent ranges' })).toBeNull();
  expect(field).toHaveValue('2026-10-01 – 2026-10-31');
  await userEvent.click(field);
  expect(presets().filter((one) => one.getAttribute('aria-pressed') === 'true')).toHaveLength(1);
  vi.useRealTimers();
  vi.unstubAllEnvs();
});
