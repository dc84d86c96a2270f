// Writes `service-worker.js` beside the page: the worker's source with the list of all files that were built, and a
// version that changes with any of them.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { transformWithOxc } from 'vite';
import type { Plugin } from 'vite';

const source = join(import.meta.dirname, '../src/service-worker.ts');

export function serviceWorker(): Plugin {
  let out = '';
  return {
    name: 'service-worker',
    apply: 'build',
    configResolved: ({ root, build }) => {
      out = resolve(root, build.outDir);
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      handler: async () => {
        const files = filesIn(out).filter((name) => name !== 'service-worker.js' && !name.endsWith('.map'));
        const hash = createHash('sha256');
        for (const name of files) hash.update(name).update(readFileSync(join(out, name)));
        const { code } = await transformWithOxc(readFileSync(source, 'utf8'), source, { target: 'es2024' });
        const written = code
          .replace('__VERSION__', hash.digest('hex').slice(0, 16))
          .replace("'__FILES__'", JSON.stringify(files))
          .replace('"__FILES__"', JSON.stringify(files));
        writeFileSync(join(out, 'service-worker.js'), written);
      },
    },
  };
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}
