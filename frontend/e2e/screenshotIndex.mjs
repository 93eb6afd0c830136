// HTML index of a folder of screenshots: a row per screen, filtered by width, language and theme.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const NAME = /^(?<screen>.+)-(?<language>en|zh)-(?<width>\d+)(?<dark>-dark)?\.png$/;

function picturesIn(folder) {
  return readdirSync(folder).flatMap((file) => {
    const { screen, language, width, dark } = NAME.exec(file)?.groups ?? {};
    return screen ? [{ file, screen, language, width: Number(width), theme: dark ? 'dark' : 'light' }] : [];
  });
}

const byVariant = (one, other) =>
  one.width - other.width || one.language.localeCompare(other.language) || other.theme.localeCompare(one.theme);

const distinct = (values) => [...new Set(values)];

/** Radio buttons of a filter, with "all". */
function filter(kind, values) {
  const choice = (value, label) =>
    `<label><input type="radio" name="${kind}" value="${value}"${value === '' ? ' checked' : ''}> ${label}</label>`;
  return `<fieldset><legend>${kind}</legend>${choice('', 'all')}${values.map((one) => choice(one, one)).join('')}</fieldset>`;
}

const picture = ({ file, screen, language, width, theme }) => `
<a href="${file}" target="_blank" data-width="${width}" data-language="${language}" data-theme="${theme}">
<img src="${file}" alt="${screen}" loading="lazy"><small>${width} ${language} ${theme}</small></a>`;

const row = (screen, pictures) =>
  `<section><h2 id="${screen}">${screen}</h2><div>${pictures.map(picture).join('')}</div></section>`;

const STYLE = `body { font: 14px system-ui, sans-serif; margin: 0; background: #f3f4f6; color: #111827 }
form { position: sticky; top: 0; display: flex; flex-wrap: wrap; gap: 8px 24px; padding: 8px 16px; background: #fff; border-bottom: 1px solid #d1d5db }
fieldset { display: flex; gap: 12px; border: 0; padding: 0; margin: 0 } legend { float: left; font-weight: 600 }
section { padding: 8px 16px } h2 { font-size: 15px; margin: 8px 0 }
section div { display: flex; flex-wrap: wrap; gap: 12px; align-items: start }
a { display: grid; gap: 4px; color: inherit } a[hidden], section[hidden] { display: none }
img { height: 200px; border: 1px solid #d1d5db }`;

const SCRIPT = `const form = document.querySelector('form');
const filter = () => {
  const chosen = [...new FormData(form)].filter(([, value]) => value);
  for (const a of document.querySelectorAll('a[data-width]')) a.hidden = chosen.some(([kind, value]) => kind === 'screen' ? !a.href.includes(value) : a.dataset[kind] !== value);
  for (const row of document.querySelectorAll('section')) row.hidden = !row.querySelector('a:not([hidden])');
};
form.addEventListener('input', filter);
filter();`;

export function writeIndex(folder) {
  const pictures = picturesIn(folder).sort(byVariant);
  const screens = distinct(pictures.map(({ screen }) => screen)).sort();
  const values = (kind) => distinct(pictures.map((one) => one[kind]));
  const page = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Screens of Postern</title><style>${STYLE}</style>
<form>${['width', 'language', 'theme'].map((kind) => filter(kind, values(kind))).join('')}
<label>screen <input name="screen" type="search"></label></form>
${screens
  .map((screen) =>
    row(
      screen,
      pictures.filter((one) => one.screen === screen),
    ),
  )
  .join('\n')}
<script>${SCRIPT}</script></html>
`;
  writeFileSync(join(folder, 'index.html'), page);
}
