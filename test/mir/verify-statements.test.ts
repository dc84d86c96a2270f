// The rules of Mir for statements and loops, each with a program that breaks it.

import { describe } from 'vitest';
import type { Expression, Loop } from '../../src/mir/mir.ts';
import { intType } from '../../src/language/types.ts';
import { finds, half, one, span, struct, text } from './breaking.ts';
import type { Changes } from './breaking.ts';

describe('statements', () => {
  finds([
    [
      'int f(int n) { int m = n; return m; } yield f(1);',
      { 'set-local': (node) => ({ ...node, value: half }) },
      'f: the value is of the type double, not int: m = 0.5',
    ],
    [
      'int g = 1; void f() { g = 2; } f(); yield g;',
      { 'set-global': (node) => ({ ...node, value: half }) },
      'f: the value is of the type double, not int: #g = 0.5',
    ],
    [
      `${struct}void f(P p) { p.x = 1; } f({ x: 1, y: 2.0 });`,
      { 'set-field': (node) => ({ ...node, value: half }) },
      'f: the value is of the type double, not int: p.0 = 0.5',
    ],
    [
      'void f(int[] a) { a[0] = 1; } f([1]);',
      { 'set-element': (node) => ({ ...node, value: half }) },
      'f: the value is of the type double, not int: a[0] = 0.5',
    ],
    [
      'void f(int[] a) { a[0] = 1; } f([1]);',
      { 'set-element': (node) => ({ ...node, index: half }) },
      'f: the index is of the type double, not int: a[0.5] = 1',
    ],
    [
      'void f(int[] a) { a[0] = 1; } f([1]);',
      { 'set-element': (node) => ({ ...node, array: text }) },
      'f: what is indexed is no array: "a"[0] = 1',
    ],
    [
      'void f(json j) { j.a = 1; } f({ a: 2 });',
      { 'set-member': (node) => ({ ...node, value: one }) },
      'f: the value is of the type int, not json: j["a"] = 1',
    ],
    [
      'void f(json j) { j.a = 1; } f({ a: 2 });',
      { 'set-member': (node) => ({ ...node, key: one }) },
      'f: the key is of the type int, not string',
    ],
    [
      'void f(json j) { j[0] = 1; } f([2]);',
      { 'set-item': (node) => ({ ...node, index: half }) },
      'f: the index is of the type double, not int',
    ],
    [
      'void f() { throw "a"; } f();',
      { throw: (node) => ({ ...node, message: one }) },
      'f: the message is of the type int, not string: throw 1',
    ],
    [
      'int f() { return 1; } yield f();',
      { return: (node) => ({ ...node, value: half }) },
      'f: the value is of the type double, not int: return 0.5',
    ],
    [
      'int f() { return 1; } yield f();',
      { return: (node) => ({ ...node, value: null }) },
      'f: there is no value: return',
    ],
    [
      'void f() { return; } f();',
      { return: (node) => ({ ...node, value: one }) },
      'f: a function without a value returns one: return 1',
    ],
    [
      'int f() { return 1; } yield f();',
      { return: ({ value, span: at }) => ({ kind: 'finish', value, span: at }) },
      'f: a function that is not the entry finishes the run: finish 1',
    ],
    [
      'main() { return 1; }',
      { finish: (node) => ({ ...node, kind: 'return' }) },
      'main: the entry returns, and does not finish the run: return 1',
    ],
    [
      'void f() { return; } yield 1; f();',
      {
        yield: (node) => ({
          ...node,
          value: { kind: 'call', function: '#f', arguments: [], typeArgument: null, type: { kind: 'void' }, span },
        }),
      },
      'the value is void: yield #f()',
    ],
    [
      'try { throw "a"; } catch (e) { yield e; }',
      { try: (node) => ({ ...node, clauses: [] }) },
      'there is no clause: try',
    ],
    [
      'int n = 1; yield n; n = 2;',
      { evaluate: (node) => node, yield: () => ({ kind: 'charge', units: one, span }) },
      'no fuel is counted here: charge 1',
    ],
    ['yield 1;', { yield: () => ({ kind: 'count', counter: 0, span }) }, 'the program has no such counter: count 0'],
    [
      'int f() { return 1; } yield f();',
      { return: () => ({ kind: 'evaluate', expression: one, span }) },
      'f: it ends without a value',
    ],
    [
      'try { throw "a"; } catch (e) { int n = 1; yield e; yield n; }',
      { try: (node) => ({ ...node, clauses: node.clauses.map((clause) => ({ ...clause, local: 1 })) }) },
      'the local of the message is of the type int, not string: try',
    ],
  ]);
});

describe('definitions before uses', () => {
  const f = (body: string): string => `int f(boolean b) { ${body} } yield f(true);`;
  const unset = (name: string, number: number): string =>
    `f: local ${number}, ${name}, is read and not set on every way here: ${name}`;
  const drop = (value: bigint): Changes => ({
    'set-local': (node) =>
      node.value.kind === 'int' && node.value.value === value ? { kind: 'block', statements: [], span } : node,
  });
  finds([
    [f('int n = 7; return n;'), drop(7n), unset('n', 1)],
    [f('int n = 0; if (b) n = 7; else n = 8; return n;'), { ...drop(0n) }, ''],
    [
      f('int n; if (b) { n = 7; } else { n = 8; } return n;'),
      {
        'set-local': (node) =>
          node.value.kind === 'int' && node.value.value !== 7n ? { kind: 'block', statements: [], span } : node,
      },
      unset('n', 1),
    ],
    [f('int n = 7; while (b) { n = 8; b = false; } return n;'), drop(7n), unset('n', 1)],
    [f('int n = 7; do { if (b) break; n = 8; } while (b); return n;'), drop(7n), unset('n', 1)],
    [f('int n = 7; for (int i = 0; i < 3; i++) { if (b) continue; n = i; } return n;'), drop(7n), unset('n', 1)],
    [f('int n = 7; try { n = 8; f(b); n = 9; } catch (e) { return n; } return n;'), drop(7n), unset('n', 1)],
    [f('int n = 7; return b && n++ > 0 ? n : 1;'), drop(7n), unset('n', 1)],
  ]);
});

describe('loops', () => {
  const twice = 'int f(int n) { while (n > 1) { n--; break; } while (n > 0) { n--; continue; } return n; } yield f(1);';
  const counted = 'int f(int n) { int t = 0; for (int i = 0; i < n; i++) t += i; return t; } yield f(1);';
  const count = (change: (loop: Loop) => Partial<Loop['counted'] & object>): Changes => ({
    loop: (node) => (node.counted === undefined ? node : { ...node, counted: { ...node.counted, ...change(node) } }),
  });
  finds([
    [twice, { loop: (node) => ({ ...node, id: 1 }) }, 'f: there are two loops 1: loop 1 while (n > 0)'],
    [twice, { break: (node) => ({ ...node, loop: 9 }) }, 'f: it is not in the body of loop 9: break 9'],
    [twice, { continue: (node) => ({ ...node, loop: 9 }) }, 'f: it is not in the body of loop 9: continue 9'],
    [twice, { loop: (node) => ({ ...node, body: [], step: node.body }) }, 'f: it is not in the body of loop'],
    [
      twice,
      { loop: (node) => ({ ...node, condition: one }) },
      'f: the condition is of the type int, not boolean: loop 1 while 1',
    ],
  ]);
  describe('that are counted', () => {
    finds(
      [
        [
          counted,
          { loop: (node) => ({ ...node, condition: null }) },
          'f: a counted loop does not begin with its condition',
        ],
        [
          counted,
          { loop: (node) => ({ ...node, condition: null }) },
          'f: a counted loop does not begin with its condition',
        ],
        [counted, count(() => ({ limit: half })), 'f: the limit is of the type double, not int'],
        [counted, count(() => ({ step: { ...one, value: -1n } as Expression })), 'f: it counts away from its limit'],
        [counted, count(() => ({ comparison: '>' })), 'f: it counts away from its limit'],
        [counted, count(() => ({ variable: 0 })), 'f: what is counted is not set once, in the step'],
        [
          counted,
          count(({ condition }) => ({ step: (condition as Expression & { kind: 'operate' }).operands[0]! })),
          'f: the loop sets its step',
        ],
        [
          counted,
          count(({ condition }) => ({ limit: (condition as Expression & { kind: 'operate' }).operands[0]! })),
          'f: the loop sets its limit',
        ],
        [
          counted,
          count(() => ({ step: { kind: 'wrap32', operand: one, type: intType, span } })),
          'f: the step is neither a constant nor a local',
        ],
        [counted, count(() => ({ limit: one, limitStep: 1n })), 'f: a limit that moves is no variable'],
      ],
      'optimised',
    );
  });
});
