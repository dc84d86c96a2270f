// What is counted: lines by the statements that begin there, functions by their calls, branches by their outcomes.

import { describe, expect, it } from 'vitest';
import { isReached, missedOutcomes, summaryOf } from '../../src/coverage/coverage.ts';
import type { FileCoverage } from '../../src/coverage/coverage.ts';
import { branchCounts, coverageOfScript, lineCounts } from './counting.ts';
import type { Counting } from './counting.ts';

async function covered(text: string, options: Counting = {}): Promise<FileCoverage> {
  return (await coverageOfScript(text, options)).find(({ path }) => path === 'a.slu')!;
}

const lines = async (text: string): Promise<readonly string[]> => lineCounts(await covered(text));
const branches = async (text: string): Promise<readonly string[]> => branchCounts(await covered(text));

describe('lines', () => {
  it('are counted where a statement begins', async () => {
    expect(
      await lines('int n = 1;\n\n// nothing\nyield n +\n  1;\nif (n > 1)\n  yield 2;\nelse\n  yield 3;\n'),
    ).toEqual(['1: 1', '4: 1', '6: 1', '7: 0', '9: 1']);
  });

  it('have the count of the statement that ran most', async () => {
    expect(await lines('int n;\nfor (int i = 0; i < 3; i++) n += i;\nyield n;')).toEqual(['1: 1', '2: 3', '3: 1']);
    expect(await lines('int n;\nfor (int i = 0; i < 3; i++)\n  n += i;')).toEqual(['1: 1', '2: 1', '3: 3']);
  });

  it('of a foreach are counted once, and not for each element', async () => {
    expect(await lines('foreach (int x in [1, 2])\n  yield x;')).toEqual(['1: 1', '2: 2']);
  });

  it('behind an error, a return and a jump are not reached', async () => {
    expect(await lines('yield 1;\nthrow "no";')).toEqual(['1: 1', '2: 1']);
    expect(await lines('int[] xs = [];\nyield xs[0];\nyield 2;')).toEqual(['1: 1', '2: 1', '3: 0']);
    expect(await lines('while (true) {\n  break;\n}\nreturn 1;')).toEqual(['1: 1', '2: 1', '4: 1']);
  });

  it('of an else if are counted as often as its condition is asked for', async () => {
    const text = 'for (int i = 0; i < 4; i++)\n  if (i == 0)\n    yield 0;\n  else if (i == 1)\n    yield 1;';
    expect(await lines(text)).toEqual(['1: 1', '2: 4', '3: 1', '4: 3', '5: 1']);
  });

  it('of functions that nothing calls are not reached', async () => {
    expect(await lines('void f() {\n  yield 1;\n}\nyield 2;')).toEqual(['2: 0', '4: 1']);
  });

  it('of globals are set in a run and before a call, and are the same lines', async () => {
    const text = 'int[] xs = [1];\nexport int f() {\n  return xs[0];\n}\nyield f();';
    expect(await lines(text)).toEqual(['1: 1', '3: 1', '5: 1']);
    expect(lineCounts(await covered(text, { calls: ['f', 'f'] }))).toEqual(['1: 2', '3: 2', '5: 0']);
  });

  it('add up over runs', async () => {
    expect(lineCounts(await covered('yield 1;', { runs: 3 }))).toEqual(['1: 3']);
  });
});

describe('functions', () => {
  const functions = async (text: string): Promise<readonly string[]> =>
    (await covered(text)).functions.map(({ name, count }) => `${name} ${count}`);

  it('are counted when they are called', async () => {
    expect(
      await functions('int f(int n) { return n < 1 ? 0 : f(n - 1); }\nvoid g() {}\nmain() { yield f(2); }'),
    ).toEqual(['f 3', 'g 0', 'main 1']);
  });

  it('are those of the script, and not what the compiler makes of default values', async () => {
    expect(await functions('int k = 1;\nint f(int n = k + 1) { return n; }\nyield f();')).toEqual(['f 1']);
  });
});

describe('branches', () => {
  it('of an if are each of its conditions, and none of them', async () => {
    const text = 'for (int i = 0; i < 5; i++) { if (i < 2) yield i; else if (i < 3) yield 7; }';
    expect((await branches(text))[1]).toBe('1 if: i < 2 = 2, i < 3 = 1, i < 3 = 2');
    expect(await branches('if (1 < 2) yield 1; else yield 2;')).toEqual(['1 if: 1 < 2 = 1, 1 < 2 = 0']);
  });

  it('of a conditional are its values', async () => {
    expect(await branches('int n = 3;\nyield n > 1 ? n : n < 0 ? 8 : 9;')).toEqual([
      '2 conditional: n = 1, n < 0 ? 8 : 9 = 0',
      '2 conditional: 8 = 0, 9 = 0',
    ]);
  });

  it('of && and || are each operand that may decide, and the last', async () => {
    const ask = (operator: string, values: string): string =>
      `boolean f(boolean a, boolean b, boolean c) { return a ${operator} b ${operator} c; }\n${values}`;
    const some = 'yield f(true, false, true); yield f(false, true, true); yield f(true, true, false);';
    expect(await branches(ask('&&', some))).toEqual(['1 logical: a = 1, b = 1, c = 1']);
    expect(await branches(ask('||', some))).toEqual(['1 logical: a = 2, b = 1, c = 0']);
  });

  it('of && within || are both', async () => {
    const text = 'boolean f(boolean a, boolean b, boolean c) { return a && b || c; }\nyield f(true, true, true);';
    expect(await branches(text)).toEqual(['1 logical: a = 0, b = 1', '1 logical: a && b = 1, c = 0']);
  });

  it('of a loop are going on and ending', async () => {
    expect(await branches('int n = 3; while (n > 0) n--;')).toEqual(['1 loop: n > 0 = 3, n > 0 = 1']);
    expect(await branches('int n = 3; while (n > 0) break;')).toEqual(['1 loop: n > 0 = 1, n > 0 = 0']);
    expect(await branches('int n = 3; do n--; while (n > 0);')).toEqual(['1 loop: n > 0 = 2, n > 0 = 1']);
    expect(await branches('for (;;) break;\nwhile (true) break;')).toEqual([]);
  });

  it('of a foreach are its elements', async () => {
    expect(await branches('int[] xs = [];\nforeach (int x in xs) yield x;')).toEqual(['2 loop: xs = 0']);
    expect(await branches('json xs = [1, 2];\nforeach (int x in xs) yield x;')).toEqual(['2 loop: xs = 2']);
  });

  it('of a try are its clauses', async () => {
    const text = 'int[] xs = [];\ntry {\n  yield xs[0];\n} catch (CastError e) {\n} catch (e) {\n  yield e;\n}';
    const file = await covered(text);
    expect(branchCounts(file)).toEqual(['2 catch: catch (CastError e) = 0, catch (e) = 1']);
  });

  it('count where what is around them fails', async () => {
    const text = 'int f(int n) { if (n > 0) throw "no"; return n; }\ntry { yield f(1) > 0 && true; } catch (e) {}';
    expect(await branches(text)).toEqual([
      '1 if: n > 0 = 1, n > 0 = 0',
      '2 catch: catch (e) = 1',
      '2 logical: f(1) > 0 = 0, true = 0',
    ]);
  });

  it('of a long chain are all of its operands', async () => {
    const operands = Array.from({ length: 200 }, (_, at) => `n != ${at}`);
    const [chain] = (await covered(`int n = 150;\nyield ${operands.join(' && ')};`)).branches;
    expect(chain!.outcomes.length).toBeGreaterThanOrEqual(200);
    expect(chain!.outcomes.filter(({ count }) => count > 0n).length).toBeGreaterThanOrEqual(1);
  });

  it('of default values are counted in the file that declares them', async () => {
    const files = { 'lib.slu': 'boolean on = true;\nint f(int n = on ? 1 : 2) {\n  return n;\n}' };
    const all = await coverageOfScript('import "lib.slu" as l;\nyield l.f();\nyield l.f();', { files });
    const lib = all.find(({ path }) => path === 'lib.slu')!;
    expect(lineCounts(lib)).toEqual(['3: 2']);
    expect(branchCounts(lib)).toEqual(['2 conditional: 1 = 2, 2 = 0']);
  });

  it('that control came to, and no others, miss outcomes', async () => {
    const text = 'void f() {\n  if (1 > 2) yield 1;\n}\ntry {\n  yield 1;\n} catch (e) {\n  yield e;\n}';
    const file = await covered(text);
    expect(missedOutcomes(file).map(({ missing }) => missing)).toEqual(['nothing is ever caught here']);
    expect(file.branches.map((branch) => isReached(file, branch))).toEqual([false, true]);
    expect(summaryOf(file).branches).toEqual({ found: 3, hit: 0 });
  });
});

describe('files', () => {
  it('that are imported are covered, and tests are not', async () => {
    const files = { 'lib.slu': 'int f() { return 1; }', 'b.test.slu': 'int g() { return 2; }' };
    const all = await coverageOfScript('import "lib.slu" as l;\nimport "b.test.slu" as b;\nyield l.f() + b.g();', {
      files,
    });
    expect(all.map(({ path, statements }) => [path, statements.length])).toEqual([
      ['a.slu', 1],
      ['lib.slu', 1],
    ]);
  });

  it('without code have nothing to cover', async () => {
    const files = { 'lib.slu': 'type T { int n; }\nint k = 4;' };
    const all = await coverageOfScript('import "lib.slu" as l;\nl.T t = { n: l.k };\nyield t.n;', { files });
    expect(all.map(({ path }) => path)).toEqual(['a.slu']);
  });
});
