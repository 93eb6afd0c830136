// Texts with elements, such as times with a tooltip, in place of placeholders.
import { Fragment, type ReactNode } from 'react';

/** Private-use characters mark the places of the elements: neither texts nor values contain them. */
const FIRST_MARK = 0xe000;
const MARKS = /([\ue000-\uf8ff])/u;

/**
 * The text with an element for each named placeholder, wherever the language puts it:
 * `fillText((marks) => t('expires', marks), { Time: <UntilText value={at} /> })`.
 */
export function fillText<Name extends string>(
  text: (marks: Record<Name, string>) => string,
  elements: Record<Name, ReactNode>,
): ReactNode {
  const names = Object.keys(elements) as Name[];
  const marks = names.map((name, index) => [name, String.fromCharCode(FIRST_MARK + index)]);
  return text(Object.fromEntries(marks))
    .split(MARKS)
    .map((part, index) => {
      const name = MARKS.test(part) ? names[part.charCodeAt(0) - FIRST_MARK] : undefined;
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have no other identity.
      return <Fragment key={index}>{name === undefined ? part : elements[name]}</Fragment>;
    });
}
