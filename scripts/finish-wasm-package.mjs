// Makes of wasm-pack's output the package that is imported: its name, entries for bundlers and for Node, the README, and a
// limit to its size.
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { packagedFile, sizesOf } from './wasm-size.mjs';

const MOST_BROTLI_BYTES = 170_000;

const folder = new URL('../wasm/pkg/', import.meta.url);
const read = (name) => readFileSync(new URL(name, folder), 'utf8');
const write = (name, text) => writeFileSync(new URL(name, folder), text);

// wasm-bindgen puts our own JavaScript into a folder named after a hash; its class of errors is part of the package's face.
let glue = read('postern_wasm_bg.js');
const errors = glue.match(/import \{[^}]*CoreError[^}]*\} from '([^']+)'/)?.[1];
if (!errors) throw new Error('the glue does not import CoreError');

// Plain JavaScript may pass anything for a text; without a check the module would fail somewhere in its memory.
const passText = 'function passStringToWasm0(arg, malloc, realloc) {\n';
if (!glue.includes(passText)) throw new Error('the glue passes texts in another way than expected');
if (!glue.includes('typeof arg !==')) {
  const check =
    "    if (typeof arg !== 'string') throw new CoreError('WrongArgument', `expected a string, not ${typeof arg}`, {});\n";
  // wasm-bindgen copies character by character what an encoder takes at once. Most bytes are ASCII: the first guess is as many
  // bytes as characters, and what did not fit gets the room that it might need.
  const atOnce = `    if (arg.length > 1000) {
        let room = arg.length;
        let ptr = malloc(room, 1) >>> 0;
        let { read, written } = cachedTextEncoder.encodeInto(arg, getUint8ArrayMemory0().subarray(ptr, ptr + room));
        if (read < arg.length) {
            const rest = arg.slice(read);
            ptr = realloc(ptr, room, written + rest.length * 3, 1) >>> 0;
            room = written + rest.length * 3;
            written += cachedTextEncoder.encodeInto(rest, getUint8ArrayMemory0().subarray(ptr + written, ptr + room)).written;
        }
        WASM_VECTOR_LEN = written;
        return written === room ? ptr : realloc(ptr, room, written, 1) >>> 0;
    }
`;
  glue = glue.replace(passText, passText + check + atOnce);
  write('postern_wasm_bg.js', glue);
}

const functions = [...glue.matchAll(/^export function (\w+)/gm)]
  .map((match) => match[1])
  .filter((name) => !name.startsWith('__'));
const exported = `export { ${functions.join(', ')} } from './postern_wasm_bg.js';\nexport { CoreError } from '${errors}';\n`;

write(
  'postern_wasm.js',
  `/* @ts-self-types="./postern_wasm.d.ts" */
// For bundlers that import wasm: Vite with vite-plugin-wasm, webpack with asyncWebAssembly.
import * as wasm from './postern_wasm_bg.wasm';
import { __wbg_set_wasm } from './postern_wasm_bg.js';

__wbg_set_wasm(wasm);
wasm.__wbindgen_start();
${exported}`,
);
write(
  'node.js',
  `/* @ts-self-types="./postern_wasm.d.ts" */
// For Node, which reads the file beside this one at once: nothing to await, no flag.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as glue from './postern_wasm_bg.js';

// Not new URL(name, import.meta.url): Vitest would make an address of its own server of it.
const file = readFileSync(join(dirname(fileURLToPath(import.meta.url)), 'postern_wasm_bg.wasm'));
const { exports } = new WebAssembly.Instance(new WebAssembly.Module(file), { './postern_wasm_bg.js': glue });
glue.__wbg_set_wasm(exports);
exports.__wbindgen_start();
${exported}`,
);

const { version, description } = JSON.parse(read('package.json'));
write(
  'package.json',
  `${JSON.stringify(
    {
      name: '@postern/core',
      version,
      description,
      license: 'MIT',
      type: 'module',
      engines: { node: '>=20' },
      types: './postern_wasm.d.ts',
      main: './node.js',
      module: './postern_wasm.js',
      exports: {
        '.': { types: './postern_wasm.d.ts', node: './node.js', default: './postern_wasm.js' },
        './package.json': './package.json',
      },
      // Importing it starts the wasm module, which is all that its entries do beside exporting.
      sideEffects: ['./postern_wasm.js', './node.js', './snippets/*'],
      files: ['*.js', '*.d.ts', '*.wasm', 'snippets', 'README.md', 'LICENSE'],
    },
    null,
    2,
  )}\n`,
);
copyFileSync(new URL('../LICENSE', import.meta.url), new URL('LICENSE', folder));
copyFileSync(new URL('../wasm/README.md', import.meta.url), new URL('README.md', folder));
rmSync(new URL('.gitignore', folder), { force: true });

const size = sizesOf(packagedFile());
console.log(
  `the wasm file: ${size.raw} bytes, ${size.gzip} as gzip, ${size.brotli} as brotli (at most ${MOST_BROTLI_BYTES})`,
);
if (size.brotli > MOST_BROTLI_BYTES) {
  console.error('it is too large: node scripts/wasm-size.mjs says what weighs most');
  process.exit(1);
}
