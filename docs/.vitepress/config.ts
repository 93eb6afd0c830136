// The documentation site that the server serves at /docs: from the Markdown files of this folder.
import { readdirSync } from 'node:fs';
import { type DefaultTheme, defineConfig } from 'vitepress';
import { copyFiles, linksOfRepository, literalBraces } from './links';
import { moveScripts, removeLeftovers, writeScripts } from './scripts';
import { searchOptions } from './search';
import { chinese, english } from './texts';

interface ThemeConfig extends DefaultTheme.Config {
  /** Pages that exist in Chinese. */
  translated: string[];
}

export default defineConfig<ThemeConfig>({
  title: 'Postern docs',
  base: '/docs/',
  cleanUrls: true,
  metaChunk: true,
  ignoreDeadLinks: false,
  // One page after the other, so that two builds of the same pages are the same bytes.
  buildConcurrency: 1,
  srcExclude: ['decisions/**', 'node_modules/**'],
  head: [['link', { rel: 'icon', href: '/favicon.svg' }]],
  locales: {
    root: { label: 'English', lang: 'en', ...english },
    zh: { label: '简体中文', lang: 'zh-CN', ...chinese },
  },
  themeConfig: {
    search: { provider: 'local', options: searchOptions },
    externalLinkIcon: true,
    translated: readdirSync(new URL('../zh', import.meta.url)).filter((name) => name.endsWith('.md')),
  },
  markdown: {
    html: false,
    theme: { light: 'github-light-high-contrast', dark: 'github-dark' },
    config(md) {
      linksOfRepository(md);
      literalBraces(md);
    },
  },
  vite: {
    resolve: {
      // The language menu leads to pages that exist.
      alias: [{ find: /^.*\/composables\/langs$/, replacement: new URL('./theme/langs.ts', import.meta.url).pathname }],
    },
    build: { assetsInlineLimit: 0 },
  },
  transformHtml: moveScripts,
  async buildEnd({ outDir }) {
    writeScripts(outDir);
    copyFiles(outDir);
    removeLeftovers(outDir);
  },
});
