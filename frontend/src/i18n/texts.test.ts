// Both languages have the same keys and placeholders, and Chinese texts are Chinese.
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const folder = (language: string) => resolve(process.cwd(), '../locales', language);
const files = readdirSync(folder('en'));

function flatten(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'string') return [[path, value]];
  return Object.entries(value as object).flatMap(([key, inner]) => flatten(inner, path ? `${path}.${key}` : key));
}
const read = (language: string, file: string) =>
  new Map(flatten(JSON.parse(readFileSync(resolve(folder(language), file), 'utf8'))));
const placeholders = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort();

// Identical in both languages: names and formats.
const SAME = /^(IP|ISP|ASN|(Standard )?Webhooks?|URL|host:port:user:pass|HTTP|\{\{Count\}\} GB|\{\{Price\}\}\/GB)$/;

test('both languages have the same files', () => {
  expect(readdirSync(folder('zh'))).toEqual(files);
});

describe.each(files)('%s', (file) => {
  const en = read('en', file);
  const zh = read('zh', file);
  test('has the same keys in both languages', () => {
    expect([...zh.keys()]).toEqual([...en.keys()]);
  });
  test('has the same placeholders in both languages', () => {
    for (const [key, text] of en) expect(placeholders(zh.get(key) ?? ''), key).toEqual(placeholders(text));
  });
  test('is translated', () => {
    for (const [key, text] of zh) {
      const hasWords = /\p{L}/u.test(text.replace(/\{\{.*?\}\}/g, ''));
      expect(!hasWords || /[\u4e00-\u9fff]/.test(text) || SAME.test(text), `${key}: ${text}`).toBe(true);
    }
  });
});
