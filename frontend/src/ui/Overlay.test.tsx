// Dialogs that close by accident: with Escape, or with a click beside them.
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { renderScreen } from '@/test/render';
import { Button } from './Button';
import { TextField } from './Field';
import { Dialog } from './Overlay';

function open({ shownOnce = false, isHeld = false } = {}) {
  const onClose = vi.fn();
  renderScreen(
    <Dialog
      open
      shownOnce={shownOnce}
      isHeld={isHeld}
      title="New key"
      onClose={onClose}
      actions={
        <Button variant="primary" onClick={onClose}>
          Save
        </Button>
      }
    >
      <TextField label="Name" defaultValue="old" />
      <input type="search" aria-label="Find" />
    </Dialog>,
  );
  const beside = () => document.querySelector('[data-modal]')?.previousElementSibling as HTMLElement;
  return { onClose, beside, user: userEvent.setup({ pointerEventsCheck: 0 }) };
}

test('a dialog in which nothing was typed closes', async () => {
  const { onClose, user } = open();
  await user.keyboard('{Escape}');
  expect(onClose).toHaveBeenCalledTimes(1);
});

test('a search is no input', async () => {
  const { onClose, user } = open();
  await user.type(screen.getByRole('searchbox', { name: 'Find' }), 'abc');
  await user.keyboard('{Escape}');
  expect(onClose).toHaveBeenCalledTimes(1);
});

test('input that was taken back is not lost', async () => {
  const { onClose, user } = open();
  const field = screen.getByLabelText('Name');
  await user.type(field, 'x');
  await user.type(field, '{Backspace}');
  await user.keyboard('{Escape}');
  expect(onClose).toHaveBeenCalledTimes(1);
});

test.each([
  ['Escape', async ({ user }: ReturnType<typeof open>) => user.keyboard('{Escape}')],
  ['a click beside it', async ({ user, beside }: ReturnType<typeof open>) => user.click(beside())],
])('after typing, %s asks', async (_, leave) => {
  const opened = open();
  await opened.user.type(screen.getByLabelText('Name'), 'er');
  await leave(opened);
  expect(opened.onClose).not.toHaveBeenCalled();
  expect(screen.getByText('Discard what you entered?')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Keep editing' })).toHaveFocus();
  await opened.user.click(screen.getByRole('button', { name: 'Keep editing' }));
  expect(screen.queryByText('Discard what you entered?')).toBeNull();
  expect(screen.getByLabelText('Name')).toHaveValue('older');
  await leave(opened);
  await opened.user.click(screen.getByRole('button', { name: 'Discard' }));
  expect(opened.onClose).toHaveBeenCalledTimes(1);
});

test('a second Escape takes the question back', async () => {
  const { onClose, user } = open();
  await user.type(screen.getByLabelText('Name'), 'er');
  await user.keyboard('{Escape}{Escape}');
  expect(screen.queryByText('Discard what you entered?')).toBeNull();
  expect(onClose).not.toHaveBeenCalled();
});

test('what is shown only once does not close by accident', async () => {
  const opened = open({ shownOnce: true });
  await opened.user.click(opened.beside());
  await opened.user.keyboard('{Escape}');
  await opened.user.keyboard('{Escape}');
  expect(opened.onClose).not.toHaveBeenCalled();
  expect(screen.getByText('This is shown only once. Close it anyway?')).toBeVisible();
  await opened.user.click(screen.getByRole('button', { name: 'Close anyway' }));
  expect(opened.onClose).toHaveBeenCalledTimes(1);
});

test('the close button closes at once', async () => {
  const { onClose, user } = open();
  await user.type(screen.getByLabelText('Name'), 'er');
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect(onClose).toHaveBeenCalledTimes(1);
});

test('a dialog that is held neither closes nor asks', async () => {
  const { onClose, user, beside } = open({ isHeld: true });
  await user.type(screen.getByLabelText('Name'), 'er');
  await user.keyboard('{Escape}');
  await user.click(beside());
  expect(screen.getByRole('button', { name: 'Close' })).toBeDisabled();
  expect(screen.queryByText('Discard what you entered?')).toBeNull();
  expect(onClose).not.toHaveBeenCalled();
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(onClose).toHaveBeenCalledTimes(1);
});
