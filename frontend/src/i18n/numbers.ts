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
