// What every kind of node does by itself: for each a script, and the effects of the first such node in it.

import { describe, expect, it } from 'vitest';
import { check } from '../../src/2-check/check.ts';
import { loadModules } from '../../src/1-parse/load-modules.ts';
import { functionsOf } from '../../src/4-optimise/analysis/analyses.ts';
import { DiagnosticSink } from '../../src/diagnostics/diagnostic.ts';
import { operators } from '../../src/language/operators.ts';
import { formatType } from '../../src/language/types.ts';
import { LibraryRegistry } from '../../src/library/registry.ts';
import { nodesOf, visitAll } from '../../src/mir/children.ts';
import type { Node } from '../../src/mir/children.ts';
import { effectsOf, isPure } from '../../src/mir/effects.ts';
import type { Location } from '../../src/mir/effects.ts';
import { shownName } from '../../src/mir/locals.ts';
import type { MirFunction, MirProgram } from '../../src/mir/program.ts';
import { createSourceFile } from '../../src/source.ts';
import { EffectInference } from '../../tools/infer-effects.ts';
import { preludeSource } from '../../tools/prelude-source.ts';
import { instrument } from '../../src/profile/instrument.ts';
import { mirOf, optimised } from '../optimise/lowering.ts';

interface Case {
  /** What makes the case, where a kind has several. */
  readonly when?: string;
  readonly script: string;
  /** Behind all passes, with fuel counted. */
  readonly optimised?: true;
  /** With counters. */
  readonly instrumented?: true;
  /** Which of the nodes of the kind; the first, where nothing is said. */
  readonly which?: (node: Node) => boolean;
  /** In words: empty for a node that does nothing. */
  readonly does: string;
}

const struct = 'type P { int x; P next; }\n';
const ints = 'int f(int a, int b) { return';
/** An array in a loop within a loop, which takes it out of the inner one. */
const nested = `${struct}int f(int[] a, int n) {
  int sum = 0;
  for (int j = 0; j < n; j++) { for (int i = 0; i < n; i++) { sum += a[i]; a[i] = sum; } }
  return sum;
}
return f([1, 2, 3], 3);`;
/** Matrices that are worked on in the scratch memory. */
const matrices = `double[][] f(double[][] a, double[][] b, int n) {
  double[][] c = new double[n][n];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j];
  return c;
}
return f(new double[9][9], new double[9][9], 9)[0][0];`;
const rowByRow = `void f(double[][] a, int n) {
  for (int t = 0; t < n; t++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) a[i][j] = a[i][j] * 0.5 + a[n - 1][t];
}
double[][] made = [];
for (int i = 0; i < 9; i++) made.push(new double[9]);
f(made, 9);
return made[1][1];`;
const greatest = `double f(double[][] a, int n) {
  double most = 0.0;
  for (int r = 0; r < n; r++) for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) most = most.max(a[i][j] * r);
  return most;
}
return f(new double[9][9], 9);`;
const text =
  'int f(string s) { int n = 0; for (int i = 0; i < s.length(); i++) n += s.codeAt(i); return n; }\nreturn f("a");';

const growing = `string f(int n) {
  string s = "";
  while (n > 0) { s += \`\${n}\`; n--; }
  if (s.length() > 3) yield s;
  return \`(\${n})\` + s;
}
return f(7);`;

const cases: Readonly<Record<Node['kind'], readonly Case[]>> = {
  int: [{ script: 'return 1;', does: '' }],
  double: [{ script: 'return 1.5;', does: '' }],
  boolean: [{ script: 'return true;', does: '' }],
  string: [{ script: 'return "a";', does: '' }],
  null: [{ script: 'string s = null; return s;', does: '' }],
  'get-local': [
    { script: 'int a = 1; return a;', does: 'reads a' },
    // It may have grown in a loop, and is put together now.
    { when: 'of a text', script: 'string s = "a"; return s;', does: 'reads s, polls' },
  ],
  'get-global': [{ script: 'int g = 1; int f() { return g; } return f();', does: 'reads global g' }],
  'get-field': [
    {
      when: 'of what may be null',
      script: `${struct}int f(P p) { return p.x; } return f(null);`,
      does: 'reads field 0, throws',
    },
    {
      when: 'of what was tested',
      script: `${struct}int f(P p) { if (p == null) return 0; return p.x; } return f(null);`,
      optimised: true,
      does: 'reads field 0, guarded',
    },
  ],
  'get-element': [
    { script: 'int[] a = [1]; return a[0];', does: 'reads contents of int[], reads length of int[], throws' },
    {
      when: 'of foreach',
      script: 'int[] a = [1]; int n = 0; foreach (int x in a) n += x; return n;',
      does: 'reads contents of int[], reads length of int[], guarded',
    },
  ],
  'get-hoisted': [
    {
      when: 'that is tested',
      script: nested,
      optimised: true,
      which: (node) => node.kind === 'get-hoisted' && node.checked,
      does: 'reads $elements, reads $length, reads contents of int[], throws',
    },
    {
      when: 'that is not',
      script: nested,
      optimised: true,
      which: (node) => node.kind === 'get-hoisted' && !node.checked,
      does: 'reads $elements, reads contents of int[], guarded',
    },
    {
      when: 'of a text, whose window it may move',
      script: text,
      optimised: true,
      which: (node) => node.kind === 'get-hoisted' && node.checked,
      does:
        'reads $elements, reads $length, reads $start, reads $size, reads contents of string, ' +
        'writes $elements, writes $start, writes $size, throws, polls',
    },
  ],
  load: [{ script: matrices, optimised: true, does: 'reads scratch, guarded' }],
  store: [{ script: matrices, optimised: true, does: 'writes scratch, guarded' }],
  'copy-elements': [
    {
      when: 'into the scratch memory',
      script: matrices,
      optimised: true,
      which: (node) => node.kind === 'copy-elements' && node.into === 'scratch',
      does: 'reads contents reached from double[][], writes scratch, guarded, charges, polls',
    },
    {
      when: 'back',
      script: matrices,
      optimised: true,
      which: (node) => node.kind === 'copy-elements' && node.into === 'array',
      does: 'reads scratch, writes contents reached from double[][], guarded, charges, polls',
    },
  ],
  'reserve-scratch': [{ script: matrices, optimised: true, does: 'external' }],
  'row-length': [{ script: rowByRow, optimised: true, does: 'reads contents reached from double[][]' }],
  'distinct-rows': [
    {
      script: rowByRow,
      optimised: true,
      does: 'reads contents reached from double[][], reads scratch, guarded, external',
    },
  ],
  splat: [{ script: matrices, optimised: true, does: '' }],
  'extract-lane': [{ script: greatest, optimised: true, does: '' }],
  'lane-wise': [{ script: matrices, optimised: true, does: '' }],
  'in-range': [{ script: nested, optimised: true, does: '' }],
  'in-bounds': [{ script: nested, optimised: true, does: 'guarded' }],
  wrap32: [{ script: `${ints} (a * b) & 0xffffffff; } return f(2, 3);`, optimised: true, does: '' }],
  operate: [
    { when: 'of ints', script: `${ints} a + b; } return f(1, 2);`, does: '' },
    { when: 'that divides', script: `${ints} a / b; } return f(1, 2);`, does: 'throws' },
    { when: 'that divides by a constant', script: `${ints} a % 8; } return f(1, 2);`, does: '' },
    { when: 'that divides by the constant 0', script: `${ints} a % 0; } return f(1, 2);`, does: 'throws' },
    {
      when: 'of doubles',
      script: 'double f(double a, double b) { return a % b; } return f(1.0, 2.0);',
      does: '',
    },
    {
      when: 'of texts',
      script: 'boolean f(string s, string t) { return s < t; } return f("a", "b");',
      does: 'charges, polls',
    },
    {
      when: 'of json',
      script: 'boolean f(json s, json t) { return s == t; } return f(null, null);',
      does:
        'reads contents reached from json, reads length reached from json, ' +
        'reads contents reached from json, reads length reached from json, throws, charges, polls',
    },
  ],
  logical: [{ script: 'boolean f(boolean a, boolean b) { return a && b; } return f(true, false);', does: '' }],
  conditional: [{ script: `${ints} a < b ? a : b; } return f(1, 2);`, does: '' }],
  select: [{ script: `${ints} a < b ? a : 2 * b; } return f(1, 2);`, optimised: true, does: '' }],
  widen: [{ script: 'double f(int a) { return a; } return f(1);', does: '' }],
  'check-null': [
    { when: 'of what may be', script: 'string f(string s) { return s + "a"; } return f("b");', does: 'throws' },
    {
      when: 'of what was tested',
      script: 'string f(string s) { return s == null ? "" : s + "a"; } return f("b");',
      optimised: true,
      does: 'guarded',
    },
  ],
  'is-null': [{ script: 'boolean f(string s) { return s == null; } return f("a");', does: '' }],
  'same-object': [{ script: `${struct}boolean f(P p, P q) { return p == q; } return f(null, null);`, does: '' }],
  call: [{ script: 'int f() { return 1; } return f();', does: 'calls #f, charges, polls' }],
  'library-call': [
    { when: 'of a number', script: 'int f(int a) { return a.abs(); } return f(1);', does: '' },
    {
      when: 'of the host, without effect',
      script: 'double f(double a) { return Math.sin(a); } return f(1.0);',
      does: '',
    },
    { when: 'of the host', script: 'return Math.random();', does: 'polls, external' },
    {
      when: 'that may wait',
      script: 'return File.read("a");',
      does: 'throws, guarded, waits, allocates, charges, polls, external',
    },
    { when: 'that may fail', script: 'int f(double a) { return a.toInt(); } return f(1.0);', does: 'throws' },
    {
      when: 'of what may be null',
      script: 'int f(int[] a) { return a.length(); } return f([1]);',
      does: 'reads contents reached from int[], reads length reached from int[], throws, guarded',
    },
    {
      when: 'that resizes',
      script: 'int[] a = [1]; a.push(2); return a;',
      does:
        'reads contents reached from int[], reads length reached from int[], writes contents of int[], ' +
        'writes length of int[], throws, guarded, allocates, polls',
    },
    {
      when: 'that takes long',
      script: 'int[] a = [1]; a.fill(2); return a;',
      does:
        'reads contents reached from int[], reads length reached from int[], writes contents of int[], ' +
        'throws, guarded, charges, polls',
    },
  ],
  'array-literal': [{ script: 'return [1];', does: 'allocates, polls' }],
  'struct-literal': [{ script: `${struct}P p = { x: 1, next: null }; return p.x;`, does: 'allocates' }],
  'new-array': [{ script: 'return new int[3];', does: 'throws, allocates, charges, polls' }],
  'to-text': [
    {
      script: 'int a = 1; return `${a}!`;',
      does: 'reads contents reached from int, reads length reached from int, throws, charges, polls',
    },
    { when: 'of a text', script: 'string f(string s) { return `${s}!`; } return f("a");', does: '' },
  ],
  character: [
    { script: 'string f(string s) { return s + s.charAt(0); } return f("b");', optimised: true, does: 'allocates' },
  ],
  concat: [{ script: 'string f(string s) { return s + "a"; } return f("b");', does: 'throws, charges, polls' }],
  'to-json': [
    {
      script: 'int[] a = [1]; json j = { a: a }; return j;',
      does: 'reads contents reached from int[], reads length reached from int[], throws, allocates, charges, polls',
    },
  ],
  'json-object': [{ script: 'json j = { a: null }; return j;', does: 'allocates, charges, polls' }],
  'json-array': [{ script: 'json j = [null]; return j;', does: 'allocates' }],
  'get-member': [
    {
      script: 'json j = { a: null }; json k = j.a; return k;',
      does: 'reads contents of json, throws, charges, polls',
    },
  ],
  'get-item': [
    {
      script: 'json j = [null]; json k = j[0]; return k;',
      does: 'reads contents of json, reads length of json, throws',
    },
  ],
  'item-count': [
    {
      script: 'json j = [null]; int n = 0; foreach (json k in j) n++; return n;',
      does: 'reads contents of json, reads length of json, throws',
    },
  ],
  cast: [
    {
      script: 'json j = [1]; int[] a = j as int[]; return a;',
      does: 'reads contents reached from json, reads length reached from json, throws, allocates, charges, polls',
    },
  ],
  sequence: [{ script: 'int i = 0; int f(int a) { return a; } return f(i++);', does: '' }],
  'set-local': [{ script: 'int a = 1; return a;', does: 'writes a' }],
  'set-global': [{ script: 'int g = 1; void f() { g = 2; } f(); return g;', does: 'writes global g' }],
  'set-field': [
    {
      when: 'of what may be null',
      script: `${struct}void f(P p) { p.x = 1; } f(null);`,
      does: 'writes field 0, throws',
    },
    {
      when: 'of what was made',
      script: `${struct}P p = { x: 1, next: null }; p.x = 2; return p;`,
      optimised: true,
      does: 'writes field 0, guarded',
    },
  ],
  'set-element': [{ script: 'int[] a = [1]; a[0] = 2; return a;', does: 'writes contents of int[], throws' }],
  'set-member': [
    { script: 'json j = {}; j.a = null; return j;', does: 'writes contents of json, throws, charges, polls' },
  ],
  'set-item': [{ script: 'json j = [null]; j[0] = null; return j;', does: 'writes contents of json, throws' }],
  'hoist-array': [
    {
      script: nested,
      optimised: true,
      does: 'reads contents of int[], reads length of int[], writes $elements, writes $length',
    },
    {
      when: 'of a text',
      script: text,
      optimised: true,
      does:
        'reads contents of string, reads length of string, writes $elements, writes $length, writes $start, ' +
        'writes $size, polls',
    },
  ],
  'append-text': [
    {
      script: growing,
      optimised: true,
      does: 'reads s, reads $builder, writes s, writes $builder, throws, charges, polls',
    },
  ],
  'built-text': [{ script: growing, optimised: true, does: 'reads s, reads $builder, writes s, polls' }],
  'built-length': [{ script: growing, optimised: true, does: 'reads s, reads $builder' }],
  'build-text': [{ script: growing, optimised: true, does: 'throws, charges, polls' }],
  'set-hoisted': [
    {
      when: 'that is tested',
      script: 'int[] a = [1, 2]; for (int i = 0; i != 2; i++) a[i] = i; return a;',
      optimised: true,
      does: 'reads $elements, reads $length, writes contents of int[], throws',
    },
    {
      when: 'that was tested in front of it',
      script: nested,
      optimised: true,
      which: (node) => node.kind === 'set-hoisted' && node.isRedundant === true,
      does: 'reads $elements, reads $length, writes contents of int[], guarded',
    },
    {
      when: 'that is not',
      script: nested,
      optimised: true,
      which: (node) => node.kind === 'set-hoisted' && !node.checked,
      does: 'reads $elements, writes contents of int[], guarded',
    },
  ],
  'set-range': [
    {
      when: 'that copies',
      script:
        'int[] a = new int[99]; int[] b = a; b = new int[99]; for (int i = 0; i < 99; i++) b[i] = a[i]; return b;',
      optimised: true,
      does: 'reads $elements, reads contents of int[], writes contents of int[], guarded',
    },
    {
      when: 'that fills',
      script: 'int[] b = new int[99]; for (int i = 0; i < 99; i++) b[i] = 7; return b;',
      optimised: true,
      does: 'reads $elements, writes contents of int[], guarded',
    },
  ],
  evaluate: [{ script: 'int f() { return 1; } f();', does: '' }],
  if: [{ script: 'boolean b = true; if (b) b = false; return b;', does: '' }],
  block: [{ script: 'for (int i = 0; i < 3; i++) { yield i; }', does: '' }],
  loop: [
    { script: 'int i = 0; while (i < 3) i++; return i;', does: 'charges, polls' },
    {
      when: 'that counts',
      script: 'int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; } return f(3);',
      optimised: true,
      does: 'reads $stop, charges, polls',
    },
  ],
  'call-outlined': [
    {
      script: nested,
      optimised: true,
      does:
        'calls #f$loop1, reads a, reads n, reads sum, reads i, reads $elements, reads $length, ' +
        'writes sum, writes i, charges, polls',
    },
  ],
  'return-live-outs': [{ script: nested, optimised: true, does: 'reads sum, reads i, leaves function' }],
  charge: [{ script: 'int f(int a) { return a + 1; } return f(1);', optimised: true, does: 'charges' }],
  'out-of-fuel': [{ script: 'while (true) {}', optimised: true, does: 'external' }],
  poll: [{ script: 'while (true) {}', optimised: true, does: 'polls' }],
  count: [{ script: 'return 1;', instrumented: true, does: 'charges' }],
  attribute: [{ script: 'return 1;', instrumented: true, does: 'charges' }],
  'osr-exit': [
    {
      script: 'int f(int n) { int i = 0; while (n % 7 != 1) { i++; n = n * 3; } return i; } return f(3);',
      optimised: true,
      does: 'reads n, reads i, leaves function',
    },
  ],
  break: [{ script: 'int i = 0; while (i < 3) { if (i == 1) break; i++; } return i;', does: 'leaves 1' }],
  continue: [{ script: 'int i = 0; while (i < 3) { i++; if (i == 1) continue; } return i;', does: 'leaves 1' }],
  return: [{ script: 'int f() { return 1; } return f();', does: 'leaves function' }],
  finish: [
    {
      script: 'return [1];',
      does:
        'reads contents reached from int[], reads length reached from int[], throws, charges, polls, external, ' +
        'leaves function',
    },
  ],
  yield: [
    {
      script: 'yield [1];',
      does:
        'reads contents reached from int[], reads length reached from int[], throws, waits, charges, polls, ' +
        'external',
    },
  ],
  throw: [{ script: 'throw "a";', does: 'throws' }],
  try: [{ script: 'try { yield 1; } catch (Error e) { yield e; }', does: 'writes e' }],
};

/** A node of a kind, the first in the text where they do not nest, with its function. */
function find(
  program: MirProgram,
  kind: Node['kind'],
  which: (node: Node) => boolean = () => true,
): [MirFunction, Node] {
  for (const fn of functionsOf(program)) {
    const found: Node[] = [];
    visitAll(nodesOf(fn), (node) => void (node.kind === kind && which(node) && found.push(node)));
    if (found.length > 0) return [fn, found.at(-1)!];
  }
  throw new Error(`there is no ${kind}`);
}

function describeLocation(location: Location, fn: MirFunction): string {
  switch (location.kind) {
    case 'local':
      return shownName(fn.locals[location.local]!);
    case 'global':
      return `global ${location.global.slice(1)}`;
    case 'field':
      return `field ${location.field}`;
    case 'scratch':
      return 'scratch';
    case 'contents':
    case 'length': {
      const depth = { itself: 'of', contents: 'of what is in', reach: 'reached from' }[location.depth];
      return `${location.kind} ${depth} ${formatType(location.type)}`;
    }
  }
}

function describeEffects(fn: MirFunction, node: Node, registry: LibraryRegistry): string {
  const { reads, writes, calls, leaves, ...flags } = effectsOf(node, registry);
  const { throws, isGuarded, waits, allocates, charges, polls, isExternal, ...others } = flags;
  expect(others).toEqual({});
  const said = { throws, guarded: isGuarded, waits, allocates, charges, polls, external: isExternal };
  return [
    ...(calls === null ? [] : [`calls ${calls}`]),
    ...reads.map((location) => `reads ${describeLocation(location, fn)}`),
    ...writes.map((location) => `writes ${describeLocation(location, fn)}`),
    ...Object.entries(said).flatMap(([name, is]) => (is ? [name] : [])),
    ...(leaves === null ? [] : [`leaves ${leaves}`]),
  ].join(', ');
}

describe.each(Object.entries(cases))('%s', (kind, rows) => {
  it.each(rows.map((row) => [row.when ?? 'does this', row] as const))('%s', (_when, row) => {
    const lowered = row.optimised === true ? optimised(row.script, true) : mirOf(row.script);
    const program = row.instrumented === true ? instrument(lowered).program : lowered;
    const [fn, node] = find(program, kind as Node['kind'], row.which);
    expect(describeEffects(fn, node, program.registry)).toBe(row.does);
  });
});

describe('an operator', () => {
  const registry = new LibraryRegistry();
  const sink = new DiagnosticSink();
  const inference = new EffectInference(
    check(loadModules(createSourceFile('prelude', preludeSource()), sink, null), sink, { registry, prelude: true }),
    registry,
  );

  it.each(operators.map((row) => [row.id, row] as const))(
    '%s says what it does',
    (_id, { implementation, effects }) => {
      switch (implementation.kind) {
        case 'instruction':
          expect(effects).toEqual({ reads: false, throws: false, allocates: false, charges: false });
          return;
        case 'intrinsic':
          expect(effects.throws).toBe(implementation.throws);
          return;
        case 'prelude': {
          const { throws, allocates, reads, stores, resizes } = inference.summary(`prelude#${implementation.name}`);
          expect({ ...effects, charges: false }).toEqual({ throws, allocates, reads: reads.size > 0, charges: false });
          expect([...stores, ...resizes]).toEqual([]);
          return;
        }
        case 'host':
        case 'plugin':
        case 'constant':
          throw new Error('an operator cannot run there');
      }
    },
  );
});

describe('a function of the prelude alone', () => {
  const registry = new LibraryRegistry();
  it('has effects that no row says', () => {
    const { functions } = registry.namespace('Native', true)!;
    for (const { id, preludeOnly, returns, parameters } of functions) {
      expect(preludeOnly).toBe(true);
      const span = { file: createSourceFile('test.slu', ''), start: 0, end: 0 };
      const call: Node = {
        kind: 'library-call',
        function: id,
        arguments: parameters.map(({ type }) => ({ kind: 'get-global', global: '#x', type, span })),
        typeArgument: null,
        type: returns,
        span,
      };
      expect(isPure(effectsOf(call, registry))).toBe(false);
    }
  });
});
