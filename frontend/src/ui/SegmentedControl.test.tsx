// A choice shows at once, also where its screen is drawn later.
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { act, useState } from 'react';
import { expect, test } from 'vitest';
import { SegmentedControl } from './Controls';

const segments = ['list', 'usage', 'history'].map((value) => ({ value, label: value }));
const radio = (name: string) => screen.getByRole<HTMLInputElement>('radio', { name });

test('a choice shows before the screen has followed, and the screen has the last word', async () => {
  let follow = (_: string) => {};
  function Screen() {
    const [value, setValue] = useState('list');
    follow = setValue;
    return <SegmentedControl label="View" value={value} segments={segments} onChange={() => {}} />;
  }
  const { rerender } = render(<Screen />);
  await userEvent.click(radio('usage'));
  expect(radio('usage').checked).toBe(true);
  // Something else is drawn meanwhile.
  rerender(<Screen />);
  expect(radio('usage').checked).toBe(true);
  // The way back leads somewhere else.
  act(() => follow('history'));
  expect(radio('history').checked).toBe(true);
  act(() => follow('list'));
  expect(radio('list').checked).toBe(true);
});
