// Every rule of Mir finds the program that breaks it, and says which function and which node does. Each program is that
// of a small script, well formed, with one thing in it changed by hand. Here: names and types, and heads of functions.

import { describe, expect, it } from 'vitest';
import type { Expression } from '../../src/mir/mir.ts';
import type { MirFunction, MirProgram } from '../../src/mir/program.ts';
import { settingsOf } from '../../src/4-optimise/pass.ts';
import { runPasses } from '../../src/4-optimise/passes.ts';
import { mirOf } from '../optimise/lowering.ts';
import { requireVerified, verify } from '../../src/mir/verify.ts';
import { doubleType, intType, jsonType, stringType, structType, typeVariable } from '../../src/language/types.ts';
import { finds, half, one, struct, text, wellFormed, withFunctions } from './breaking.ts';

it('what is badly formed is thrown, with where it was seen', () => {
  const program = withFunctions(wellFormed('int f() { return 1; } yield f();', 'lowered'), (fn) =>
    fn.id === '#f' ? { ...fn, body: [] } : fn,
  );
  expect(() => requireVerified(program, 'behind lowering')).toThrow(
    'badly formed Mir behind lowering:\nf: it ends without a value',
  );
});

describe('constants', () => {
  finds([
    ['yield 1;', { int: () => ({ ...one, value: 1n << 63n }) as Expression }, 'the int has more than 64 bits'],
    [
      'yield 1;',
      { int: (node) => ({ ...node, type: doubleType }) },
      '<top level>: the node is of the type double, not int: 1',
    ],
    ['yield 0.5;', { double: (node) => ({ ...node, type: intType }) }, 'the node is of the type int, not double: 0.5'],
    [
      'yield true;',
      { boolean: (node) => ({ ...node, type: intType }) },
      'the node is of the type int, not boolean: true',
    ],
    [
      'yield "a";',
      { string: (node) => ({ ...node, type: jsonType }) },
      'the node is of the type json, not string: "a"',
    ],
    ['string s = null; yield s;', { null: (node) => ({ ...node, type: intType }) }, 'no int is null: null'],
  ]);
});

describe('names', () => {
  const f = (body: string): string => `int f(int n) { ${body} } yield f(1);`;
  finds([
    [f('return n;'), { 'get-local': (node) => ({ ...node, local: 9 }) }, 'f: there is no local 9: undefined'],
    [
      f('int m = n; return m;'),
      { 'set-local': (node) => ({ ...node, local: 9 }) },
      'f: there is no local 9: undefined = n',
    ],
    [
      'int g = 1; int f() { return g; } yield f();',
      { 'get-global': (node) => ({ ...node, global: '#h' }) },
      'f: there is no global #h: #h',
    ],
    [
      'int g = 1; void f() { g = 2; } f(); yield g;',
      { 'set-global': (node) => ({ ...node, global: '#h' }) },
      'f: there is no global #h: #h = 2',
    ],
    [
      `${struct}int f(P p) { return p.x; } yield f({ x: 1, y: 2.0 });`,
      { 'get-field': (node) => ({ ...node, field: 2 }) },
      'f: there is no field 2 of #P: p.2',
    ],
    [
      `${struct}void f(P p) { p.x = 1; } f({ x: 1, y: 2.0 });`,
      { 'set-field': (node) => ({ ...node, field: 2 }) },
      'f: there is no field 2 of #P: p.2 = 1',
    ],
    [
      `${struct}int f(P p) { return p.x; } yield f({ x: 1, y: 2.0 });`,
      { 'get-field': (node) => ({ ...node, struct: '#Q' }) },
      'f: there is no field 0 of #Q: p.0',
    ],
    [
      `${struct}yield { x: 1, y: 2.0 } as json == null;`.replace('yield', 'P p = { x: 1, y: 2.0 }; yield p.x; //'),
      { 'struct-literal': (node) => ({ ...node, struct: '#Q' }) },
      'there is no struct #Q',
    ],
    [f('return n;'), { call: (node) => ({ ...node, function: '#g' }) }, 'there is no function #g: #g(1)'],
    [
      'yield Math.sqrt(2.0);',
      { 'library-call': (node) => ({ ...node, function: 'Math.root' }) },
      'there is no library function Math.root',
    ],
    [
      f('return n + 1;'),
      { operate: (node) => ({ ...node, operator: '?(int,int)' }) },
      'f: there is no operator ?(int,int): (n ?(int,int) 1)',
    ],
    [
      'try { throw "a"; } catch (e) { yield e; }',
      { try: (node) => ({ ...node, clauses: node.clauses.map((clause) => ({ ...clause, errorType: 99 })) }) },
      'there is no error 99: try',
    ],
  ]);
});

describe('types of what is read', () => {
  const numbers = 'int f(int n, double d, boolean b, string s, int[] a) {';
  const f = (body: string): string => `${numbers} ${body} } yield f(1, 0.5, true, "a", [1]);`;
  finds([
    [
      f('return n;'),
      { 'get-local': (node) => ({ ...node, type: doubleType }) },
      'f: the node is of the type double, not int: n',
    ],
    [f('return n;'), { 'get-local': (node) => ({ ...node, nonNull: true }) }, 'f: int is never null: n!'],
    [
      'int g = 1; int f() { return g; } yield f();',
      { 'get-global': (node) => ({ ...node, type: stringType }) },
      'f: the node is of the type string, not int: #g',
    ],
    [
      `${struct}int f(P p) { return p.x; } yield f({ x: 1, y: 2.0 });`,
      { 'get-field': (node) => ({ ...node, field: 1 }) },
      'f: the node is of the type int, not double: p.1',
    ],
    [
      `${struct}int f(P p) { return p.x; } yield f({ x: 1, y: 2.0 });`,
      { 'get-field': (node) => ({ ...node, object: text }) },
      'f: the object is of the type string, not #P: "a".0',
    ],
    [
      f('return a[n];'),
      { 'get-element': (node) => ({ ...node, index: half }) },
      'f: the index is of the type double, not int: a[0.5]',
    ],
    [
      f('return a[n];'),
      { 'get-element': (node) => ({ ...node, array: text }) },
      'f: what is indexed is no array: "a"[n]',
    ],
    [
      f('return a[n];'),
      { 'get-element': (node) => ({ ...node, type: stringType }) },
      'f: the node is of the type string, not int: a[n]',
    ],
    [
      f('return a[n];'),
      { 'get-element': (node) => ({ ...node, checked: false }) },
      'f: nothing has compared an index with the length, and none is checked: a[n] unchecked',
    ],
    [
      f('return n + 1;'),
      { operate: (node) => ({ ...node, operands: [node.operands[0]!, half] }) },
      'f: operand 2 is of the type double, not int: (n + 0.5)',
    ],
    [f('return n + 1;'), { operate: (node) => ({ ...node, operands: [one] }) }, 'f: +(int,int) has 1 operands'],
    [
      f('return n + 1;'),
      { operate: (node) => ({ ...node, type: doubleType }) },
      'f: the node is of the type double, not int: (n + 1)',
    ],
    [
      f('return b ? n : 1;'),
      { conditional: (node) => ({ ...node, condition: one }) },
      'f: the condition is of the type int, not boolean: (1 ? n : 1)',
    ],
    [
      f('return b ? n : 1;'),
      { conditional: (node) => ({ ...node, then: half }) },
      'f: the first branch is of the type double, not int: (b ? 0.5 : 1)',
    ],
    [
      f('return b ? n : 1;'),
      { conditional: (node) => ({ ...node, otherwise: half }) },
      'f: the second branch is of the type double, not int: (b ? n : 0.5)',
    ],
    [
      f('return (n + d).toInt();'),
      { widen: (node) => ({ ...node, operand: half }) },
      'f: the operand is of the type double, not int: widen(0.5)',
    ],
    [
      f('return (n + d).toInt();'),
      { widen: (node) => ({ ...node, type: intType }) },
      'f: the node is of the type int, not double: widen(n)',
    ],
    [
      f('return s < "b" ? n : 0;'),
      { 'check-null': (node) => ({ ...node, operand: one }) },
      'f: int is never null: nonnull(1)',
    ],
    [
      f('return s < "b" ? n : 0;'),
      { 'check-null': (node) => ({ ...node, type: jsonType }) },
      'f: the node is of the type json, not string: nonnull(s)',
    ],
    [
      f('return s == null ? n : 0;'),
      { 'is-null': (node) => ({ ...node, operand: one }) },
      'f: int is never null: isnull(1)',
    ],
    [
      f('int[] other = [1]; return a == other ? n : 0;'),
      { 'same-object': (node) => ({ ...node, left: one, right: one }) },
      'f: there are no objects: same(1, 1)',
    ],
    [
      f('int[] one = [1]; return a == one ? n : 0;'),
      { 'same-object': (node) => ({ ...node, right: text }) },
      'f: the second object is of the type string, not int[]: same(a, "a")',
    ],
    [f('return n++;'), { sequence: (node) => ({ ...node, statements: [] }) }, 'f: there are no statements: (; $value)'],
    [
      f('return n++;'),
      { sequence: (node) => ({ ...node, value: half }) },
      'f: the value is of the type double, not int',
    ],
  ]);
});

describe('heads of functions and tables', () => {
  const program = wellFormed(
    'type P { int x; } export int f(int ...xs[]) { return xs.length(); } int g = f(1); yield g;',
    'lowered',
  );
  const fn = program.functions.get('#f')!;
  const faults = (change: (of: MirFunction) => Partial<MirFunction>): readonly string[] =>
    verify(withFunctions(program, (of) => (of.id === '#f' ? { ...of, ...change(of) } : of)));
  const of = (change: Partial<MirProgram>): readonly string[] => verify({ ...program, ...change });

  it.each([
    [
      'a local of no type',
      faults(({ locals }) => ({ locals: [...locals, { name: 'v', type: { kind: 'void' }, origin: 'source' }] })),
      'f: local 1 is of the type void',
    ],
    ['a T', faults(() => ({ returns: typeVariable })), 'f: there is a T in a function that is not generic'],
    [
      'a struct',
      faults(({ locals }) => ({ locals: [...locals, { name: 'v', type: structType('', 'Q'), origin: 'source' }] })),
      'f: there is no struct #Q',
    ],
    [
      'the order of parameters',
      faults(() => ({ parameters: [{ local: 1, initialiser: null }] })),
      'f: parameter 0 is local 1',
    ],
    [
      'a default',
      faults(() => ({ parameters: [{ local: 0, initialiser: one }] })),
      'f: a default is of the type int, not int[]: 1',
    ],
    [
      'names of functions',
      of({
        functions: new Map([
          ['#h', fn],
          ['#f', fn],
        ]),
      }),
      '#f is filed under #h',
    ],
    [
      'values of globals',
      of({ globals: new Map([['#g', { id: '#g', name: 'g', type: intType, value: half as never }]]) }),
      'global #g: its value is of another type',
    ],
    ['exports', of({ exports: [{ function: '#h', variadic: false }] }), 'there is no function #h, which is exported'],
    [
      'the rest of the arguments',
      of({ exports: [{ function: '#f', variadic: true }], functions: new Map([['#f', { ...fn, parameters: [] }]]) }),
      '#f: its last parameter is no',
    ],
  ])('%s', (_name, found, fault) => expect(found.join('\n')).toContain(fault));
});

it('knows in a loop of an outlined loop what is set in front of it', () => {
  const script =
    'int f(int n) {\n  int h = 0;\n' +
    '  for (int k = 0; k < n; k++) { int j = 0; while (j * j < n) { j++; h += j; } }\n'.repeat(26) +
    '  return h;\n}\nf(2);';
  const guards = { use: true, depth: true, memory: true };
  const optimised = runPasses(mirOf(script), settingsOf({ guards }), { optimise: true });
  expect([...optimised.functions.values()].filter(({ outlinedFrom }) => outlinedFrom !== undefined)).toHaveLength(52);
  expect(verify(optimised, { countsFuel: true })).toEqual([]);
});

it('knows in an outlined loop what is known where it is called', () => {
  const few = 'for (int t = 0; t < m; t++) { for (int j = 0; j < n; j++) z[0][j] -= 0; }\n';
  const script =
    'double f(int n, int m, double[][] z, double[] c) {\n' +
    '  for (int j = 0; j < n; j++) for (int i = 0; i < n; i++) c[j] += z[i][0];\n' +
    few.repeat(12) +
    '  return c[0];\n}\nf(2, 2, new double[2][2], new double[2]);';
  const faults: string[] = [];
  let outlined = 0;
  runPasses(mirOf(script), settingsOf({}), {
    optimise: true,
    observe: (pass, program) => {
      faults.push(...verify(program).map((fault) => `${pass}: ${fault}`));
      outlined = [...program.functions.values()].filter(({ outlinedFrom }) => outlinedFrom !== undefined).length;
    },
  });
  expect(faults).toEqual([]);
  expect(outlined).toBeGreaterThan(0);
});
