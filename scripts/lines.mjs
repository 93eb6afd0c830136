// Prints how many lines are written by hand, without tests and generated files, of commits: node scripts/lines.mjs [commit…], of HEAD without any.
import { execFileSync } from 'node:child_process';

const ROOMS = ['core', 'server', 'gate', 'wasm', 'frontend'];
const CODE = /^(core|server|gate|wasm|frontend)\/(?!vectors\/|tests\/|examples\/|e2e\/).*\.(rs|ts|tsx|js|mjs|css)$/;
const LEFT_OUT = /(^|\/)(tests?|examples|pkg|node_modules)\/|(^|\/)tests\.rs$|\.test\.tsx?$|\.gen\.ts$|_test\.rs$/;
const git = (...args) =>
  execFileSync('git', args, { cwd: new URL('..', import.meta.url), encoding: 'utf8', maxBuffer: 1 << 28 });

/** Rust's unit tests stand at the end of their file. */
const withoutTests = (text) => text.split(/^#\[cfg\(test\)\]\n(?:#\[.*\]\n)*mod \w+ \{$/m)[0];

function linesOf(commit) {
  const rooms = Object.fromEntries(ROOMS.map((room) => [room, 0]));
  for (const path of git('ls-tree', '-r', '--name-only', commit).split('\n')) {
    const room = CODE.exec(path)?.[1];
    if (!room || LEFT_OUT.test(path)) continue;
    rooms[room] += withoutTests(git('show', `${commit}:${path}`)).split('\n').length - 1;
  }
  return rooms;
}

const commits = process.argv.slice(2);
for (const commit of commits.length ? commits : ['HEAD']) {
  const rooms = linesOf(commit);
  const sum = Object.values(rooms).reduce((total, lines) => total + lines, 0);
  console.log(`${commit}: ${sum} lines, ${ROOMS.map((room) => `${room} ${rooms[room]}`).join(', ')}`);
}
