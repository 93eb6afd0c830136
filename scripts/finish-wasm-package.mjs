// Gives the built wasm package its name and keeps in it only what is published.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';

const folder = new URL('../wasm/pkg/', import.meta.url);
const path = new URL('package.json', folder);
const description = JSON.parse(readFileSync(path, 'utf8'));
description.name = '@postern/core';
description.license = 'MIT';
writeFileSync(path, `${JSON.stringify(description, null, 2)}\n`);
rmSync(new URL('.gitignore', folder), { force: true });
