// `npm run fuzz:mutants`: puts one fault after another into a copy of the compiler and fuzzes it until a program shows
// the fault. Says how many programs each took; the exit code is 1 where one is not found that should be. `-- --only
// NAME` tries one, `-- --kind nests` with programs of one kind.

import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { mutants } from './mutants.ts';
import type { Mutant } from './mutants.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    programs: { type: 'string', default: '5000' },
    seed: { type: 'string', default: '1' },
    kind: { type: 'string' },
  },
});
const root = fileURLToPath(new URL('../../../', import.meta.url));
/** What fuzzing reads. */
const copied = [
  'package.json',
  'tsconfig.json',
  'generated',
  'src',
  'runtime-host',
  ...['fuzz', 'emit', 'parse', 'check'].map((folder) => `test/${folder}`),
];

const pending = mutants.filter(({ name }) => values.only === undefined || values.only.includes(name));
if (pending.length === 0) {
  console.error(`there is no such mutant; there are: ${mutants.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}
const misplaced = pending.filter(({ file, from }) => readFileSync(join(root, file), 'utf8').split(from).length !== 2);
if (misplaced.length > 0) {
  console.error(
    `what these replace does not stand in their file once: ${misplaced.map(({ name }) => name).join(', ')}`,
  );
  process.exit(2);
}
let missed = 0;
await Promise.all(
  Array.from({ length: Math.max(1, availableParallelism()) }, async () => {
    for (let mutant = pending.shift(); mutant !== undefined; mutant = pending.shift()) await tryMutant(mutant);
  }),
);
process.exitCode = missed > 0 ? 1 : 0;

async function tryMutant(mutant: Mutant): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'mutant-'));
  try {
    for (const path of copied) {
      mkdirSync(join(folder, path, '..'), { recursive: true });
      cpSync(join(root, path), join(folder, path), { recursive: true });
    }
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    const file = join(folder, mutant.file);
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace(mutant.from, () => mutant.to),
    );
    const started = performance.now();
    const output = await fuzz(folder);
    const seconds = Math.round((performance.now() - started) / 1000);
    const found = /^seed (\d+): ([^\n]*)/m.exec(output);
    const programs = found === null ? null : Number(found[1]) - Number(values.seed) + 1;
    if (programs === null && mutant.isMissed === undefined) missed += 1;
    const outcome = programs === null ? `not found in ${values.programs}` : `${programs} programs, ${found![2]!}`;
    console.log(`${mutant.name}: ${outcome} (${seconds} s)${known(mutant, programs)}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function known({ isMissed }: Mutant, programs: number | null): string {
  if (isMissed === undefined) return '';
  return programs === null ? `, as is known: ${isMissed}` : ', which was not known to be found';
}

/** What fuzzing says up to the first difference. */
function fuzz(folder: string): Promise<string> {
  const { programs, seed, kind } = values;
  const only = kind === undefined ? [] : ['--only', kind];
  const child = spawn(
    process.execPath,
    ['test/fuzz/run.ts', '--first', '--programs', programs, '--seed', seed, ...only],
    {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    // It ends by saying what it did, or it did not fuzz at all.
    child.once('close', (code) =>
      /programs per second/.test(output) ? resolve(output) : reject(new Error(`fuzzing ended with ${code}: ${output}`)),
    );
  });
}
