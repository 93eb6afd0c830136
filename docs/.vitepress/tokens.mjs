// Words of a text for the search, the same when the index is built and when somebody searches.
// Chinese has no spaces: its words are pairs of characters, so that any part of a word is found.
const WORDS = /[\p{L}\p{N}]+/gu;
const IDENTIFIERS = /[\p{L}\p{N}]+(?:[_-][\p{L}\p{N}]+)+/gu;
const CHINESE = /\p{Script=Han}+|\P{Script=Han}+/gu;

/** @param {string} text */
export function tokenize(text) {
  /** @type {string[]} */
  const found = text.match(IDENTIFIERS) ?? [];
  for (const [word] of text.matchAll(WORDS)) {
    for (const [part] of word.matchAll(CHINESE)) {
      if (part.length === 1 || !/\p{Script=Han}/u.test(part)) found.push(part);
      else for (let at = 0; at + 1 < part.length; at += 1) found.push(part.slice(at, at + 2));
    }
  }
  return found;
}
