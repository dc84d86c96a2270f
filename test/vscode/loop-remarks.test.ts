// What the extension shows of loops is what the command says of them.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { describeLoop, readLoops, summaryOf } from '../../editors/vscode/src/desktop/loop-remarks.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluice-loops-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('reads the remarks of a build, the slow ones first', () => {
  const script = join(folder, 'sum.slu');
  writeFileSync(
    script,
    'type Box { int n; }\nint f(int[] xs, Box b) {\n  foreach (int x in xs) b.n += xs[x];\n  return b.n;\n}\n' +
      'main(int n = 3) {\n  int s = 0;\n  for (int i = 0; i < n; i++) s += i;\n  return f([0], { n: s });\n}\n',
  );
  const sluice = join(import.meta.dirname, '../../packages/sluice/bin/sluice.mjs');
  const words = [sluice, 'build', script, '-o', join(folder, 'sum.wasm'), '--explain-loops=json'];
  const { stdout } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  const loops = readLoops(stdout);
  expect(loops.map(({ file, line }) => [file, line]).toSorted(([, a], [, b]) => Number(a) - Number(b))).toEqual([
    [script, 3],
    [script, 8],
  ]);
  const of = (line: number) => loops.find((loop) => loop.line === line)!;
  expect(summaryOf(of(8))).toMatchObject({ text: expect.stringMatching(/^fast: counts 'i' up to/), isSlow: false });
  expect(describeLoop(of(8))).toContain("- **fast**: counts 'i' up to 'n'");
  expect(describeLoop(of(8))).toMatch(/^```sluice\nfor \(int i = 0; i < n; i\+\+\)/);
});

it('puts what is slow in front', () => {
  const remark = (outcome: string, text: string, help: string | null = null) => ({ outcome, text, help });
  const loop = {
    file: 'a.slu',
    line: 1,
    head: 'for (;;) x = `a`;',
    isOuter: false,
    remarks: [remark('applied', 'good'), remark('missed', 'a *b* since', 'Do <c>.'), remark('missed', 'more')],
  };
  expect(summaryOf(loop)).toEqual({ text: 'slow: a *b* since (and 1 more)', isSlow: true });
  // What scripts say is no Markdown.
  expect(describeLoop(loop)).toBe(
    [
      '```sluice',
      "for (;;) x = 'a';",
      '```',
      '- **fast**: good',
      '- **slow**: a \\*b\\* since  ',
      '  Do \\<c\\>.',
      '- **slow**: more',
    ].join('\n'),
  );
});

it('finds no loops where the command says nothing of them', () =>
  expect(readLoops('sum.wasm: 12 bytes\n')).toEqual([]));
