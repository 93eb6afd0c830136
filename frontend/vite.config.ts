// Builds the front end, and serves it to developers with the API behind it.
import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { compression } from 'vite-plugin-compression2';
import wasm from 'vite-plugin-wasm';

const api = `http://127.0.0.1:${process.env.POSTERN_API_PORT ?? 8080}`;
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

// YYYYMMDDHHmmss: the version of the texts that this build loads.
const buildStamp = new Date().toISOString().replace(/\D/g, '').slice(0, 14);

// In development the texts come straight from the folder that the server embeds.
function locales(): Plugin {
  return {
    name: 'locales',
    configureServer(server) {
      server.middlewares.use('/locales', (request, response, next) => {
        const path = here(`../locales${(request.url ?? '').split('?')[0]}`);
        if (!path.endsWith('.json') || !existsSync(path)) return next();
        response.setHeader('Content-Type', 'application/json');
        createReadStream(path).pipe(response);
      });
    },
  };
}

// One flag for each country, loaded when it is shown.
function flags(): Plugin {
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
          .filter((file) => /poppins-latin-(400|500|600)-.*\.woff2$/.test(file))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: true },
            injectTo: 'head' as const,
          })),
    },
  };
}

export default defineConfig({
  plugins: [
    react(),
    wasm(),
    locales(),
    flags(),
    preloadFonts(),
    compression({ algorithms: ['brotliCompress', 'gzip'], include: /\.(js|css|wasm|svg|html)$/, threshold: 512 }),
  ],
  define: { __BUILD_STAMP__: JSON.stringify(buildStamp) },
  resolve: { alias: { '@': here('src'), '@postern/core': here('../wasm/pkg') } },
  server: {
    proxy: { '/api': api, '/sandbox': api, '/demo': api, '/health': api },
    fs: { allow: [here('..')] },
  },
  build: { target: 'es2022', sourcemap: false, chunkSizeWarningLimit: 1500 },
});
