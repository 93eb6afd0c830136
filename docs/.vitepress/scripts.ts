// Pages without inline scripts, because the server's Content-Security-Policy forbids them: each becomes a file with a hash in its name.
import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const BASE = '/docs/';
const INLINE = /<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g;
/** Styles of icons of social networks, which no page has. */
const ICONS = /\s*<link rel="preload stylesheet" href="\/docs\/vp-icons\.css" as="style">/;

const files = new Map<string, string>();

/** The scripts run where they stood: before the first paint. */
export function moveScripts(html: string): string {
  const moved: string[] = [];
  let first = true;
  const rest = html.replace(INLINE, (_, code: string) => {
    moved.push(code.trim());
    const mark = first ? '<!--scripts-->' : '';
    first = false;
    return mark;
  });
  if (moved.length === 0) return rest.replace(ICONS, '');
  const code = `${moved.join(';\n')}\n`;
  const name = `assets/before-paint.${createHash('sha256').update(code).digest('hex').slice(0, 8)}.js`;
  files.set(name, code);
  return rest.replace('<!--scripts-->', `<script src="${BASE}${name}"></script>`).replace(ICONS, '');
}

export function writeScripts(folder: string): void {
  for (const [name, code] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), code);
  }
}

/** What the build writes and no page needs. */
export function removeLeftovers(folder: string): void {
  for (const name of ['hashmap.json', 'vp-icons.css']) rmSync(join(folder, name), { force: true });
}
