// Builds the developers' page of components, for its journey: it is in no shop.
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import wasm from 'vite-plugin-wasm';
import { alias, define, flags } from './vite.config.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  plugins: [react(), wasm(), flags()],
  define,
  resolve: { alias },
  build: {
    target: 'es2022',
    outDir: here('../target/components'),
    emptyOutDir: true,
    chunkSizeWarningLimit: 3000,
    rolldownOptions: { input: here('components.html') },
  },
});
