// Turns wasm-pack's output into the published package: its name, entries for bundlers, Node and plain pages, the README, and a size limit.
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { packagedFile, sizesOf } from './wasm-size.mjs';

// The main rules, and those that only some screens need.
const MAIN = { name: 'postern_wasm', node: 'node.js', web: 'web', mostBrotliBytes: 151_000 };
const SCREENS = { name: 'screens', node: 'screens-node.js', web: 'screens-web', mostBrotliBytes: 190_000 };
const FILES = [MAIN, SCREENS];
// Our JavaScript that Rust imports, the same for both files.
const OUR_SCRIPT = 'errors.js';

const folder = new URL('../wasm/pkg/', import.meta.url);
const read = (name) => readFileSync(new URL(name, folder), 'utf8');
const write = (name, text) => writeFileSync(new URL(name, folder), text);

const built = new URL('screens/', folder);
for (const file of readdirSync(built))
  if (file.startsWith('screens')) copyFileSync(new URL(file, built), new URL(file, folder));
rmSync(built, { recursive: true });
copyFileSync(new URL(`../wasm/face/js/${OUR_SCRIPT}`, import.meta.url), new URL(OUR_SCRIPT, folder));
for (const gone of ['snippets', '.gitignore']) rmSync(new URL(gone, folder), { recursive: true, force: true });

function exportsOf(name) {
  const glue = finishGlue(`${name}_bg.js`);
  const functions = [...glue.matchAll(/^export function (\w+)/gm)]
    .map((match) => match[1])
    .filter((exported) => !exported.startsWith('__'));
  return `export { ${functions.join(', ')} } from './${name}_bg.js';\nexport { CoreError } from './errors.js';\n`;
}

function finishGlue(file) {
  // wasm-bindgen puts our JavaScript into a folder named after a hash.
  const imported = new RegExp(`( from )'\\./snippets/[^']*/${OUR_SCRIPT}'`);
  let glue = read(file);
  if (!imported.test(glue)) throw new Error(`${file} does not import ${OUR_SCRIPT}`);
  glue = glue.replace(imported, `$1'./${OUR_SCRIPT}'`);
  // Plain JavaScript may pass any value as a text or bytes; without a check the module would fail somewhere in its memory.
  glue = glue.replace(/^export function (\w+)\(([^)]*)\) \{\n([\s\S]*?)^\}/gm, (whole, name, parameters, body) => {
    if (name.startsWith('__')) return whole;
    const checks = parameters.split(', ').map((parameter) => {
      const kind = ['String', 'Array8'].find((passed) => body.includes(`pass${passed}ToWasm0(${parameter},`));
      if (!kind) return '';
      const check = `${kind === 'String' ? 'checkText' : 'checkBytes'}('${parameter}', ${parameter});`;
      return body.includes(`isLikeNone(${parameter})`)
        ? `    if (!isLikeNone(${parameter})) ${check}\n`
        : `    ${check}\n`;
    });
    return whole.replace('{\n', (begin) => begin + checks.join(''));
  });
  glue = `import { checkBytes, checkText } from './arguments.js';\n${glue}`;
  write(file, glue);
  return glue;
}

for (const { name, node, web } of FILES) {
  const exported = exportsOf(name);
  write(
    `${name}.js`,
    `/* @ts-self-types="./${name}.d.ts" */
// For bundlers that import wasm: Vite with vite-plugin-wasm, webpack with asyncWebAssembly.
import * as wasm from './${name}_bg.wasm';
import { __wbg_set_wasm } from './${name}_bg.js';

__wbg_set_wasm(wasm);
wasm.__wbindgen_start();
${exported}`,
  );
  write(
    node,
    `/* @ts-self-types="./${name}.d.ts" */
// For Node, which reads the adjacent file synchronously: no await and no flag.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as glue from './${name}_bg.js';

// Not new URL(name, import.meta.url): Vitest would turn it into a URL of its own server.
const file = readFileSync(join(dirname(fileURLToPath(import.meta.url)), '${name}_bg.wasm'));
const { exports } = new WebAssembly.Instance(new WebAssembly.Module(file), { './${name}_bg.js': glue });
glue.__wbg_set_wasm(exports);
exports.__wbindgen_start();
${exported}`,
  );
  write(
    `${web}.js`,
    `/* @ts-self-types="./${web}.d.ts" */
// For pages without a bundler, and bundlers without a plugin: await init() before any other call.
import * as glue from './${name}_bg.js';
import { instantiate } from './instantiate.js';

let started;
export default function init(source = new URL('./${name}_bg.wasm', import.meta.url)) {
  started ??= instantiate(source, { './${name}_bg.js': glue }).then(
    ({ exports }) => {
      glue.__wbg_set_wasm(exports);
      exports.__wbindgen_start();
    },
    (error) => {
      started = undefined;
      throw error;
    },
  );
  return started;
}
${exported}`,
  );
  write(
    `${web}.d.ts`,
    `export * from './${name}.js';

/**
 * Loads the rules, once: from the file beside this one, or from an address, a response, bytes or a compiled module. Nothing else of this
 * entry can be called before.
 */
export default function init(source?: string | URL | Response | BufferSource | WebAssembly.Module): Promise<void>;
`,
  );
}

// All types are in one file, whichever functions use them.
const types = [...read(`${MAIN.name}.d.ts`).matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => name);
const functions = read('screens.d.ts').match(/^(\/\*\*\n(?: \*.*\n)+)?export function .*$/gm);
if (!functions) throw new Error('the types of screens.d.ts are not where they were');
const signatures = functions.map((text) => text.slice(text.lastIndexOf('\n'))).join();
const used = types.filter((type) => new RegExp(`\\b${type}\\b`).test(signatures)).join(', ');
write(
  'screens.d.ts',
  `import type { ${used} } from './${MAIN.name}.js';
export type { ${used} };
export { CoreError, type CoreErrorCode } from './${MAIN.name}.js';

${functions.join('\n\n')}
`,
);

// wasm-pack takes the repository from Cargo.toml.
const { version, description, repository, homepage } = JSON.parse(read('package.json'));
write(
  'package.json',
  `${JSON.stringify(
    {
      name: '@postern/core',
      version,
      description,
      keywords: ['proxy', 'billing', 'rules', 'validation', 'time-zone', 'webassembly'],
      homepage,
      repository,
      license: 'MIT',
      type: 'module',
      engines: { node: '>=20' },
      types: './postern_wasm.d.ts',
      main: './node.js',
      module: './postern_wasm.js',
      exports: {
        '.': { types: './postern_wasm.d.ts', node: './node.js', default: './postern_wasm.js' },
        './web': { types: './web.d.ts', default: './web.js' },
        './postern_wasm_bg.wasm': './postern_wasm_bg.wasm',
        './screens': { types: './screens.d.ts', node: './screens-node.js', default: './screens.js' },
        './screens/web': { types: './screens-web.d.ts', default: './screens-web.js' },
        './screens_bg.wasm': './screens_bg.wasm',
        './package.json': './package.json',
      },
      // Importing an entry starts its wasm module, its only side effect.
      sideEffects: FILES.flatMap(({ name, node }) => [`./${name}.js`, `./${node}`]),
      files: ['*.js', '*.d.ts', '*.wasm', 'README.md', 'LICENSE'],
    },
    null,
    2,
  )}\n`,
);
for (const name of ['arguments.js', 'instantiate.js'])
  copyFileSync(new URL(`../wasm/js/${name}`, import.meta.url), new URL(name, folder));
copyFileSync(new URL('../LICENSE', import.meta.url), new URL('LICENSE', folder));
copyFileSync(new URL('../wasm/README.md', import.meta.url), new URL('README.md', folder));

for (const { name, mostBrotliBytes } of FILES) {
  const { raw, gzip, brotli } = sizesOf(packagedFile(name));
  console.log(`${name}_bg.wasm: ${raw} bytes, ${gzip} as gzip, ${brotli} as brotli (at most ${mostBrotliBytes})`);
  if (brotli > mostBrotliBytes) {
    console.error('it is too large: node scripts/wasm-size.mjs shows the largest parts');
    process.exitCode = 1;
  }
}
