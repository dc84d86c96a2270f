// What each pass does, as files that a person reads: `<pass>/<case>.slu` is a small script, and `<case>.mir.txt` beside
// it the Mir before the pass and after it (`npx vitest run test/passes -u` writes them). Required passes run before it,
// and of the optional ones those that a line `// behind: loops, inlining` of the script names; `// guards: use, depth`
// compiles guards in.

import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { settingsOf } from '../../src/4-optimise/pass.ts';
import { passes, runPasses } from '../../src/4-optimise/passes.ts';
import type { MirProgram } from '../../src/mir/program.ts';
import { printProgram } from '../../src/mir/print.ts';
import { mirOf } from '../optimise/lowering.ts';

const folder = fileURLToPath(new URL('.', import.meta.url));

function listIn(script: string, head: string): readonly string[] {
  const line = script.split('\n').find((text) => text.startsWith(`// ${head}: `));
  return line === undefined ? [] : line.slice(head.length + 5).split(', ');
}

/** The Mir before the pass and behind it. */
function snapshotOf(pass: string, script: string): string {
  const guards = listIn(script, 'guards');
  const behind = new Set(listIn(script, 'behind'));
  const settings = settingsOf({ guards: { use: guards.includes('use'), depth: guards.includes('depth') } });
  const optional = passes.filter(({ isRequired }) => !isRequired).map(({ name }) => name);
  const without = new Set(optional.filter((name) => name !== pass && !behind.has(name)));
  let before: MirProgram | null = null;
  let [from, to] = ['', ''];
  runPasses(mirOf(script), settings, {
    optimise: true,
    without,
    observe: (name, program) => {
      if (name === pass) [from, to] = [printProgram(before!), printProgram(program)];
      before = program;
    },
  });
  return `before\n\n${from}\n\nafter${from === to ? ': the same\n' : `\n\n${to}\n`}`;
}

const scripts = globSync('*/*.slu', { cwd: folder }).map((file) => file.replaceAll('\\', '/'));

describe.each([...new Set(scripts.map((file) => file.slice(0, file.indexOf('/'))))].toSorted())('%s', (pass) => {
  it('is a pass', () => expect(passes.map(({ name }) => name)).toContain(pass));

  for (const file of scripts.filter((script) => script.startsWith(`${pass}/`)).toSorted()) {
    it(file.slice(pass.length + 1, -'.slu'.length).replaceAll('-', ' '), async () => {
      const script = readFileSync(`${folder}${file}`, 'utf8');
      await expect(snapshotOf(pass, script)).toMatchFileSnapshot(`${folder}${file.replace(/slu$/, 'mir.txt')}`);
    });
  }
});
