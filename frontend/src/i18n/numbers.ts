// Numbers in texts are formatted for the language. Values that are not numbers to readers, such as ids, are passed as strings.
import type { FormatterModule } from 'i18next';

export const numbers: FormatterModule = {
  type: 'formatter',
  init() {},
  add() {},
  addCached() {},
  format: (value, _format, language) =>
    typeof value === 'number' ? new Intl.NumberFormat(language).format(value) : value,
};

/** Formats every interpolated value; React escapes the output. */
export const interpolation = { escapeValue: false, alwaysFormat: true };

/** Rule parameters that are counts. Other parameters are typed values, or amounts that core has formatted. */
const COUNTS = ['Min', 'Max', 'Held', 'NextMax', 'Limit'];

/** A rule's parameters, with counts as numbers. */
export const countsAsNumbers = (params: Record<string, string> = {}) =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      COUNTS.includes(name) && /^\d+$/.test(value) ? Number(value) : value,
    ]),
  );
