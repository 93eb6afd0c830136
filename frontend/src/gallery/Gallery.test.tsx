// The component gallery shows every component and renders without errors.
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { act, render, screen } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { onPhone } from '@/test/render';
import { answerCalls } from './answers';
import { Gallery } from './Gallery';

/** Components that are shown as part of others, by component. */
const WITHIN: Record<string, string> = {
  CalendarBox: 'Calendar',
  Grid: 'DataGrid',
  NoRows: 'DataGrid',
  Parts: 'OrderSummary',
  Plot: 'Chart',
  SelectionBar: 'DataGrid',
  ViewsMenu: 'DataGrid',
};

/** Source files of the components in a folder and its subfolders. */
const sourcesIn = (folder: string) =>
  readdirSync(resolve(process.cwd(), folder), { recursive: true })
    .map(String)
    .filter((name) => name.endsWith('.tsx') && !name.endsWith('.test.tsx'))
    .map((name) => readFileSync(resolve(process.cwd(), folder, name), 'utf8'));
const page = sourcesIn('src/gallery').join('\n');

const exported = sourcesIn('src/ui').flatMap((source) =>
  [...source.matchAll(/^export (?:const|function) ([A-Z][a-z]\w*)/gm)].map(([, name = '']) => name),
);
const isShown = (name: string) => new RegExp(`<${name}\\b`).test(page);

test('every component of ui/ is in the gallery, directly or within another', () => {
  expect(exported.length).toBeGreaterThan(50);
  expect(exported.filter((name) => !isShown(WITHIN[name] ?? name))).toEqual([]);
  expect(Object.keys(WITHIN).filter((name) => isShown(name) || !exported.includes(name))).toEqual([]);
});

const problems = vi.spyOn(console, 'error');
const fetched = globalThis.fetch;

beforeEach(() => {
  problems.mockClear();
  answerCalls();
});
afterEach(() => {
  globalThis.fetch = fetched;
});

test.each([
  ['en', 'Total'],
  ['zh', '合计'],
])('it renders on a phone without an error: %s', async (language, word) => {
  onPhone();
  await i18next.changeLanguage(language);
  render(<Gallery />);
  await screen.findAllByText('proxy-1');
  expect(screen.getAllByText(word).length).toBeGreaterThan(0);
  await act(() => new Promise((later) => setTimeout(later)));
  expect(problems.mock.calls).toEqual([]);
});
