// Programs in TypeScript that pages show satisfy its strict rules, with the types of the packages.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../../tools/entries.ts';
import { blocksOf } from './blocks.ts';
import { readPage, runPages } from './pages.ts';
import { makeFolder } from './scratch-folder.ts';

const options = {
  strict: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  target: 'es2024',
  lib: ['es2024', 'dom'],
  module: 'nodenext',
  types: ['node'],
  allowImportingTsExtensions: true,
  experimentalDecorators: false,
  skipLibCheck: true,
};

it('fits each program', { timeout: 120_000 }, async () => {
  const folder = makeFolder();
  try {
    let count = 0;
    for (const path of runPages) {
      const place = path.replaceAll(/\W/g, '-');
      const blocks = blocksOf(readPage(path));
      for (const { kind, language, name, text, line } of blocks) {
        if (kind !== 'fence') continue;
        if (language === 'sluice' && name !== null) folder.write(`${place}/${name}`, text);
        if (language !== 'ts') continue;
        count++;
        folder.write(`${place}/${name ?? `program-${line}.ts`}`, text);
        for (const [, script] of text.matchAll(/'\.\/(\w+)\.d\.ts'/g))
          expect(await folder.run(`cd ${place} && sluice types ${script!}.slu -o ${script!}.d.ts`)).toMatchObject({
            code: 0,
          });
      }
    }
    expect(count).toBeGreaterThan(3);
    folder.write('tsconfig.json', JSON.stringify({ compilerOptions: options, include: ['**/*.ts'] }));
    const compiler = join(root, 'node_modules/typescript/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [compiler, '-p', '.', '--pretty', 'false'], {
      cwd: folder.path,
      encoding: 'utf8',
    });
    expect(stdout).toBe('');
  } finally {
    folder.remove();
  }
});
