// The rules of Mir for what only passes make, each with a program that breaks it.

import { describe } from 'vitest';
import type { Expression, Loop } from '../../src/mir/mir.ts';
import { doubleType, intType } from '../../src/language/types.ts';
import { finds, half, one, rows, span, text, yes } from './breaking.ts';
import type { Changes } from './breaking.ts';

describe('what passes add', () => {
  const sum =
    'int f(int[] a, int n) { int t = 0; for (int i = 0; i < n; i++) { t += a[i]; a[i] = t; } return t; } ' +
    'yield f([1], 1);';
  const codes =
    'int f(string s, int n) { int t = 0; for (int i = 0; i < n; i++) t += s.codeAt(i); return t; } yield f("a", 1);';
  const open = { kind: 'if', arms: [{ condition: yes, then: [] }], otherwise: [], span } as const;
  finds(
    [
      [sum, { 'hoist-array': (node) => ({ ...node, array: text }) }, 'f: a text has a window, and an array none'],
      [
        sum,
        { 'hoist-array': (node) => ({ ...node, elements: 1 }) },
        'f: the local of the elements is of the type int, not elements',
      ],
      [
        sum,
        { 'hoist-array': (node) => ({ ...node, length: node.elements }) },
        'f: the local of the length is of the type elements, not int',
      ],
      [
        sum,
        { 'hoist-array': () => ({ kind: 'block', statements: [], span }) },
        '$elements, is read and not set on every way here',
      ],
      [sum, { 'set-hoisted': (node) => ({ ...node, index: half }) }, 'f: the index is of the type double, not int'],
      [sum, { 'set-hoisted': (node) => ({ ...node, value: half }) }, 'f: the value is of the type double, not int'],
      [sum, { 'get-hoisted': (node) => ({ ...node, type: doubleType }) }, 'f: the node is of the type double, not int'],
      [
        sum,
        { if: (node) => ({ ...node, arms: node.arms.map(({ then }) => ({ condition: yes, then })) }) },
        'f: nothing has compared an index with the length, and none is checked',
      ],
      [
        codes,
        { 'hoist-array': (node) => ({ ...node, window: { ...node.window!, size: node.window!.start } }) },
        'f: two of the locals are the same',
      ],
      [codes, { 'hoist-array': (node) => ({ ...node, window: null }) }, 'f: a text has a window, and an array none'],
      [sum, { 'in-range': (node) => ({ ...node, length: half }) }, 'f: the length is of the type double, not int'],
      [sum, { 'in-range': (node) => ({ ...node, type: intType }) }, 'f: the node is of the type int, not boolean'],
      [rows, { 'in-bounds': (node) => ({ ...node, elements: one }) }, 'there are no raw elements'],
      [
        'int f(int n) { return (n * 3) & 0xffffffff; } yield f(1);',
        { wrap32: (node) => ({ ...node, operand: half }) },
        'the operand is of the type double, not int: wrap32(0.5)',
      ],
      [
        'int f(int n) { return (n * 3) & 0xffffffff; } yield f(1);',
        { wrap32: (node) => ({ ...node, type: doubleType }) },
        'the node is of the type double, not int: wrap32',
      ],
      [
        sum,
        { return: () => ({ kind: 'return-live-outs', locals: [], hasMore: false, span }) },
        'f: it does not say whether the loop is over: return live-outs',
      ],
      [
        sum,
        {
          if: () => ({
            ...open,
            arms: [{ condition: yes, then: [{ kind: 'return-live-outs', locals: [], hasMore: false, span }] }],
          }),
        },
        'f: it is not the end of an outlined loop: return live-outs',
      ],
    ],
    'optimised',
  );
  finds(
    [
      [
        'int g(int n) { return n + 1; } int f(int n) { return g(n) * 2; } yield f(1);',
        { charge: (node) => ({ ...node, units: { ...node.units, value: 0n } as Expression }) },
        'these are no units: charge 0',
      ],
    ],
    'with fuel',
  );
});

describe('outlined loops', () => {
  const handed = (
    change: (outlined: NonNullable<Loop['outlined']>) => Partial<NonNullable<Loop['outlined']>>,
  ): Changes => ({
    'call-outlined': (node) => ({ ...node, outlined: { ...node.outlined, ...change(node.outlined) } }),
  });
  finds(
    [
      [rows, handed(() => ({ function: '#g' })), 'f: there is no function #g'],
      [rows, handed(() => ({ function: '#f' })), 'f: #f is no outlined loop'],
      [rows, handed(({ inputs }) => ({ inputs: inputs.slice(1) })), 'inputs, not'],
      [rows, handed(({ inputs }) => ({ inputs: inputs.toReversed() })), 'is not of the type that #f$loop1 takes'],
      [rows, handed(() => ({ outputs: [] })), '#f$loop1 gives back other locals than the outputs'],
      [
        rows,
        handed(({ outputs }) => ({ outputs: outputs.toReversed() })),
        '#f$loop1 gives back other locals than the outputs',
      ],
      [rows, handed(() => ({ outputs: [1] })), '#f$loop1 gives back other locals than the outputs'],
      [
        rows,
        handed(({ inputs, outputs }) => ({ inputs: [99, ...inputs.slice(1)], outputs })),
        'f: there is no local 99',
      ],
      [rows, { 'return-live-outs': (node) => ({ ...node, locals: node.locals.slice(1) }) }, 'f: it sets parameter'],
      [
        rows,
        { 'return-live-outs': (node) => ({ ...node, locals: [99] }) },
        'f: there is no local 99: return live-outs',
      ],
      [rows, { call: (node) => ({ ...node, function: '#f$loop1' }) }, 'an outlined loop is called as a function'],
    ],
    'optimised',
  );
});

describe('entries in the midst of a function', () => {
  const script = `int f(int n) {
    int t = 0;
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) yield j;
    while (n > t) t += n;
    return t;
  }
  for (int i = 0; i < 2; i++) yield f(i);`;
  const entries = (
    change: (osr: NonNullable<Loop['osr']>, loop: Loop) => Partial<NonNullable<Loop['osr']>>,
  ): Changes => ({
    loop: (node) => (node.osr === undefined ? node : { ...node, osr: { ...node.osr, ...change(node.osr, node) } }),
  });
  finds(
    [
      [script, entries(({ entry }) => ({ entry: entry + 1 })), 'f: entry 2 is the 1. of the function'],
      [
        script,
        { loop: (node) => (node.lastEntry === undefined ? node : { ...node, lastEntry: node.lastEntry + 1 }) },
        'f: the last entry inside is',
      ],
      [
        script,
        { loop: ({ osr, ...node }) => (osr?.entry === 2 ? { ...node, osr } : node) },
        'f: entry 2 is the 1. of the function',
      ],
      [script, entries(() => ({ live: [99] })), 'f: there is no local 99'],
      [script, entries(({ live }) => ({ live: [...live, ...live] })), 'f: a local is kept twice'],
      [script, entries(() => ({ live: [] })), 'is read and not set on every way here'],
      [script, { loop: (node) => ({ ...node, isShort: true }) }, 'f: a loop that runs through has an entry'],
      [
        script,
        { loop: (node) => (node.osr === undefined ? node : { ...node, body: [], step: [node] }) },
        'f: there are two loops',
      ],
      [
        script,
        {
          block: (node) => ({
            kind: 'try',
            body: [],
            clauses: [{ errorType: null, local: 0, body: [node], span }],
            span,
          }),
        },
        'f: a loop has an entry where nothing finds it',
      ],
    ],
    'optimised',
  );
});
