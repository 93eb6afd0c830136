import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { THEME_KEY } from '@/core/constants.gen';

test('the script that runs before anything is painted reads the theme where the switch keeps it', () => {
  expect(readFileSync('public/theme.js', 'utf8')).toContain(`localStorage.getItem('${THEME_KEY}')`);
});
