// The focus goes to the first invalid field with the errors, not later.
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { useFieldErrors } from './form';

function Form() {
  const errors = useFieldErrors();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!errors.passes({ Second: [{ Rule: 'required', Params: {} }] })) errors.focusFirst(event.currentTarget);
      }}
    >
      {['First', 'Second'].map((name) => (
        <input key={name} aria-label={name} aria-invalid={errors.textOf(name) !== undefined} />
      ))}
      <button type="submit">Save</button>
    </form>
  );
}

test('an invalid field has the focus when its error is shown, and a later frame does not move it', () => {
  const later = vi.spyOn(window, 'requestAnimationFrame');
  render(<Form />);
  fireEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(screen.getByLabelText('Second')).toBeInvalid();
  expect(screen.getByLabelText('Second')).toHaveFocus();
  expect(later).not.toHaveBeenCalled();
  later.mockRestore();
});
