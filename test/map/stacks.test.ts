// Stacks of dead letters: the first records that fail are run again alone, so that each has its places in the script.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { failuresOf, MapFolder } from './harness.ts';

const folder = new MapFolder();
afterAll(() => folder.remove());

const rows = await folder.parquet(
  'rows.parquet',
  `SELECT i AS n, i / 2 AS x, 'text ' || i AS s, CASE WHEN i % 3 = 0 THEN NULL ELSE i END AS maybe,
     CAST(i + 9007199254740993 AS BIGINT) AS big, [i, i + 1] AS list FROM range(60) AS r(i)`,
);

/** The stacks, with the name that the script has in them left out. */
function stacksOf(output: string): readonly (readonly [number, readonly string[] | undefined])[] {
  return failuresOf(output).map(({ row, stack }) => [
    row,
    stack?.map((frame) => frame.replace(/\(.*\/script-\w+\.slu:/, '(script.slu:')),
  ]);
}

describe('a dead letter', () => {
  it('has the places of its error, innermost first', async () => {
    const { output } = await folder.map(
      `type Out { int n; }
void check(int n) {
  if (n == 7) throw "seven";
}
export Out map(int n) {
  check(n);
  return { n: n };
}`,
      rows,
      { maxErrors: 1 },
    );
    expect(stacksOf(output)).toEqual([[8, ['check (script.slu:3:15)', 'map (script.slu:6:3)']]]);
  });

  it('has them by values of each kind, and of rules for nulls', async () => {
    const { output } = await folder.map(
      `type Out { int n; }
export Out map(int n, double x, string s, int maybe, boolean maybe_valid, int big, int[] list, json whole, string limit) {
  if (n == 5 && x == 2.5 && s == "text 5" && maybe == 5 && maybe_valid && big == 9007199254740998) throw "a";
  if (n == 6 && maybe == 0 && !maybe_valid && list[1] == 7 && whole[1] as int == 7 && limit == "y") throw "b";
  return { n: n };
}`,
      rows,
      { maxErrors: 2, columns: { whole: 'list' }, arguments: { limit: 'y' } },
    );
    expect(stacksOf(output)).toEqual([
      [6, ['map (script.slu:3:100)']],
      [7, ['map (script.slu:4:101)']],
    ]);
  });

  it('has none where the record does not fail alone, or not in the script', async () => {
    const { output } = await folder.map(
      `type Out { int n; }
int seen = 0;
export Out map(int n, int maybe) {
  if (seen++ == 3) throw "the fourth";
  return { n: n };
}`,
      rows,
      { maxErrors: 60 },
    );
    const stacks = stacksOf(output);
    expect(stacks).toHaveLength(21);
    for (const [, stack] of stacks) expect(stack).toBeUndefined();
  });

  it('has them for the first twenty of each partition, whatever the number of threads', async () => {
    const script = 'type Out { int n; } export Out map(int n) { if (n % 2 == 0) throw "even"; return { n: n }; }';
    const many = await folder.parquet(
      'many.parquet',
      'SELECT i AS n FROM range(9000) AS r(i)',
      ', ROW_GROUP_SIZE 4096',
    );
    const runs = [];
    for (const threads of [1, 4])
      runs.push(await folder.map(script, many, { maxErrors: 9000, partitionRows: 4096, threads }));
    const hashes = runs.map(({ output }) =>
      ['part-00000', 'part-00001', 'part-00002'].map((part) =>
        createHash('sha256')
          .update(readFileSync(`${output}/_errors/${part}.ndjson`))
          .digest('hex'),
      ),
    );
    expect(hashes[1]).toEqual(hashes[0]);
    const withStack = stacksOf(runs[0]!.output).flatMap(([row, stack]) => (stack === undefined ? [] : [row]));
    const first = Array.from({ length: 20 }, (_, at) => 2 * at + 1);
    expect(withStack).toEqual([...first, ...first.map((row) => row + 4096), ...first.map((row) => row + 8192)]);
  });

  it('has them for mapBatch, where the record fails alone', async () => {
    const { output } = await folder.map(
      `type Out { int[] n; }
export Out mapBatch(int[] n, string[] s) {
  for (int i = 0; i < n.length(); i++) {
    if (s[i] == "text 4") throw "four";
  }
  return { n: n };
}`,
      rows,
      { maxErrors: 60 },
    );
    const stacks = stacksOf(output);
    expect(stacks).toHaveLength(60);
    expect(stacks.filter(([, stack]) => stack !== undefined)).toEqual([[5, ['mapBatch (script.slu:4:27)']]]);
  });

  it('has them for step, with what init and step are given', async () => {
    const { output } = await folder.map(
      `type State { int sum; int least; }
type Out { int sum; }
export State init(int least = 3) { return { sum: 0, least: least }; }
export void step(State s, int n, string of) {
  if (n == s.least && of == "all") throw "the least";
  s.sum += n;
}
export void merge(State into, State from) { into.sum += from.sum; }
export Out finish(State s) { return { sum: s.sum }; }`,
      rows,
      { maxErrors: 1, arguments: { of: 'all', least: 9n } },
    );
    expect(stacksOf(output)).toEqual([[10, ['step (script.slu:5:36)']]]);
  });

  it('has none at a limit, which is told where the run ends for it', async () => {
    const script = `type Out { int n; }
int[] big = [];
export Out map(int n) {
  if (n == 5) big = new int[1_000_000_000];
  return { n: n };
}`;
    const limits = { memoryBytes: 2 ** 28 };
    const { output } = await folder.map(script, rows, { maxErrors: 1, limits });
    expect(stacksOf(output)).toEqual([[6, undefined]]);
    await expect(folder.map(script, rows, { limits })).rejects.toThrow(
      /record 6: MemoryLimitError: [^\n]*\n {4}at map \(.*\.slu:4:21\)$/,
    );
  });
});

it('a run that ends for its errors tells the stack of the first', async () => {
  await expect(
    folder.map(
      `type Out { int n; }
export Out map(int n) {
  if (n > 3) throw "large";
  return { n: n };
}`,
      rows,
    ),
  ).rejects.toThrow(/record 5: Error: large \(more than --max-errors=0 records failed\)\n {4}at map \(.*\.slu:3:14\)$/);
});
