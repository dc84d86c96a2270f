// Runs that are stopped at any moment, over and over: in the end each has the bytes of one that was not.

import { existsSync, readdirSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { hashesOf, MapFolder } from './harness.ts';
import { runMapProcess } from './process.ts';

const folder = new MapFolder();
afterAll(() => folder.remove());
const input = await folder.parquet(
  'numbers.parquet',
  `SELECT i AS n, 'text ' || i AS s FROM range(400000) AS r(i)`,
  ', ROW_GROUP_SIZE 4096',
);
const script = folder.write(
  'slow.slu',
  `type Out { int n; double random; int seen; string s; }
   int seen = 0;
   export Out map(int n, string s) {
     seen++;
     double x = 0.0;
     for (int i = 0; i < 500; i++) x += (i * n) % 7;
     if (n % 50000 == 49999) throw \`failed as number \${seen}\`;
     return { n: n, random: Math.random() + x, seen: seen, s: s };
   }`,
);
const words = (output: string): readonly string[] => [
  script,
  '--input',
  input,
  '-o',
  output,
  '--partition-rows',
  '8192',
  '--max-errors',
  '8',
  '--threads',
  '2',
];
const whole = folder.file('whole');
const began = performance.now();
const undisturbed = await runMapProcess(words(whole));
const wholeMs = performance.now() - began;

/** A pause of each of ten runs: other ones each time, the same in every run of the test. */
function* pauses(seed: number): Generator<number> {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    yield (state / 2 ** 32) * wholeMs;
  }
}

/** All that there is to see of a run that is complete. */
function isComplete(output: string): boolean {
  const names = existsSync(output) ? readdirSync(output).filter((name) => !name.startsWith('part-')) : [];
  return names.sort().join(' ') === '_SUCCESS _errors';
}

describe('a run that is stopped by', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)('%s goes on, up to ten times', async (signal) => {
    expect(undisturbed.code).toBe(0);
    const output = folder.file(signal);
    const times = pauses(signal.length);
    const resume = (): readonly string[] => [...words(output), ...(existsSync(output) ? ['--resume'] : [])];
    for (let round = 0; round < 10 && !isComplete(output); round++) {
      const ended = await runMapProcess(resume(), { signal, afterMs: times.next().value as number });
      // Before Node listens, a signal ends it as any process.
      if (signal !== 'SIGKILL' && ended.signal === null && ended.code !== 0) {
        expect(ended.stderr).toContain('the same command with --resume goes on behind them');
        expect(ended.code).toBe(130);
      }
    }
    if (!isComplete(output)) {
      const last = await runMapProcess(resume());
      // It may have been stopped as it tidied up.
      if (last.code !== 2) expect(last.stderr).toContain('400,000 records read, 399,992 written, 8 failed');
    }
    expect(isComplete(output)).toBe(true);
    expect(hashesOf(output)).toEqual(hashesOf(whole));
  });
});
