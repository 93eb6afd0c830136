// Prints the sizes of the parts of the package's wasm files: node scripts/wasm-size.mjs [lines], after scripts/wasm.sh build. Parts are those of the
// linked file before wasm-opt, by the crate in which they were compiled (generic code counts where it is used), without the descriptions that
// wasm-bindgen removes. Each is compressed separately, so they add up to more than the whole.
import { existsSync, readFileSync } from 'node:fs';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const here = (path) => new URL(`../${path}`, import.meta.url);
const brotli = (bytes) =>
  brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 11,
      [constants.BROTLI_PARAM_LGWIN]: 24,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  }).length;

export function sizesOf(bytes) {
  return { raw: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length, brotli: brotli(bytes) };
}

export const packagedFile = (name) => readFileSync(here(`wasm/pkg/${name}_bg.wasm`));

// The linker's map has a line for each piece: address, offset in the file and size in hex, then, indented by nesting, a segment, the object with the
// piece, or the symbol.
function readMap(text) {
  const pieces = [];
  let section = '';
  let crate = '';
  for (const line of text.split('\n')) {
    const match = line.match(/^\s*\S+\s+([0-9a-f]+)\s+([0-9a-f]+) (\s*)(.*)$/);
    if (!match) continue;
    const [, offset, size, indent, name] = match;
    if (indent === '') {
      if (/^[A-Z]/.test(name)) section = name;
    } else if (indent.length === 8) {
      const object = name.match(/([^/]*?)(?:-[0-9a-f]+)?(?:\.rlib|\.[^/]*\.o)?:?\(/)?.[1] ?? name;
      crate = object.replace(/^lib/, '').replace(/\..*/, '') || 'linker';
    } else if (section === 'CODE' || section === 'DATA') {
      pieces.push({ section, crate, name, offset: Number.parseInt(offset, 16), size: Number.parseInt(size, 16) });
    }
  }
  return pieces;
}

function readable(symbol) {
  const path = symbol.match(/^_ZN(.*)17h[0-9a-f]{16}E/)?.[1];
  if (path === undefined) return symbol;
  const signs = {
    LT: '<',
    GT: '>',
    u20: ' ',
    RF: '&',
    u7b: '{',
    u7d: '}',
    LP: '(',
    RP: ')',
    C: ',',
    u5b: '[',
    u5d: ']',
    BP: '*',
  };
  const parts = [];
  for (let rest = path; rest; ) {
    const length = Number.parseInt(rest, 10);
    const begin = String(length).length;
    parts.push(rest.slice(begin, begin + length));
    rest = rest.slice(begin + length);
  }
  return parts
    .map((part) =>
      part
        .replace(/^_\$/, '$')
        .replace(/\$(\w+?)\$/g, (_, sign) => signs[sign] ?? '?')
        .replaceAll('..', '::'),
    )
    .join('::');
}

function report(name, crate, lines) {
  const linked = here(`target/wasm/wasm32-unknown-unknown/wasm/${crate}.wasm`);
  const map = here(`target/wasm/${name}.map`);
  if (!existsSync(linked) || !existsSync(map)) throw new Error('run scripts/wasm.sh build first');
  const bytes = readFileSync(linked);
  const pieces = readMap(readFileSync(map, 'utf8')).filter((piece) => !piece.name.includes('describe'));
  const groups = group(pieces);
  const rows = [...groups].map(([name, members]) => {
    const content = Buffer.concat(members.map(({ offset, size }) => bytes.subarray(offset, offset + size)));
    return { name, raw: content.length, brotli: brotli(content) };
  });
  const print = (raw, compressed, name) =>
    console.log(`${String(raw).padStart(9)} ${String(compressed).padStart(8)}  ${name}`);
  print('raw', 'brotli', 'crate, as code or as data');
  for (const row of rows.sort((a, b) => b.brotli - a.brotli).slice(0, lines))
    print(row.raw, row.brotli, row.name.toLowerCase());
  print('raw', '', 'function');
  const functions = pieces.filter((piece) => piece.section === 'CODE').sort((a, b) => b.size - a.size);
  for (const { size, crate, name } of functions.slice(0, lines)) print(size, '', `${crate}: ${readable(name)}`);
  const whole = sizesOf(packagedFile(name));
  console.log(`${name}_bg.wasm: ${whole.raw} bytes, ${whole.gzip} as gzip, ${whole.brotli} as brotli`);
}

function group(pieces) {
  const groups = new Map();
  for (const piece of pieces) {
    const name = `${piece.section} ${piece.crate}`;
    const members = groups.get(name);
    if (members) members.push(piece);
    else groups.set(name, [piece]);
  }
  return groups;
}

if (process.argv[1] && import.meta.url.endsWith(process.argv[1].split('/').at(-1)))
  for (const [name, crate] of Object.entries({
    postern_wasm: 'postern_wasm',
    screens: 'postern_screens',
  }))
    report(name, crate, Number(process.argv[2] ?? 20));
