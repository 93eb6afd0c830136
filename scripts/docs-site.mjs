// Checks the built documentation site: scripts/docs.sh builds it and runs node --test scripts/docs-site.mjs
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join, posix, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { tokenize } from '../docs/.vitepress/tokens.mjs';
import MiniSearch from '../docs/node_modules/minisearch/dist/es/index.js';

const repository = fileURLToPath(new URL('..', import.meta.url));
const docs = join(repository, 'docs');
const site = join(docs, '.vitepress/dist');
const BASE = '/docs/';

/** Pages of customers, which exist in both languages. */
const TRANSLATED = ['proxies.md', 'api.md', 'webhooks.md'];
/** What the shop itself answers, outside of the site. */
const OF_THE_SHOP = new Set(['/', '/api/docs', '/api/openapi.json', '/favicon.svg']);
/** Files without an extension. */
const NAMED = new Set(['Caddyfile', 'Containerfile']);
const EXTENSIONS = new Set([
  '.cfg',
  '.conf',
  '.css',
  '.example',
  '.html',
  '.js',
  '.json',
  '.mjs',
  '.png',
  '.service',
  '.socket',
  '.timer',
  '.woff2',
  '.yaml',
  '.yml',
]);
const MOST_SITE_BYTES = 4_000_000;
/** What a first visit loads, without the picture. */
const MOST_PAGE_BYTES = 700_000;
const MOST_INDEX_BYTES = 600_000;

const files = readdirSync(site, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(site, join(entry.parentPath, entry.name)));
const pages = new Map(
  files.filter((file) => file.endsWith('.html')).map((file) => [file, readFileSync(join(site, file), 'utf8')]),
);
const idsOf = new Map(
  [...pages].map(([file, html]) => [file, new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))]),
);

const unescaped = (text) => text.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'");
/** Values of an attribute of all elements of a name. */
const valuesOf = (html, element, attribute) =>
  [...html.matchAll(new RegExp(`<${element}\\b[^>]*?\\s${attribute}="([^"]*)"`, 'g'))].map(([, value]) =>
    unescaped(value),
  );
/** The file that the server answers an address with. */
const fileAt = (path) => {
  const name = path.slice(BASE.length);
  return [name, `${name}.html`, posix.join(name, 'index.html')].find((file) => files.includes(file));
};

test('no page has an inline script or an inline handler', () => {
  for (const [file, html] of pages) {
    for (const [tag, code] of [...html.matchAll(/<script\b[^>]*>([\s\S]*?)<\/script>/g)]) {
      assert.match(tag, /^<script\b[^>]*\ssrc="/, `${file}: ${tag.slice(0, 80)}`);
      assert.equal(code.trim(), '', file);
    }
    const tags = html.match(/<[a-z][^>]*>/gi) ?? [];
    assert.deepEqual(
      tags.filter((tag) => /\son[a-z]+\s*=/i.test(tag.replace(/"[^"]*"/g, '""')) || /="javascript:/i.test(tag)),
      [],
      file,
    );
  }
});

test('no page asks for code to be made of text, which the policy forbids', () => {
  for (const file of files.filter((name) => name.endsWith('.js'))) {
    assert.doesNotMatch(readFileSync(join(site, file), 'utf8'), /\bnew Function\(|\beval\(/, file);
  }
});

test('scripts, styles, fonts and pictures come from this origin', () => {
  for (const [file, html] of pages) {
    const loaded = [
      ...valuesOf(html, 'script', 'src'),
      ...valuesOf(html, 'link', 'href'),
      ...valuesOf(html, 'img', 'src'),
    ];
    assert.ok(loaded.length > 3, file);
    for (const address of loaded) {
      if (!OF_THE_SHOP.has(address))
        assert.ok(address.startsWith(`${BASE}assets/`) && fileAt(address), `${file}: ${address}`);
    }
  }
  for (const file of files.filter((name) => name.endsWith('.css'))) {
    const addresses = [...readFileSync(join(site, file), 'utf8').matchAll(/url\(\s*["']?([^"')]+)/g)].map(
      ([, address]) => address,
    );
    for (const address of addresses) assert.match(address, /^(?:data:|#|\/docs\/assets\/)/, `${file}: ${address}`);
  }
});

test('assets have a hash in their names, and all files a known kind', () => {
  for (const file of files) {
    assert.ok(EXTENSIONS.has(extname(file)) || NAMED.has(posix.basename(file)), file);
    if (file.startsWith('assets/')) assert.match(file, /\.[\w-]{8}\.(?:lean\.js|js|css|png|woff2)$/, file);
    else assert.ok(file.endsWith('.html') || file.startsWith('deploy/'), file);
  }
});

test('every link leads to a page, an anchor or a file', () => {
  const wrong = [];
  for (const [file, html] of pages) {
    const here = new URL(BASE + (file === 'index.html' ? '' : file.replace(/(?:index)?\.html$/, '')), 'http://site');
    for (const href of valuesOf(html, 'a', 'href')) {
      const url = new URL(href, here);
      if (url.origin !== here.origin) continue;
      const path = decodeURIComponent(url.pathname);
      if (OF_THE_SHOP.has(path)) continue;
      const target = path.startsWith(BASE) ? fileAt(path) : undefined;
      const anchor = decodeURIComponent(url.hash.slice(1));
      if (!target) wrong.push(`${file}: ${href} leads nowhere`);
      else if (anchor && !idsOf.get(target)?.has(anchor)) wrong.push(`${file}: ${href} has no such heading`);
    }
  }
  assert.deepEqual(wrong, []);
});

test('every file to download is linked', () => {
  const linked = new Set([...pages.values()].flatMap((html) => valuesOf(html, 'a', 'href')));
  const lost = files.filter((file) => file.startsWith('deploy/') && !linked.has(BASE + file));
  assert.deepEqual(lost, []);
});

test('every page is in a menu, and has a title', () => {
  for (const [file, html] of pages) {
    if (file === '404.html') continue;
    assert.match(html, /<h1[ >]/, file);
    const menu = file.startsWith('zh/') ? pages.get('zh/index.html') : pages.get('index.html');
    const path = BASE + file.replace(/(?:index)?\.html$/, '');
    assert.ok(valuesOf(menu, 'a', 'href').includes(path), `${file} is in no menu`);
  }
});

/** The levels of the headings, and the commands without their comments. */
function structureOf(file) {
  const text = readFileSync(join(docs, file), 'utf8');
  const blocks = [...text.matchAll(/^ *```(\w*)\n([\s\S]*?)^ *```/gm)];
  const prose = text.replace(/^ *```[\s\S]*?^ *```/gm, '');
  const bare = (code) =>
    code
      .replace(/^\s*#.*$/gm, '')
      .replace(/\s+(?:#|\/\/)\s.*$/gm, '')
      .replace(/\n{2,}/g, '\n')
      .trim();
  return {
    headings: (prose.match(/^#+(?= )/gm) ?? []).map((marks) => marks.length),
    blocks: blocks.map(([, language, code]) => `${language}\n${bare(code)}`),
    rows: (prose.match(/^\|/gm) ?? []).length,
  };
}

for (const name of TRANSLATED) {
  test(`${name} says the same in both languages`, () => {
    assert.deepEqual(structureOf(posix.join('zh', name)), structureOf(name));
  });
}

test('every Chinese page is on the list of translated ones', () => {
  const chinesePages = readdirSync(join(docs, 'zh')).filter((name) => name.endsWith('.md'));
  assert.deepEqual(chinesePages.sort(), ['index.md', ...TRANSLATED].sort());
});

/** The index of a language, with the words that the browser makes of a query. */
async function indexOf(language) {
  const file = files.find((name) => name.includes(`@localSearchIndex${language}.`));
  const { default: index } = await import(pathToFileURL(join(site, file)));
  assert.ok(index.length < MOST_INDEX_BYTES, `${file} has ${index.length} bytes`);
  return MiniSearch.loadJSON(index, {
    fields: ['title', 'titles', 'text'],
    storeFields: ['title'],
    tokenize,
    searchOptions: { fuzzy: 0.2, prefix: true, boost: { title: 4, text: 2, titles: 1 } },
  });
}

test('the search finds words, parts of identifiers and Chinese', async () => {
  const english = await indexOf('root');
  const chinese = await indexOf('zh');
  for (const [index, query, wanted] of [
    [english, 'whitelist', '/docs/proxies#ip-whitelist'],
    [english, 'connect stripe', '/docs/payments#stripe'],
    [english, 'POSTERN_TRUSTED_PROXIES', '/docs/settings'],
    [english, 'restore', '/docs/backups#restoring'],
    [chinese, '白名单', '/docs/zh/proxies#ip-白名单'],
    [chinese, '提取链接', '/docs/zh/proxies#api-提取链接'],
    [chinese, '频率', '/docs/zh/api#频率限制'],
    [chinese, 'webhook 签名', '/docs/zh/webhooks#验证请求'],
  ]) {
    const found = index
      .search(query)
      .slice(0, 5)
      .map(({ id }) => decodeURIComponent(id));
    assert.ok(
      found.some((id) => id.startsWith(wanted)),
      `${query}: ${found.join(', ')}`,
    );
  }
  assert.deepEqual(english.search('白名单'), []);
});

test('the site is small', () => {
  const bytes = (file) => statSync(join(site, file)).size;
  const all = files.reduce((sum, file) => sum + bytes(file), 0);
  assert.ok(all < MOST_SITE_BYTES, `all files have ${all} bytes`);
  for (const [file, html] of pages) {
    const parts = new Set(
      [...valuesOf(html, 'script', 'src'), ...valuesOf(html, 'link', 'href')].filter((one) => !OF_THE_SHOP.has(one)),
    );
    const sum = bytes(file) + [...parts].reduce((total, address) => total + bytes(fileAt(address)), 0);
    assert.ok(sum < MOST_PAGE_BYTES, `${file} loads ${sum} bytes`);
  }
});

test('nothing of the machine that built the site is in it', () => {
  for (const file of files.filter((name) => /\.(?:html|js|css|json)$/.test(name))) {
    assert.ok(!readFileSync(join(site, file), 'utf8').includes(repository.replace(/\/$/, '')), file);
  }
  assert.ok(!existsSync(join(site, 'hashmap.json')));
});
