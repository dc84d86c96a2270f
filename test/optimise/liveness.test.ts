// Which locals are live where a loop begins an iteration, and which settings nothing reads.

import { describe, expect, it } from 'vitest';
import { findDeadStores, findLiveLocals } from '../../src/4-optimise/analysis/liveness.ts';
import type { MirFunction } from '../../src/mir/program.ts';
import { mirOf } from './lowering.ts';

function functionOf(body: string): MirFunction {
  return mirOf(`int f(int n, int[] a) { ${body} }\nreturn f(3, [1, 2]);`).functions.get('#f')!;
}

/** The live locals of each loop, by the order in which the loops are written. */
function live(body: string): readonly (readonly string[])[] {
  const fn = functionOf(body);
  return [...findLiveLocals(fn)]
    .toSorted(([one], [other]) => one - other)
    .map(([, locals]) => locals.map((local) => fn.locals[local]!.name).toSorted());
}

describe('live locals at the beginning of an iteration', () => {
  it.each([
    [
      'what the loop and what follows read',
      'int s = 0; for (int i = 0; i < n; i++) s += i; return s;',
      ['i', 'n', 's'],
    ],
    ['not what is set before it is read', 'int t; while (n > 0) { t = n * 2; n = n - t; } return n;', ['n']],
    ['what only what follows reads', 'int k = 7; while (n > 0) n--; return k;', ['k', 'n']],
    ['what one branch reads', 'int k = 7; while (n > 0) { if (n == 3) n = k; n--; } return n;', ['k', 'n']],
    [
      'not what one branch sets and nothing reads',
      'int k = 7; while (n > 0) { if (n == 3) k = n; n--; } return n;',
      ['n'],
    ],
    ['what is read behind a break', 'int k = 7; while (true) { if (n < 0) break; n--; } return k;', ['k', 'n']],
    [
      'what a continue leads to',
      'int k = 7; for (int i = 0; i < n; i += k) { if (i == 3) continue; a[0]++; } return 0;',
      ['a', 'i', 'k', 'n'],
    ],
    [
      'what a clause reads',
      'int k = 1; while (n > 0) { try { a[n]++; } catch (Error e) { return k; } n--; } return 0;',
      ['a', 'k', 'n'],
    ],
    [
      'what a later iteration reads',
      'int last = 0; while (n > 0) { if (last == 3) return 1; last = a[n]; n--; } return 0;',
      ['a', 'last', 'n'],
    ],
  ])('%s', (_, body, expected) => expect(live(body)).toEqual([expected]));

  it('in an inner loop are those that the outer one still wants', () => {
    const body = `int s = 0;
  for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) s += a[j];
  return s;`;
    expect(live(body)).toEqual([
      ['a', 'i', 'n', 's'],
      ['a', 'i', 'j', 'n', 's'],
    ]);
  });
});

/** The locals whose settings are dead, in the order of the settings. */
function dead(body: string): readonly string[] {
  const fn = functionOf(body);
  return [...findDeadStores(fn, () => true)].flatMap((node) =>
    node.kind === 'set-local' ? [fn.locals[node.local]!.name] : [],
  );
}

describe('dead stores', () => {
  it.each([
    ['a value that is replaced', 'int k = 1; k = n; return k;', ['k']],
    ['a value that nothing reads any more', 'int k = 1; a[0] = k; k = n; return 0;', ['k']],
    ['what only such a value reads', 'int k = n; int l = k; l = 3; return l;', ['l', 'k']],
    ['what only itself reads', 'int k = 1; while (n > 0) { k = k + n; n--; } return 0;', ['k', 'k']],
    ['not one that a clause reads', 'int k = 1; try { k = 2; a[n]++; k = 3; } catch (Error e) { } return k;', []],
    ['not one that the next iteration reads', 'int k = 1; while (n > k) { k = k + n; n--; } return 0;', []],
    ['not one that one branch reads', 'int k = n; if (n > 3) return k; return 0;', []],
  ])('%s', (_, body, expected) => expect(dead(body)).toEqual(expected));
});
