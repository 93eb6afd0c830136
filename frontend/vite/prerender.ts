// Pages with their first screen in them, so that it is seen before a script has come: login.html, which the server answers for /login.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build, type Plugin, type UserConfig } from 'vite';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const LANGUAGES = ['en', 'zh'];
const NAMESPACES = ['common', 'auth'];
const ROOT = '<div id="root"></div>';

type Prerender = (language: string, texts: Record<string, unknown>) => string;

/** The module that draws the screen, built for Node and loaded. */
async function load(config: UserConfig): Promise<Prerender> {
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
    return (await import(pathToFileURL(file).href)).prerenderLogin;
  } finally {
    rmSync(file);
  }
}

export function prerender(config: UserConfig): Plugin {
  const texts = (language: string) =>
    NAMESPACES.map((name) => [name, JSON.parse(readFileSync(here(`../../locales/${language}/${name}.json`), 'utf8'))]);
  return {
    name: 'prerender',
    apply: 'build',
    generateBundle: {
      // After index.html is there.
      order: 'post',
      async handler(_options, bundle) {
        const page = bundle['index.html'];
        if (page?.type !== 'asset' || !String(page.source).includes(ROOT)) return this.error(`no page with ${ROOT}`);
        const draw = await load(config);
        // The script before the first paint says which language is shown.
        const screens = LANGUAGES.map(
          (language) =>
            `<div data-first-screen="${language}">${draw(language, Object.fromEntries(texts(language)))}</div>`,
        );
        const source = String(page.source).replace(ROOT, () => `<div id="root">${screens.join('')}</div>`);
        this.emitFile({ type: 'asset', fileName: 'login.html', source });
      },
    },
  };
}
