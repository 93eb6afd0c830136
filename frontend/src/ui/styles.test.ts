// Rules of styles that would make the browser restyle whole screens.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const files = readdirSync('src', { recursive: true })
  .map(String)
  .filter((name) => name.endsWith('.css'));

/** Positions whose descendants are not named by tag, class or attribute: `tr:last-child > *`, `:first-child > :last-child`. */
const ANY_WITHIN_POSITION = /:(?:first|last|only|nth)-[\w-]+(?:\([^)]*\))?\s*[>+~ ]\s*(?:\*|:(?!is\(|where\(|global))/;

const selectorsOf = (css: string) =>
  [...css.replace(/\/\*[\s\S]*?\*\//g, '').matchAll(/([^{}]+)\{/g)].flatMap(([, head = '']) =>
    head.trim().split(/,\s*\n/),
  );

test('opening a dialog or a menu, the last child of its parent, does not restyle all that stands before it', () => {
  const found = files.flatMap((name) =>
    selectorsOf(readFileSync(join('src', name), 'utf8'))
      .filter((selector) => ANY_WITHIN_POSITION.test(selector))
      .map((selector) => `${name}: ${selector}`),
  );
  expect(files.length).toBeGreaterThan(40);
  expect(found).toEqual([]);
});

test.each([
  ['.lines tfoot tr:last-child > *', true],
  ['.card > :first-child > :last-child', true],
  ['.card > :nth-child(2) > :last-child', true],
  ['.lines tfoot tr:last-child > :is(th, td)', false],
  ['.lines > :first-child > button:last-child::after', false],
  ['.batches > li:last-child', false],
])('%s: %s', (selector, isFound) => {
  expect(ANY_WITHIN_POSITION.test(selector)).toBe(isFound);
});
