// Texts of several paragraphs.
import { render, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { PlainDocument } from './PlainDocument';

const TEXT = [
  '# Terms',
  'You pay first.',
  'Then you use it.',
  '',
  'Not allowed:',
  '- spam',
  '- fraud',
  '',
  '- on its own',
  '#hashtag and -dash',
  '',
  '',
  '<b>No</b> HTML, *no* marks, https://shop.example',
].join('\n');

test('headings, paragraphs and lists are what their lines begin with; nothing else is interpreted', () => {
  const { container } = render(<PlainDocument text={TEXT} lang="en" />);
  const parts = [...(container.firstElementChild?.children ?? [])].map((part) => [part.tagName, part.textContent]);
  expect(parts).toEqual([
    ['H2', 'Terms'],
    ['P', 'You pay first.\nThen you use it.'],
    ['P', 'Not allowed:'],
    ['UL', 'spamfraud'],
    ['UL', 'on its own'],
    ['P', '#hashtag and -dash'],
    ['P', '<b>No</b> HTML, *no* marks, https://shop.example'],
  ]);
  expect(container.querySelector('b, a, em')).toBeNull();
  expect(within(screen.getAllByRole('list')[0] as HTMLElement).getAllByRole('listitem')).toHaveLength(2);
  expect(container.firstElementChild).toHaveAttribute('lang', 'en');
});

test('lines of files from Windows, and headings of a lower level', () => {
  render(<PlainDocument text={'# One\r\n\r\nA line \r\nand another'} level={3} />);
  expect(screen.getByRole('heading', { level: 3, name: 'One' })).toBeVisible();
  expect(screen.getByText(/^A line/).textContent).toBe('A line\nand another');
});
