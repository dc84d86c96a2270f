// What docs/profiling.md shows is what happens.

import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { Folder } from '../cli/sluice.ts';

const page = readFileSync(new URL('../../docs/profiling.md', import.meta.url), 'utf8');

it('docs/profiling.md shows what sluice profile prints', () => {
  const [, script] = /^```sluice\n([^]*?)^```$/m.exec(page)!;
  const [, words, output] = /^```text\n\$ sluice (.*)\n([^]*?)^```$/m.exec(page)!;
  const folder = new Folder();
  try {
    folder.write('primes.slu', script!);
    const { stdout, stderr } = folder.run(...words!.split(' '));
    expect(stdout + stderr).toBe(output);
  } finally {
    folder.remove();
  }
});
