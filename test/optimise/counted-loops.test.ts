// Which loops are seen to count, what they count with, and which only look as if they did.

import { describe, expect, it } from 'vitest';
import { findCount } from '../../src/4-optimise/analysis/counted-loops.ts';
import { readLinear } from '../../src/4-optimise/analysis/affine.ts';
import { ProgramChanges } from '../../src/4-optimise/analysis/mod-ref.ts';
import type { Expression, Loop, Statement } from '../../src/mir/mir.ts';
import type { MirFunction, MirProgram } from '../../src/mir/program.ts';
import { printNode } from '../../src/mir/print.ts';
import { mirOf } from './lowering.ts';

interface Found {
  readonly program: MirProgram;
  readonly fn: MirFunction;
  readonly loop: Loop;
  readonly before: readonly Statement[];
}

/** The last loop of a function with these statements. */
function loopOf(body: string): Found {
  const program = mirOf(`int g = 9;
void setG() { g++; }
setG();
int f(int n, int[] a, string s, int k) { ${body} return n; }
return f(3, [1, 2], "x", 1);`);
  const fn = program.functions.get('#f')!;
  const found: { readonly loop: Loop; readonly before: readonly Statement[] }[] = [];
  const walk = (statements: readonly Statement[]): void =>
    statements.forEach((node, at) => {
      if (node.kind === 'loop') {
        found.push({ loop: node, before: statements.slice(0, at) });
        walk(node.body);
      }
      if (node.kind === 'block') walk(node.statements);
    });
  walk(fn.body);
  return { program, fn, ...found.at(-1)! };
}

/** `variable comparison limit by step from start`; null where the loop does not count. */
function countOf(body: string): string | null {
  const { program, fn, loop, before } = loopOf(body);
  const counted = findCount(loop, new ProgramChanges(program).of([loop], fn), before, program.registry);
  if (counted === null) return null;
  const { variable, comparison, limit, step, limitStep, start } = counted;
  const show = (node: Expression): string => printNode(fn, node);
  const moves = limitStep === 0n ? '' : ` moving by ${limitStep}`;
  const from = start === null ? '' : ` from ${start}`;
  return `${fn.locals[variable]!.name} ${comparison} ${show(limit)}${moves} by ${show(step)}${from}`;
}

describe('loops that count', () => {
  it.each([
    ['up to a limit', 'for (int i = 0; i < n; i++) k++;', 'i < n by 1 from 0'],
    ['up to and with a limit', 'for (int i = 1; i <= n; i++) k++;', 'i <= n by 1 from 1'],
    ['down', 'for (int i = n; i > 0; i--) k++;', 'i > 0 by -1'],
    ['down to and with', 'for (int i = 9; i >= n; i -= 3) k++;', 'i >= n by -3 from 9'],
    ['written from the right', 'for (int i = 0; n > i; i += 2) k++;', 'i < n by 2 from 0'],
    [
      'by what a local holds',
      'for (int i = 0; i < n; i += k) n == 3;'.replace('n == 3;', 'a[i] = 1;'),
      'i < n by k from 0',
    ],
    ['to the length of an array', 'for (int i = 0; i < a.length(); i++) k++;', 'i < T[].length(a) by 1 from 0'],
    ['to the length of a text', 'for (int i = 0; i < s.length(); i++) k++;', 'i < string.length(s) by 1 from 0'],
    ['to a global that stays', 'for (int i = 0; i < g; i++) k++;', 'i < #g by 1 from 0'],
    ['to a sum', 'for (int i = 0; i < n * 2 + k; i++) a[i] = 1;', 'i < ((n * 2) + k) by 1 from 0'],
    ['two that meet', 'for (int i = 0, j = n; i < j; i++, j--) k++;', 'i < j moving by -1 by 1 from 0'],
    ['beginning with what is not known', 'int i = n * 2; for (; i < 99; i++) k++;', 'i < 99 by 1'],
    ['with a break', 'for (int i = 0; i < n; i++) if (a[i] == 3) break;', 'i < n by 1 from 0'],
    ['with a continue', 'for (int i = 0; i < n; i++) { if (a[i] == 3) continue; k++; }', 'i < n by 1 from 0'],
    [
      'over an array that it stores into',
      'for (int i = 0; i < a.length(); i++) a[i] = 1;',
      'i < T[].length(a) by 1 from 0',
    ],
  ])('%s', (_, body, expected) => expect(countOf(body)).toBe(expected));
});

describe('loops that do not count, or not to where they seem to', () => {
  it.each([
    ['the variable is set in the body too', 'for (int i = 0; i < n; i++) if (k == 3) i = 7;'],
    ['the step is taken in one branch', 'int i = 0; while (i < n) { if (k == 3) i++; k++; }'],
    ['the limit changes', 'for (int i = 0; i < n; i++) n--;'],
    ['the limit is a global that a call changes', 'for (int i = 0; i < g; i++) setG();'],
    ['the array gets longer', 'for (int i = 0; i < a.length(); i++) a.push(1);'],
    ['the array becomes another', 'for (int i = 0; i < a.length(); i++) a = [1];'],
    ['it goes away from its limit', 'for (int i = 0; i < n; i--) k++;'],
    ['the step changes', 'for (int i = 0; i < n; i += k) k++;'],
    ['the step may be negative downwards', 'for (int i = n; i > 0; i -= k) a[i] = 1;'],
    ['it multiplies', 'for (int i = 1; i < n; i *= 2) k++;'],
    ['the test comes last', 'int i = 0; do { i++; } while (i < n);'],
    ['it ends at one number', 'for (int i = 0; i != n; i++) k++;'],
    ['two that meet by other steps', 'for (int i = 0, j = n; i < j; i += 2, j--) k++;'],
  ])('%s', (_, body) => expect(countOf(body)).toBeNull());
});

describe('affine subscripts', () => {
  /** The subscript of the last `a[…] = 1` in terms of `i`: `coefficient, base, offset`; null where it is none. */
  function affine(subscript: string): string | null {
    const { program, fn, loop } = loopOf(`for (int i = 0; i < n; i++) a[${subscript}] = 1;`);
    const changes = new ProgramChanges(program).of([loop], fn);
    const [store] = loop.body.flatMap(function flatten(node): readonly Statement[] {
      return node.kind === 'block' ? node.statements.flatMap(flatten) : [node];
    });
    if (store?.kind !== 'set-element') throw new Error('no store');
    const variable = fn.locals.findIndex(({ name }) => name === 'i');
    const linear = readLinear(store.index, variable, changes, program.registry);
    if (linear === null) return null;
    const { coefficient, base, offset } = linear;
    const factor = typeof coefficient === 'bigint' ? String(coefficient) : printNode(fn, coefficient);
    return `${factor}, ${base === null ? 'nothing' : printNode(fn, base)}, ${offset}`;
  }

  it.each([
    ['i', '1, i, 0'],
    ['i + 3', '1, i, 3'],
    ['3 - i', '-1, (0 - i), 3'],
    ['2 * i - 1', '2, (i * 2), -1'],
    ['i * k + n', 'k, ((i * k) + n), 0'],
    ['(i + 2) * k', 'k, ((i + 2) * k), 0'],
    ['i * n + i', '(n + 1), ((i * n) + i), 0'],
    ['n - i * k', '(0 - k), (n - (i * k)), 0'],
    ['i * n - 3 * i', '(n - 3), ((i * n) - (i * 3)), 0'],
    [
      'i * k + i * 4611686018427387904 * 2',
      '(k + -9223372036854775808), ((i * k) + ((i * 4611686018427387904) * 2)), 0',
    ],
    ['i * n - k * i', '(n - k), ((i * n) - (k * i)), 0'],
    ['n', '0, n, 0'],
    ['7', '0, nothing, 7'],
    ['i * i', null],
    ['i / 2', null],
    ['a[i]', null],
    ['i + 600000000', null],
  ])('%s', (subscript, expected) => expect(affine(subscript)).toBe(expected));
});
