// The segmented control updates before its screen re-renders.
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { act, useState } from 'react';
import { expect, test } from 'vitest';
import { SegmentedControl } from './Controls';

const segments = ['list', 'usage', 'history'].map((value) => ({ value, label: value }));
const radio = (name: string) => screen.getByRole<HTMLInputElement>('radio', { name });

test("a choice is shown at once, and the screen's value wins afterwards", async () => {
  let follow = (_: string) => {};
  function Screen() {
    const [value, setValue] = useState('list');
    follow = setValue;
    return <SegmentedControl label="View" value={value} segments={segments} onChange={() => {}} />;
  }
  const { rerender } = render(<Screen />);
  await userEvent.click(radio('usage'));
  expect(radio('usage').checked).toBe(true);
  // An unrelated re-render.
  rerender(<Screen />);
  expect(radio('usage').checked).toBe(true);
  // Back navigation leads to another value.
  act(() => follow('history'));
  expect(radio('history').checked).toBe(true);
  act(() => follow('list'));
  expect(radio('list').checked).toBe(true);
});
