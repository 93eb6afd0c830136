// Links in the Markdown work in the repository; here they are led to the pages and files of the site.
import { copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join, posix, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MarkdownRenderer } from 'vitepress';

const BASE = '/docs/';
const repository = fileURLToPath(new URL('../..', import.meta.url));

/** Pages made of a file elsewhere, whose links are relative to that file. */
const INCLUDED: Record<string, string> = {
  'changelog.md': 'CHANGELOG.md',
  'gate.md': 'gate/README.md',
  'wasm.md': 'wasm/README.md',
};

/** Where a file of the repository is on the site. A folder leads to its part of a page. */
const PAGES: Record<string, string> = {
  ...Object.fromEntries(Object.entries(INCLUDED).map(([page, source]) => [source, `/${page.replace(/\.md$/, '')}`])),
  'README.md': '/',
  deploy: '/files',
  'deploy/prometheus': '/files#monitoring',
  'deploy/systemd': '/files#systemd',
};

/** What the running shop answers. */
const OF_THE_SHOP: Record<string, string> = {
  'server/src/app/openapi/openapi.gen.json': '/api/openapi.json',
};

/** Files that pages may link to, by their place in the repository, with their place on the site. */
function downloads(): Map<string, string> {
  const found = new Map([
    ['.env.example', 'deploy/env.example'],
    ['gate/postern-gate.service', 'deploy/gate/postern-gate.service'],
    ['gate/postern-squid-usage.service', 'deploy/gate/postern-squid-usage.service'],
    ['wasm/examples/quote.mjs', 'deploy/wasm/quote.mjs'],
  ]);
  for (const entry of readdirSync(join(repository, 'deploy'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = posix.join(entry.parentPath.slice(repository.length), entry.name);
    found.set(path, path);
  }
  return found;
}

const files = downloads();
const linked = new Map<string, string>();

/** Copies the files that a page links to. */
export function copyFiles(folder: string): void {
  for (const [from, to] of linked) {
    mkdirSync(dirname(join(folder, to)), { recursive: true });
    copyFileSync(join(repository, from), join(folder, to));
  }
}

/** The link on the site, and whether it leaves the pages. */
function ledTo(href: string, page: string): { href: string; leaves: boolean } {
  const source = INCLUDED[page] ?? posix.join('docs', page);
  const [path, anchor] = href.split('#');
  const target = posix.join(posix.dirname(source), path).replace(/\/$/, '');
  const hash = anchor ? `#${anchor}` : '';
  const file = files.get(target);
  if (file) {
    linked.set(target, file);
    return { href: `${BASE}${file}`, leaves: true };
  }
  if (OF_THE_SHOP[target]) return { href: OF_THE_SHOP[target], leaves: true };
  const known = PAGES[`${target}${hash}`] ?? (PAGES[target] && `${PAGES[target]}${hash}`);
  if (known) return { href: known, leaves: false };
  if (target.startsWith('docs/') && target.endsWith('.md') && existsSync(resolve(repository, target))) {
    return {
      href: `/${target.slice('docs/'.length).replace(/(?:^|(?<=\/))index\.md$|\.md$/, '')}${hash}`,
      leaves: false,
    };
  }
  throw new Error(`${source} links to ${href}, which is not on the site: see docs/.vitepress/links.ts`);
}

/** A rule of markdown-it, before addresses are checked and written. */
export function linksOfRepository(md: MarkdownRenderer): void {
  md.core.ruler.push('links_of_repository', (state) => {
    const page: string = state.env.relativePath;
    for (const token of state.tokens.flatMap((block) => block.children ?? [])) {
      const href = token.type === 'link_open' ? token.attrGet('href') : undefined;
      if (!href || href.startsWith('#') || /^[a-z][a-z+.-]*:/i.test(href)) continue;
      // Addresses of the shop itself are the same everywhere.
      const led = href.startsWith('/') ? { href, leaves: true } : ledTo(href, page);
      token.attrSet('href', led.href);
      // Such a link is no page of the site: the browser opens it by itself.
      if (led.leaves) token.attrSet('target', '_self');
    }
  });
}

/** Double braces are text, and no expression of Vue. */
export function literalBraces(md: MarkdownRenderer): void {
  for (const name of ['text', 'code_inline'] as const) {
    const render = md.renderer.rules[name];
    if (!render) throw new Error(`markdown-it has no rule ${name}`);
    md.renderer.rules[name] = (...given) => render(...given).replaceAll('{{', '&#123;&#123;');
  }
}
