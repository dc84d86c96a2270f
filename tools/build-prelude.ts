// Checks the runtime support in src/prelude and stores it as typed trees for the emitter: what `npm run
// build` runs after the parser is generated. Nothing is written when nothing has changed.

import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
const target = new URL('src/5-emit/generated/prelude.ts', root);

/** Whatever decides what the prelude's trees look like. */
const sources = [
  'src/prelude',
  'src/1-parse',
  'src/2-check',
  'src/3-lower',
  'src/mir',
  'src/4-optimise',
  'src/library',
  'src/language',
  'src/abi',
  'grammar',
  'tools',
];

function hashSources(): string {
  const hash = createHash('sha256');
  for (const folder of sources) {
    const entries = readdirSync(new URL(`${folder}/`, root), { withFileTypes: true, recursive: true });
    for (const entry of entries.toSorted((a, b) => (a.parentPath + a.name < b.parentPath + b.name ? -1 : 1))) {
      if (entry.isFile() && !entry.parentPath.includes('generated'))
        hash.update(readFileSync(`${entry.parentPath}/${entry.name}`));
    }
  }
  for (const rows of globSync('runtime-host/namespaces/*/rows.ts', { cwd: fileURLToPath(root) }).toSorted())
    hash.update(readFileSync(new URL(rows.replaceAll('\\', '/'), root)));
  return hash.digest('hex');
}

async function build(stamp: string): Promise<void> {
  const { storePrelude } = await import('./store-prelude.ts');
  const { preludeFiles, preludeSource } = await import('./prelude-source.ts');
  const result = storePrelude(preludeSource());
  if (typeof result === 'string') {
    console.error(
      `the prelude in src/prelude has mistakes (lines of all files in a row: ${preludeFiles().join(', ')})\n${result}`,
    );
    process.exitCode = 1;
    return;
  }
  mkdirSync(new URL('./', target), { recursive: true });
  writeFileSync(
    target,
    [
      `// Made by tools/build-prelude.ts from src/prelude; ${stamp}`,
      `import type { StoredPrelude } from '../prelude.ts';`,
      `export const storedPrelude: StoredPrelude = ${JSON.stringify(result, null, 1)};`,
      '',
    ].join('\n'),
  );
}

const stamp = hashSources();
if (!existsSync(target) || !readFileSync(target, 'utf8').slice(0, 300).includes(stamp)) await build(stamp);
