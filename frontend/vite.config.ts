// Builds the front end, and serves it to developers with the API behind it.
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { build, defineConfig, type Plugin } from 'vite';
import { compression } from 'vite-plugin-compression2';
import wasm from 'vite-plugin-wasm';
import { prerender } from './vite/prerender.ts';

const api = `http://127.0.0.1:${process.env.POSTERN_API_PORT ?? 8080}`;
const TARGET = 'es2022';
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// YYYYMMDDHHmmss: the version of the texts that this build loads.
const buildStamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);

const FRAME =
  /src\/(?:app\/(?:AnnouncementBanner|Frame|Header|Layout|NotFound|Sidebar|usePreload|useBreadcrumbs)|features\/operator\/AlarmBanner)\.tsx?$/;
const SIGNED_IN = [here('src/app/Layout.tsx'), here('../wasm/pkg/postern_wasm.js')];
export const alias = { '@': here('src'), '@postern/core': here('../wasm/pkg') };
export const define = { __BUILD_STAMP__: JSON.stringify(buildStamp) };

// In development the texts come straight from the folder that the server reads, of several namespaces as the server joins them.
function locales(): Plugin {
  const read = (language: string, name: string) => readFileSync(here(`../locales/${language}/${name}.json`), 'utf8');
  return {
    name: 'locales',
    configureServer(server) {
      server.middlewares.use('/locales', (request, response, next) => {
        const [, language, joined] = /^\/(en|zh)\/([a-z_+]+)\.json/.exec(request.url ?? '') ?? [];
        if (!language || !joined) return next();
        const names = joined.split('+');
        const all = () => `{${names.map((name) => `"${name}":${read(language, name)}`).join()}}`;
        response.setHeader('Content-Type', 'application/json');
        response.end(names.length === 1 ? read(language, joined) : all());
      });
    },
  };
}

// One flag for each country, loaded when it is shown.
export function flags(): Plugin {
  const folder = here('node_modules/country-flag-icons/3x2');
  return {
    name: 'flags',
    configureServer(server) {
      server.middlewares.use('/flags', (request, response, next) => {
        const path = `${folder}${(request.url ?? '').split('?')[0]}`;
        if (!/\/[A-Z]{2}\.svg$/.test(path) || !existsSync(path)) return next();
        response.setHeader('Content-Type', 'image/svg+xml');
        createReadStream(path).pipe(response);
      });
    },
    generateBundle() {
      for (const name of readdirSync(folder).filter((file) => /^[A-Z]{2}\.svg$/.test(file))) {
        this.emitFile({ type: 'asset', fileName: `flags/${name}`, source: readFileSync(`${folder}/${name}`) });
      }
    },
  };
}

// The first screen's weights are fetched beside the scripts, not after them.
function preloadFonts(): Plugin {
  return {
    name: 'preload-fonts',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((file) => /poppins-basic-(400|600)-.*\.woff2$/.test(file))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: true },
            injectTo: 'head' as const,
          })),
    },
  };
}

// The script that runs before anything is painted: small, and no module, for modules wait until the page has been read.
function beforePaint(): Plugin {
  const entry = here('src/beforePaint.ts');
  let fileName = '';
  return {
    name: 'before-paint',
    config: (_config, { command }) =>
      // In development it is a module like others.
      command === 'serve' ? { define: { __SIGNED_IN_SCRIPTS__: '[]', __SIGNED_IN_FILES__: '[]' } } : {},
    generateBundle: {
      // It names other files, and the page names it.
      order: 'pre',
      async handler(_options, bundle) {
        const scripts = new Set<string>();
        const follow = (name: string) => {
          const chunk = bundle[name];
          if (chunk?.type !== 'chunk' || chunk.name === 'start' || scripts.has(name)) return;
          scripts.add(name);
          for (const imported of chunk.imports) follow(imported);
        };
        for (const chunk of Object.values(bundle)) {
          if (chunk.type === 'chunk' && SIGNED_IN.includes(chunk.facadeModuleId ?? '')) follow(chunk.fileName);
        }
        const files = Object.keys(bundle).filter((name) => /postern_wasm_bg-.*\.wasm$/.test(name));
        if (scripts.size < SIGNED_IN.length || files.length !== 1)
          this.error('a file that users need first is not there');
        const paths = (names: Iterable<string>) => JSON.stringify([...names].map((name) => `/${name}`));
        const built = await build({
          configFile: false,
          logLevel: 'warn',
          publicDir: false,
          define: { ...define, __SIGNED_IN_SCRIPTS__: paths(scripts), __SIGNED_IN_FILES__: paths(files) },
          resolve: { alias },
          build: { write: false, target: TARGET, lib: { entry, formats: ['iife'], name: 'beforePaint' } },
        });
        const [{ output }] = built as unknown as [{ output: [{ code: string }] }];
        const source = output[0].code;
        fileName = `assets/before-paint-${createHash('sha256').update(source).digest('base64url').slice(0, 8)}.js`;
        this.emitFile({ type: 'asset', fileName, source });
      },
    },
    transformIndexHtml: (_html, { server }) => [
      {
        tag: 'script',
        attrs: server ? { type: 'module', src: '/src/beforePaint.ts' } : { src: `/${fileName}` },
        injectTo: 'head-prepend',
      },
    ],
  };
}

// Of the six weights in which each icon comes, those that are used; bold ones of these icons alone.
const UNUSED_WEIGHTS = ['thin', 'light', 'duotone'];
const BOLD_ICONS = ['Check', 'DotsThree'];

function iconWeights(): Plugin {
  const left = new RegExp(
    `<(?!(?:${BOLD_ICONS.join('|')})\\b)\\w+ [^<>]*weight="bold"|weight=.{0,40}\\b(${UNUSED_WEIGHTS.join('|')})\\b`,
  );
  return {
    name: 'icon-weights',
    apply: 'build',
    transform: {
      // Before tags become calls.
      order: 'pre',
      handler(code, id) {
        if (id.startsWith(here('src')) && left.test(code)) {
          this.error('an icon has a weight that is left out of the build: see iconWeights in vite.config.ts');
        }
        const [, icon] = /@phosphor-icons\/react\/dist\/defs\/(\w+)\.es\.js/.exec(id) ?? [];
        if (!icon) return;
        let kept = code;
        for (const weight of [...UNUSED_WEIGHTS, ...(BOLD_ICONS.includes(icon) ? [] : ['bold'])]) {
          const begin = kept.indexOf(`[\n    "${weight}",`);
          const end = kept.indexOf('\n  ]', begin);
          if (begin < 0 || end < 0) this.error(`${id} is not written as it was: see iconWeights in vite.config.ts`);
          const comma = kept[end + 4] === ',' ? 1 : 0;
          kept = kept.slice(0, begin) + kept.slice(end + 4 + comma);
        }
        return { code: kept, map: null };
      },
    },
  };
}

// Nothing is compressed twice; the server fills in pages and compresses them itself.
const COMPRESSED = /\.(js|css|wasm|svg)$/;

export default defineConfig({
  plugins: [
    react(),
    wasm(),
    locales(),
    flags(),
    preloadFonts(),
    beforePaint(),
    prerender({ define, resolve: { alias } }),
    iconWeights(),
    compression({ algorithms: ['brotliCompress'], include: COMPRESSED, threshold: 512 }),
  ],
  define,
  resolve: { alias },
  server: {
    proxy: { '/api': api, '/sandbox': api, '/demo': api, '/health': api, '/docs': api },
    fs: { allow: [here('..')] },
  },
  // Workers are modules, as they are in development.
  worker: { format: 'es' },
  build: {
    target: TARGET,
    sourcemap: false,
    chunkSizeWarningLimit: 1500,
    // Browsers without it load the modules anyway, a moment later.
    modulePreload: { polyfill: false },
    // Everything that the first screen runs comes in one file, and everything around a user's screens in another.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'start', tags: ['$initial'] },
            { name: 'frame', test: FRAME },
            // What several screens share comes in one file, not in twenty; the calendar, which is large, by itself.
            { name: 'shared', test: /\/src\/(?:features|ui)\/(?!DateRange|(?:use)?Calendar)/, minShareCount: 2 },
            { name: 'calendar', test: /\/src\/ui\/useCalendar/ },
          ],
        },
      },
    },
  },
});
