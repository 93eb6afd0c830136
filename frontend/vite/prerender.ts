// Pages with their first screen in them, so that it is seen before a script has come: login.html, which the server answers for /login, and
// one for each of users' screens, such as welcome/products.html.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin, type UserConfig } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const LANGUAGES = ['en', 'zh'] as const;
const VISITOR_NAMESPACES = ['common', 'auth'];
const ROOT = '<div id="root"></div>';

// Widths at which the frame looks different: src/ui/base.css shows the one that fits the window.
const WINDOWS = { phone: 360, narrow: 1280, wide: 1600 };

type Texts = Record<string, unknown>;
interface Drawn {
  PATHS: string[];
  namespacesOf: (path: string) => string[];
  prerenderLogin: (language: string, texts: Texts) => string;
  prerenderScreen: (path: string, language: string, texts: Texts) => Promise<string>;
}

/** The module that draws the screens, built for Node and loaded once for each window. */
async function load(config: UserConfig): Promise<Record<keyof typeof WINDOWS, Drawn>> {
  const built = await build({
    ...config,
    configFile: false,
    logLevel: 'error',
    publicDir: false,
    ssr: { noExternal: true },
    build: {
      ssr: here('../src/prerender.tsx'),
      write: false,
      // The rules are loaded when somebody types, and nobody types here.
      rolldownOptions: { external: /\/wasm\/pkg\//, output: { codeSplitting: false } },
    },
  });
  const [{ code }] = (built as unknown as { output: [{ code: string }] }).output;
  const file = here(`../node_modules/.prerender-${process.pid}.mjs`);
  writeFileSync(file, code);
  try {
    const modules: [string, Drawn][] = [];
    for (const [name, width] of Object.entries(WINDOWS)) {
      standInWindow(width);
      modules.push([name, await import(`${pathToFileURL(file).href}?window=${name}`)]);
    }
    return Object.fromEntries(modules) as Record<keyof typeof WINDOWS, Drawn>;
  } finally {
    rmSync(file);
  }
}

/** What the app reads of the browser while it is drawn. */
function standInWindow(width: number) {
  const matches = (query: string) =>
    [...query.matchAll(/\((min|max)-width: (\d+)px\)/g)].every(([, bound, pixels]) =>
      bound === 'min' ? width >= Number(pixels) : width <= Number(pixels),
    );
  const stub = { matchMedia: (query: string) => ({ matches: matches(query) }), navigator: { platform: '' } };
  Object.assign(globalThis, { window: stub });
}

export function prerender(config: UserConfig): Plugin {
  const read = (language: string, name: string) =>
    JSON.parse(readFileSync(here(`../../locales/${language}/${name}.json`), 'utf8'));
  const texts = (language: string, names: string[]): Texts =>
    Object.fromEntries(names.map((name) => [name, read(language, name)]));
  return {
    name: 'prerender',
    apply: 'build',
    generateBundle: {
      // After index.html is there.
      order: 'post',
      async handler(_options, bundle) {
        const page = bundle['index.html'];
        if (page?.type !== 'asset' || !String(page.source).includes(ROOT)) return this.error(`no page with ${ROOT}`);
        const frame = Object.values(bundle).find((chunk) => chunk.type === 'chunk' && chunk.name === 'frame');
        const styles = frame?.type === 'chunk' ? [...(frame.viteMetadata?.importedCss ?? [])] : [];
        if (styles.length === 0) return this.error('the frame has no styles');
        const links = styles.map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`).join('');
        const emit = (fileName: string, reader: string, screens: string[], head: string) => {
          const filled = String(page.source)
            .replace('<html ', () => `<html data-screen-for="${reader}" `)
            .replace(ROOT, () => `<div id="root">${screens.join('')}</div>`)
            .replace('</head>', () => `${head}</head>`);
          this.emitFile({ type: 'asset', fileName, source: filled });
        };
        // The script before the first paint says which one is shown.
        const first = (reader: string, language: string, screen: string) =>
          `<div data-first-screen="${reader}-${language}">${screen}</div>`;
        const drawn = await load(config);
        const signIn = LANGUAGES.map((language) =>
          first('visitor', language, drawn.wide.prerenderLogin(language, texts(language, VISITOR_NAMESPACES))),
        );
        emit('login.html', 'visitor', signIn, '');
        for (const path of drawn.wide.PATHS) {
          const screens: string[] = [];
          for (const language of LANGUAGES) {
            const needed = texts(language, drawn.wide.namespacesOf(path));
            const windows: string[] = [];
            for (const [name, { prerenderScreen }] of Object.entries(drawn)) {
              standInWindow(WINDOWS[name as keyof typeof WINDOWS]);
              windows.push(`<div data-window="${name}">${await prerenderScreen(path, language, needed)}</div>`);
            }
            screens.push(first('user', language, windows.join('')));
          }
          emit(`${path.slice(1)}.html`, 'user', screens, links);
        }
      },
    },
  };
}
