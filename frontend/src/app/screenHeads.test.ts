// The table of the screens' heads.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { MOBILE_MAX_WIDTH, SIDEBAR_OPEN_MIN_WIDTH } from '@/core/constants.gen';
import { SIDEBARS } from '@/core/sidebar.gen';
import { firstNamespaces } from '@/i18n/start';
import { SCREEN_HEADS, screenHeadOf } from './screenHeads';

const textOf = (language: string, key: string) => {
  const [namespace = '', path = ''] = key.split(':');
  const texts = JSON.parse(readFileSync(`../locales/${language}/${namespace}.json`, 'utf8'));
  return path.split('.').reduce((inner, part) => inner?.[part], texts);
};

test('every screen of a customer has a head, with texts that are loaded for its first render', () => {
  const screens = (SIDEBARS[0] ?? [])
    .filter(({ Action }) => Action === 'navigate')
    .flatMap((entry) => (entry.Children.length > 0 ? entry.Children : [entry]))
    .map(({ Path }) => Path);
  // Linked from the account menu.
  expect([...screens, '/status'].sort()).toEqual(Object.keys(SCREEN_HEADS).sort());
  for (const [path, { title, lead }] of Object.entries(SCREEN_HEADS)) {
    expect(firstNamespaces(true, path)).toContain(title.split(':')[0]);
    for (const language of ['en', 'zh']) {
      expect(textOf(language, title)).toBeTypeOf('string');
      expect(textOf(language, lead)).toBeTypeOf('string');
    }
  }
});

test('a single item of a list has a head of its own', () => {
  expect(screenHeadOf('/order', '?lang=zh')).toBeDefined();
  for (const item of ['?OrderId=1', '?OrderNumber=1', '?lang=zh&OrderId=1'])
    expect(screenHeadOf('/order', item)).toBeUndefined();
  expect(screenHeadOf('/nowhere', '')).toBeUndefined();
});

test('the styles that choose a prerendered window have the bounds of core', () => {
  const styles = readFileSync('src/ui/base.css', 'utf8');
  const bounds = [...styles.matchAll(/\((?:min|max)-width: (\d+)px\)/g)].map(([, pixels]) => Number(pixels));
  const expected = [MOBILE_MAX_WIDTH, MOBILE_MAX_WIDTH + 1, SIDEBAR_OPEN_MIN_WIDTH - 1, SIDEBAR_OPEN_MIN_WIDTH];
  expect([...new Set(bounds)].sort((one, other) => one - other)).toEqual(expected);
});
