// Backticks mark code, and a lone one is a character.
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { CodedText } from './CodedText';

test.each([
  ['no code', 'no code', []],
  [
    'Run `postern init`, or `postern migrate`.',
    'Run postern init, or postern migrate.',
    ['postern init', 'postern migrate'],
  ],
  ['`all of it`', 'all of it', ['all of it']],
  ['a `b` c ` d', 'a b c ` d', ['b']],
  ['empty `` stays', 'empty `` stays', []],
])('%s', (text, shown, codes) => {
  const { container } = render(<CodedText text={text} />);
  expect(container).toHaveTextContent(shown);
  expect(screen.queryAllByRole('code').map((code) => code.textContent)).toEqual(codes);
});
