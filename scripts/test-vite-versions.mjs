// Tests the recipes in the wasm package's README with each version of Vite that it names, built and in development, in Chromium:
//   node scripts/test-vite-versions.mjs [5 6 7 8], after scripts/wasm.sh build; installs Vite from npm into target/vite
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { serve, titleOf } from './page-title.mjs';

const root = resolve(import.meta.dirname, '..');
const readme = readFileSync(join(root, 'wasm/README.md'), 'utf8');
const config = readme.match(/^```ts\n(\/\/ vite\.config\.ts\n[\s\S]*?)^```$/m)?.[1];
if (!config) throw new Error('the README has no vite.config.ts');
const { devDependencies } = JSON.parse(readFileSync(join(root, 'frontend/package.json'), 'utf8'));
const plugin = `vite-plugin-wasm@${devDependencies['vite-plugin-wasm']}`;

const USE = `const { Text } = endpoints.convertEndpoints('customer-ann-cc-US:pw@pr.oxylabs.io:7777', {});
document.title = core.countryName('DE', 'en') + ' ' + Text;
`;
const EXPECTED = 'Germany pr.oxylabs.io:7777:user-ann-country-us:pw';
const RECIPES = {
  'with vite-plugin-wasm': {
    config,
    page: `import * as core from '@postern/core';\nimport * as endpoints from '@postern/core/screens';\n${USE}`,
  },
  'without a plugin': {
    config: "export default { build: { target: 'es2022' }, optimizeDeps: { exclude: ['@postern/core'] } };\n",
    page: `import * as core from '@postern/core/web';
import * as endpoints from '@postern/core/screens/web';
await Promise.all([core.default(), endpoints.default()]);
${USE}`,
  },
};

async function served(folder) {
  const vite = spawn(join(folder, 'node_modules/.bin/vite'), ['--port', '0', '--host', '127.0.0.1'], { cwd: folder });
  try {
    const url = await new Promise((found, failed) => {
      let said = '';
      const listen = (chunk) => {
        said += chunk;
        const [address] = said.replace(/\u001b\[\d+m/g, '').match(/http:\/\/127\.0\.0\.1:\d+\//) ?? [];
        if (address) found(address);
      };
      vite.stdout.on('data', listen);
      vite.stderr.on('data', listen);
      vite.on('exit', () => failed(new Error(said)));
    });
    return await titleOf(url);
  } finally {
    vite.kill();
  }
}

async function built(folder) {
  execFileSync(join(folder, 'node_modules/.bin/vite'), ['build', '--logLevel', 'error'], {
    cwd: folder,
    stdio: 'pipe',
  });
  const server = await serve(join(folder, 'dist'));
  try {
    return await titleOf(server.url);
  } finally {
    server.close();
  }
}

let failures = 0;
for (const version of process.argv.length > 2 ? process.argv.slice(2) : ['5', '6', '7', '8']) {
  const folder = join(root, 'target/vite', version);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const write = (name, text) => writeFileSync(join(folder, name), text);
  write('package.json', '{ "private": true, "type": "module" }');
  const packages = [`vite@${version}`, plugin, join(root, 'wasm/pkg')];
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', '--install-links', ...packages], {
    cwd: folder,
  });
  const installed = JSON.parse(readFileSync(join(folder, 'node_modules/vite/package.json'), 'utf8')).version;
  write('index.html', '<!doctype html><script type="module" src="/page.js"></script>');
  for (const [name, recipe] of Object.entries(RECIPES)) {
    write('vite.config.ts', recipe.config);
    write('page.js', recipe.page);
    for (const [way, titled] of Object.entries({ built, served })) {
      const title = await titled(folder).catch((error) => `${error.message}\n${error.stderr ?? ''}`);
      const isFine = title === EXPECTED;
      if (!isFine) failures += 1;
      console.log(`Vite ${installed} ${name}, ${way}: ${isFine ? 'ok' : `FAILED: ${title}`}`);
    }
  }
}
process.exit(failures ? 1 : 0);
