// The `Open` parameter of an address opens a form once.
import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { renderScreen } from '@/test/render';
import { addFormAddress, useOpenAddForm } from './useOpenAddForm';

function Screen({ add, isReady }: { add: () => void; isReady?: boolean }) {
  useOpenAddForm(add, isReady);
  return <p>list</p>;
}

test('the form is opened once, and the parameter is removed', () => {
  const add = vi.fn();
  const { addressNow } = renderScreen(<Screen add={add} />, `${addFormAddress('/keys')}&Search=a`);
  expect(add).toHaveBeenCalledOnce();
  expect(addressNow()).toBe('/keys?Search=a');
});

test('a screen that is not ready, or at its limit, opens nothing', () => {
  const add = vi.fn();
  renderScreen(<Screen add={add} isReady={false} />, addFormAddress('/keys'));
  expect(screen.getByText('list')).toBeVisible();
  expect(add).not.toHaveBeenCalled();
});

test('addresses without the parameter open nothing', () => {
  const add = vi.fn();
  renderScreen(<Screen add={add} />, '/keys?Open=delete');
  expect(add).not.toHaveBeenCalled();
});
