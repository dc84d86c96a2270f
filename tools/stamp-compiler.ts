// Leaves a hash of the built compiler beside it, by which the command line knows its own work again.

import { createHash } from 'node:crypto';
import { globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));
const hash = createHash('sha256');
const files = readdirSync(`${root}dist/src`, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js') && !/^(cli|language-server|formatter)\b/.test(name));
const rows = globSync('dist/runtime-host/namespaces/*/rows.js', { cwd: root });
for (const path of [...files.toSorted().map((name) => `dist/src/${name}`), ...rows.toSorted(), 'generated/binaryen.js', 'generated/binaryen.wasm']) hash.update(path).update(readFileSync(root + path));
writeFileSync(`${root}dist/compiler-id`, hash.digest('hex'));
