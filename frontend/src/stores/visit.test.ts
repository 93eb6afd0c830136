// What is kept of the address that a visitor arrived with.
import { expect, test } from 'vitest';
import { marketing, rememberVisit } from './visit';

test('the invitation code is cleared at every load and kept only if the address has one', () => {
  rememberVisit('?r=ABC123', sessionStorage);
  expect(sessionStorage.getItem('InviteCode')).toBe('ABC123');
  rememberVisit('', sessionStorage);
  expect(sessionStorage.getItem('InviteCode')).toBeNull();
});

test('marketing parameters stay until they are replaced', () => {
  rememberVisit('?utm_source=ad&mediapartnerid=7&redirect=/order&other=1', sessionStorage);
  rememberVisit('?utm_source=mail', sessionStorage);
  expect(marketing(sessionStorage)).toEqual({ utm_source: 'mail', mediapartnerid: '7', redirect: '/order' });
  expect(sessionStorage.getItem('other')).toBeNull();
});
