// Numbers in texts are written as the language writes them. Whatever is no number to readers, such as an id, is given as a string.
import type { FormatterModule } from 'i18next';

export const numbers: FormatterModule = {
  type: 'formatter',
  init() {},
  add() {},
  addCached() {},
  format: (value, _format, language) =>
    typeof value === 'number' ? new Intl.NumberFormat(language).format(value) : value,
};

/** Every value goes through it; React escapes what it shows. */
export const interpolation = { escapeValue: false, alwaysFormat: true };

/** What rules count. Everything else that they name is what was typed, or an amount of money, which core has written. */
const COUNTS = ['Min', 'Max', 'Held', 'NextMax', 'Limit'];

/** The parameters of a rule's text, its counts as numbers. */
export const countsAsNumbers = (params: Record<string, string> = {}) =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      COUNTS.includes(name) && /^\d+$/.test(value) ? Number(value) : value,
    ]),
  );
