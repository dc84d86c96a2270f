// Loop nests: which orders keep dependences, what flows through locals, the conditions in front, and what is no nest.

import { describe, expect, it } from 'vitest';
import { Analyses } from '../../src/4-optimise/analysis/analyses.ts';
import { hasSmallExtremes, listConditions, listFirstConditions } from '../../src/4-optimise/nests/conditions.ts';
import { usualThresholds } from '../../src/4-optimise/nests/thresholds.ts';
import { instancesIn, keepsDependences } from '../../src/4-optimise/nests/dependences.ts';
import type { Distinct } from '../../src/4-optimise/nests/dependences.ts';
import { readNest } from '../../src/4-optimise/nests/reader.ts';
import { count } from '../../src/4-optimise/nests/reading.ts';
import { flowOf, setIn } from '../../src/4-optimise/nests/scalars.ts';
import { visitParts } from '../../src/4-optimise/nests/tree.ts';
import type { Nest, NestLoop } from '../../src/4-optimise/nests/tree.ts';
import type { LocalId, Loop, Statement } from '../../src/mir/mir.ts';
import type { Local, MirFunction } from '../../src/mir/program.ts';
import { localsRead } from '../../src/mir/locals.ts';
import { printNode } from '../../src/mir/print.ts';
import { mirOf } from './lowering.ts';

interface Read {
  readonly fn: MirFunction;
  readonly nest: Nest;
}

const arrays =
  'double[][] a = new double[9][9]; double[][] b = new double[9][9]; double[][][] c = new double[9][9][9];\n' +
  'double[] x = new double[9]; double[] y = new double[9]; double[] z = new double[9];\n' +
  'int[] w = new int[9]; f(9, 9, a, b, x, y, z, 0.5, c, w); f(9, 9, b, a, y, x, z, 0.5, c, w);';

/** The last loop of a function with these statements as a nest; null where it is none. */
function read(body: string): Read | null {
  const program = mirOf(
    `double f(int n, int m, double[][] a, double[][] b, double[] x, double[] y, double[] z, double s, double[][][] c,
      int[] w) {
${body}
return s; }
${arrays}`,
  );
  const analyses = new Analyses(program);
  const found = program.functions.get('#f')!;
  const locals: Local[] = [...found.locals];
  const loops: { readonly loop: Loop; readonly before: readonly Statement[] }[] = [];
  const walk = (statements: readonly Statement[]): void =>
    statements.forEach((node, at) => {
      if (node.kind === 'loop') loops.push({ loop: node, before: statements.slice(0, at) });
      if (node.kind === 'block') walk(node.statements);
    });
  walk(found.body);
  const { loop, before } = loops.at(-1)!;
  const nest = readNest(loop, before, {
    fn: found,
    modRef: analyses.get('mod-ref'),
    matrices: () => analyses.get('fixed-matrices'),
    registry: program.registry,
    reads: count(found.body, localsRead),
    newLocal: (name, type) => locals.push({ name, type, origin: 'temporary' }) - 1,
    typeOf: (local) => locals[local]!.type,
    countsFuel: false,
    isSteady: () => true,
    takesAll: false,
  });
  return nest === null ? null : { fn: { ...found, locals }, nest };
}

function nestOf(body: string): Read {
  const found = read(body);
  if (found === null) throw new Error('it is no nest');
  return found;
}

const innerOf = ({ root }: Nest): NestLoop => root.parts.find((part) => part.kind === 'loop')!;

interface Order {
  /** How many parts are distributed; all of them where nothing is said. */
  readonly tail?: number;
  readonly isTriangular?: boolean;
  /** Whether the inner loop is jammed. */
  readonly inner?: boolean;
  readonly carried?: readonly string[];
}

/** Whether the order is kept, and which arrays must be different for that. */
function keeps(body: string, { tail, isTriangular = false, inner = false, carried = [] }: Order = {}): string {
  const { fn, nest } = nestOf(body);
  const loop = inner ? innerOf(nest) : nest.root;
  const own = new Set<LocalId>([...setIn(loop.parts), loop.variable]);
  visitParts(loop.parts, (part) => void (part.kind === 'loop' && own.add(part.variable)));
  const around = inner ? [nest.root] : [];
  const order = { loop, around, copies: 4, own, tail: tail ?? loop.parts.length, isTriangular };
  const locals = new Set(carried.map((name) => fn.locals.findIndex((local) => local.name === name)));
  const distinct: Distinct = new Map();
  const kept = keepsDependences(order, instancesIn(loop.parts, nest.accesses, locals), distinct);
  const pairs = [...distinct.values()].map((pair) =>
    pair
      .map(({ base }) => printNode(fn, base))
      .toSorted()
      .join(' and '),
  );
  return [kept ? 'kept' : 'turned round', ...pairs].join(', ');
}

const over = (statements: string): string =>
  `for (int i = 1; i < n; i++) for (int j = 1; j < m; j++) { ${statements} }`;

describe('dependences', () => {
  it.each<[string, string, string]>([
    ['a sum for each row', over('x[i] += a[i][j];'), 'kept'],
    ['a sum for each column', over('x[j] += a[i][j];'), 'kept'],
    ['one sum', over('x[0] += a[i][j];'), 'turned round'],
    ['the row before, the column before', over('a[i][j] = a[i - 1][j - 1];'), 'kept'],
    ['the row before, the same column', over('a[i][j] = a[i - 1][j];'), 'kept'],
    ['the row before, the next column', over('a[i][j] = a[i - 1][j + 1];'), 'turned round'],
    ['the next row, the column before', over('a[i][j] = a[i + 1][j - 1];'), 'turned round'],
    ['the next row, the next column', over('a[i][j] = a[i + 1][j + 1];'), 'kept'],
    ['a row further away than the copies', over('a[i][j] = a[i - 4][j + 1];'), 'kept'],
    ['the furthest row among the copies', over('a[i][j] = a[i - 3][j + 1];'), 'turned round'],
    ['a transposed matrix', over('a[i][j] = a[j][i];'), 'turned round'],
    ['even columns', over('a[0][2 * j] = a[0][2 * j + 2];'), 'turned round'],
    ['even and odd columns', over('a[0][2 * j] = a[0][2 * j + 1];'), 'kept'],
    ['even columns that are read', over('x[i] += a[0][2 * j] + a[1][2 * j + 1];'), 'kept'],
    ['other arrays of the class', over('a[i][j] = b[i - 1][j + 1];'), 'kept, a and b'],
    ['a vector that is a row perhaps', over('y[i] += y[j];'), 'turned round'],
    [
      'what downward loops set',
      'for (int i = 1; i < n; i++) for (int j = m; j > 0; j--) a[i][j] = a[i - 1][j - 1];',
      'turned round',
    ],
    [
      'what downward loops set behind',
      'for (int i = 1; i < n; i++) for (int j = m; j > 0; j--) a[i][j] = a[i - 1][j + 1];',
      'kept',
    ],
    ['a column below the diagonal', 'for (int i = 1; i < n; i++) for (int j = 0; j < i; j++) x[i] += x[j];', 'kept'],
    ['a matrix in one array', over('x[i * m + j] = x[(i - 1) * m + j];'), 'kept'],
    ['a matrix in one array, the next column', over('x[i * m + j] = x[i * m + j - m + 1];'), 'turned round'],
    ['a matrix in one array, transposed', over('x[i * n + j] = x[j * n + i];'), 'turned round'],
    ['a row of a matrix in one array', over('x[i * m + j] += x[j];'), 'kept'],
    ['rows of two lengths in one array', over('x[i * m + j] += x[i * n + j];'), 'turned round'],
    ['matrices in arrays', over('x[i * m + j] += y[(i - 1) * n + j + 1];'), 'kept, x and y'],
    ['a matrix in an array and its first elements', over('x[i * n * m + j] += x[j];'), 'kept'],
  ])('of %s', (_, body, expected) => expect(keeps(body)).toBe(expected));

  it('of places of which but a range is known', () => {
    const at = (statement: string, place = '(i * 3) % n'): string =>
      `for (int i = 1; i < n; i++) { int p = ${place}; for (int j = 1; j < m; j++) ${statement} }`;
    // The next iteration may be at the same place, behind what this one does there.
    expect(keeps(at('a[p][j] += b[i][j];'))).toBe('kept, a and b');
    expect(keeps(at('a[p][j] = a[p][m - 1 - j];'))).toBe('turned round');
    expect(keeps(at('a[p][j] = a[i][m - 1 - j];'))).toBe('turned round');
    expect(keeps(at('a[p][j] = a[i][j];'))).toBe('kept');
    // In all iterations it is the same.
    const same = 'for (int k = 1; k < n; k++) { int p = k; for (int i = k; i < n; i++) if (a[i][k] > 0.0) p = i;';
    expect(keeps(`${same} ${over('a[i][j] -= a[p][j];')} }`)).toBe('turned round');
  });

  it('within the bounds of the loops alone', () => {
    const far = (limit: number): string =>
      `for (int i = 0; i < n; i++) for (int j = 0; j < ${limit}; j++) a[i][j] = a[i - 1][j + 5];`;
    expect(keeps(far(5))).toBe('kept');
    expect(keeps(far(6))).toBe('turned round');
  });

  it('of the common part of a triangle', () => {
    const body = 'for (int i = 1; i < n; i++) for (int j = 0; j < i; j++) x[i] += a[i][j] * x[j];';
    expect(keeps(body, { tail: 0, isTriangular: true })).toBe('kept');
    const besides = 'for (int i = 1; i < n; i++) for (int j = 0; j < i; j++) x[i] += a[i][j] * x[j + 1];';
    expect(keeps(besides, { tail: 0, isTriangular: true })).toBe('turned round');
  });

  it('of parts that are distributed, and of a tail', () => {
    const body = 'for (int i = 1; i < n; i++) { for (int j = 0; j < m; j++) x[i] += a[i][j]; y[i] = y[i - 1] + x[i]; }';
    expect(keeps(body, { tail: 1 })).toBe('kept, x and y');
    const back = 'for (int i = 1; i < n; i++) { for (int j = 0; j < m; j++) x[i] += x[i - 1]; x[i] = 3.0; }';
    expect(keeps(back, { tail: 1 })).toBe('turned round');
  });

  it('of parts in an inner loop', () => {
    const nest = (first: string, second: string): string =>
      `for (int i = 1; i < n; i++) for (int j = 1; j < m; j++) {
        for (int k = 0; k < m; k++) { ${first} } for (int k = 0; k < m; k++) { ${second} } }`;
    expect(keeps(nest('a[i][k] = 1.0;', 'b[i][j] += a[i][k];'))).toBe('kept, a and b');
    expect(keeps(nest('b[i][j] += a[i - 1][k];', 'a[i][k] += 1.0;'))).toBe('turned round');
    expect(keeps(nest('b[i][j] += a[i][k];', 'a[i][k] += 1.0;'))).toBe('kept, a and b');
  });

  it('of locals that carry a value', () => {
    const body = over('s += a[i][j];');
    expect(keeps(body)).toBe('kept');
    expect(keeps(body, { carried: ['s'] })).toBe('turned round');
    const behind = 'for (int i = 1; i < n; i++) { for (int j = 0; j < m; j++) x[i] += a[i][j]; s += x[i]; }';
    expect(keeps(behind, { tail: 1, carried: ['s'] })).toBe('kept');
  });

  it('with the loops around as they are', () => {
    const body = `for (int i = 1; i < n; i++) for (int j = 1; j < m; j++) for (int k = 0; k < m; k++)
      c[i][j][k] += c[i - 1][j - 1][k + 1] * 0.5;`;
    expect(keeps(body, { inner: true })).toBe('kept');
    expect(keeps(body)).toBe('kept');
    expect(keeps(body.replace('j - 1', 'j'), {})).toBe('turned round');
  });
});

describe('what flows through locals', () => {
  function flow(statements: string): string {
    const { fn, nest } = nestOf(`double t = 0.0; double u = 0.0;
for (int i = 0; i < n; i++) { ${statements} }
s = t + u;`);
    const { exposed, set } = flowOf(nest.root.parts);
    const show = (locals: ReadonlySet<LocalId>): string =>
      [...locals]
        .map((local) => fn.locals[local]!.name)
        .filter((name) => 'stu'.includes(name))
        .toSorted()
        .join(' ');
    return `${show(exposed)} | ${show(set)}`;
  }

  it.each<[string, string, string]>([
    ['what is set first', 't = x[i]; for (int j = 0; j < m; j++) t += a[i][j]; y[i] = t;', ' | t'],
    ['a sum that goes on', 'for (int j = 0; j < m; j++) t += a[i][j];', 't | '],
    [
      'what is set in a loop, which may make no iteration',
      'for (int j = 0; j < m; j++) { t = a[i][j]; } y[i] = t;',
      't | ',
    ],
    [
      'what both branches set',
      'for (int j = 0; j < m; j++) y[j] += 1.0; if (x[i] > 0.0) t = 1.0; else { t = 2.0; y[i] = t; } u = t;',
      ' | t u',
    ],
    [
      'what one branch sets',
      'for (int j = 0; j < m; j++) y[j] += 1.0; if (x[i] > 0.0) { t = 1.0; y[i] = 2.0; } u = t;',
      't | u',
    ],
    [
      'what a condition reads',
      'for (int j = 0; j < m; j++) y[j] += 1.0; if (t > 0.0) { y[i] = 2.0; } t = 1.0;',
      't | t',
    ],
    [
      'what a branch with a loop sets',
      'if (x[i] > 0.0) { t = 1.0; for (int j = 0; j < m; j++) y[j] += t; } u = t;',
      't | u',
    ],
    [
      'what is set and read in a branch with a loop',
      'if (x[i] > 0.0) { t = 1.0; for (int j = 0; j < m; j++) y[j] += t; } else { y[i] = 1.0; t = y[i]; } u = 2.0;',
      ' | u',
    ],
    [
      'what one branch with a loop sets, and the other reads',
      'if (x[i] > 0.0) { t = 1.0; for (int j = 0; j < m; j++) y[j] += t; } else y[i] = t;',
      't | ',
    ],
    ['what is read while it is set', 't = t + 1.0; for (int j = 0; j < m; j++) y[j] += t;', 't | t'],
  ])('%s', (_, statements, expected) => expect(flow(statements)).toBe(expected));
});

describe('conditions in front', () => {
  function conditions(body: string): readonly string[] {
    const { fn, nest } = nestOf(body);
    expect(hasSmallExtremes(nest)).toBe(true);
    const all = [
      ...listFirstConditions(nest, usualThresholds),
      ...listConditions(nest, new Map(), [], usualThresholds),
    ];
    const short = (name: string): string => name.replace(/^\$/, '');
    // What is small, and how many iterations there are, comes first.
    return all
      .map((node) => printNode(fn, node))
      .filter((text) => !text.includes('2147483648'))
      .map(short);
  }

  const inRange = (list: readonly string[]): readonly string[] => list.filter((text) => text.includes(' in 0..'));

  it('are of the last index of each dimension', () => {
    const list = conditions('for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) a[i][j] = 1.0;');
    expect(list[0]).toBe('(n >= 4)');
    expect(list[1]).toMatch(/^\(m <= \d+\)$/);
    expect(inRange(list)).toEqual([
      expect.stringMatching(/^\(\(n - 1\) in 0\.\.\$length/),
      expect.stringMatching(/^\(\(m - 1\) in 0\.\.\$length/),
    ]);
  });

  it.each<[string, string, readonly string[]]>([
    [
      'up to and with a limit',
      'for (int i = 2; i <= n; i++) for (int j = 0; j < m; j++) x[i] += y[j];',
      ['n', '(m - 1)'],
    ],
    ['downwards', 'for (int i = n; i >= 0; i--) for (int j = m; j > 2; j -= 3) x[i] += y[j - 3];', ['n', '(m - 3)']],
    [
      'against the loop',
      'for (int i = 0; i < n; i++) for (int j = 0; j < i + 1; j++) x[n - i] += y[i - j];',
      ['1', 'n', '(n - 1)'],
    ],
    [
      'behind iterations that are empty',
      'for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) x[n - i] += y[i - j];',
      ['1', '(n - 1)', '1', '(n - 1)'],
    ],
    [
      'in front of iterations that are empty',
      'for (int i = 0; i < n; i++) for (int j = i + 1; j < n; j++) x[i + 1] += y[j];',
      ['1', '(n - 1)', '1', '(n - 1)'],
    ],
    [
      'between iterations of a loop inside that are empty',
      'for (int i = 0; i < m; i++) for (int j = n - 1; j >= 0; j--) for (int k = 0; k < j; k++) x[j - 1] += y[k + i];',
      ['(n - 2)', '((n + m) - 3)'],
    ],
    [
      'below 0',
      'for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) x[i - 1] += y[j];',
      ['-1', '(n - 2)', '(m - 1)'],
    ],
    ['constant', 'for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) x[3] += y[2 - 3];', ['3', '-1']],
    [
      'of rows one behind another',
      'for (int i = 0; i < n; i++) for (int j = 1; j < m; j++) x[i] += y[i * m + j - 1] + y[m * i + m - j];',
      ['(n - 1)', '(n - 1)', '(m - 1)'],
    ],
    [
      'of rows of groups',
      'for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) x[(i * m + j) * 3 + 2] += 1.0;',
      ['(n - 1)', '((m * 3) - 1)'],
    ],
    [
      'through the whole array besides',
      'for (int i = 0; i < n; i++) { for (int j = 0; j < m; j++) x[i * m + j] += x[j]; ' +
        'for (int k = 1; k < n; k++) x[k] = 1.0; }',
      ['(n - 1)', '(m - 1)', '0'],
    ],
    [
      'of three dimensions in one array',
      'for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) x[(i * m + j) * n + 3] += y[i * m * n + n + j * n - 1];',
      ['(n - 1)', '(m - 1)', '3', '(n - 1)', '(n - 1)'],
    ],
    [
      'of a triangle',
      'for (int i = 0; i < n; i++) for (int j = i + 1; j < n; j++) x[i] += y[2 * j + i];',
      ['(n - 1)', '((n * 3) - 3)'],
    ],
  ])('%s', (_, body, expected) => {
    const indices = inRange(conditions(body)).map((text) => text.slice(1, text.indexOf(' in 0..')));
    expect(indices.toSorted()).toEqual(expected.filter((text) => text !== '1').toSorted());
  });

  it('are of whole rows', () => {
    const list = conditions('for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) x[i * m + j] += 1.0;');
    expect(list.slice(0, 2)).toEqual(['(n >= 4)', '(m >= 1)']);
    expect(list.filter((text) => text.includes('<= $length'))).toEqual([
      expect.stringMatching(/^\(\(n \* m\) <= \$length/),
    ]);
  });

  it.each<[string, string, readonly string[]]>([
    ['a comparison', 'if (i > 1) x[i - 2] = 1.0;', ['(n - 3)']],
    ['a comparison that does not hold', 'if (i <= 1) y[0] = 1.0; else x[i - 2] = 1.0;', ['(n - 3)']],
    ['all of several', 'if (j > 0 && i < n - 1) x[i + 1] += y[j - 1];', ['(n - 1)', '(m - 2)']],
    ['none of several', 'if (j == 0 || i >= n - 1) z[0] = 1.0; else x[i + 1] += y[j - 1];', ['(n - 1)', '(m - 2)']],
    ['a conditional', 'y[0] += i != 0 ? x[i - 1] : 0.0;', ['(n - 2)']],
    ['what && has tested', 'if (j + 1 < m && x[j + 1] > 0.0) y[0] = 1.0;', ['(m - 1)']],
    ['an equality', 'if (i == 3) x[i] = 1.0;', ['3']],
    ['a difference', 'int k = i - j; if (k >= 0) x[k] = 1.0;', ['(n - 1)']],
    ['nothing of another', 'if (i > 0) x[j - 1] = 1.0;', ['-1', '(m - 2)']],
    ['nothing of what || tests', 'if (i > 0 || j > 0) x[i - 1] = 1.0;', ['-1', '(n - 2)']],
    ['nothing behind the if', 'if (i > 0) y[0] = 1.0; x[i - 1] = 1.0;', ['-1', '(n - 2)']],
  ])('behind guards: %s', (_, body, expected) => {
    const list = conditions(`for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) { ${body} }`);
    const indices = inRange(list).map((text) => text.slice(1, text.indexOf(' in 0..')));
    expect(indices.filter((index) => index !== '0').toSorted()).toEqual(expected.toSorted());
  });

  it.each<[string, string, readonly string[]]>([
    ['between its start and the end of the loop', 'p = k; L { if (s > 0.0) p = i; }', ['(n - 1)']],
    ['in front of its start', 'p = k; L { if (s > 0.0) p = i - 3; }', ['-2', '(n - 1)']],
    ['behind the end', 'p = k; L { if (s > 0.0) p = i + 3; }', ['(n + 2)']],
    ['one of several', 'p = k; L { if (s > 0.0) p = i; else if (s < 0.0) p = k - 1; }', ['-1', '(n - 1)']],
    ['one of a choice', 'p = k; L p = s > 0.0 ? i : s < 0.0 ? p : n;', ['n']],
    ['set in each iteration', 'p = 0; L p = i;', ['(n - 1)']],
  ])('a place that a loop finds: %s', (_, found, expected) => {
    const search = found.replace('L ', 'for (int i = k + 1; i < n; i++) ');
    const body = `int ${search} for (int j = 0; j < m; j++) a[p][j] += 1.0;`;
    const list = inRange(conditions(`for (int k = 0; k < n; k++) { ${body} }`));
    const indices = list.map((text) => text.slice(1, text.indexOf(' in 0..')));
    expect(indices.filter((index) => index !== '(m - 1)').toSorted()).toEqual(
      expected.filter((index) => index !== '(m - 1)').toSorted(),
    );
  });

  it.each<[string, string, string]>([
    ['the lesser of two', 'i < Math.min(n + 32, m)', '(((n + 32), m) - 1)'],
    ['the lesser of two ints', 'i < (n + 32).min(m)', '(((n + 32), m) - 1)'],
    ['the greater of two', 'Math.max(n, 8) >= i', '(n, 8)'],
    ['a double', 'i < 32.0', '31'],
  ])('of a limit that is %s', (_, limit, expected) => {
    const { nest, fn } = nestOf(`for (int i = 0; ${limit}; i++) for (int j = 0; j < m; j++) x[i] += y[j];`);
    const values = new Map(nest.invariants.map(({ local, value }) => [local, printNode(fn, value)]));
    const last = listConditions(nest, new Map(), [], usualThresholds)
      .map((node) => printNode(fn, node))
      .find((text) => text.includes(' in 0..'));
    const chosen = [...values.values()].find((text) => text.startsWith('int.')) ?? '';
    const index = last!.slice(1, last!.indexOf(' in 0..')).replace(/\$chosen[.\d]*/, chosen.replace(/^int\.\w+/, ''));
    expect(index).toBe(expected);
  });

  it.each<[string, string, readonly string[]]>([
    ['an element', 'for (int j = 0; j < w[i]; j++)', ['($greatest - 1)']],
    ['an element at which it begins', 'for (int j = w[i]; j < m; j++)', ['$least', '(m - 1)']],
    ['an element, downwards', 'for (int j = m - 1; j >= w[i]; j--)', ['$least', '(m - 1)']],
    ['elements next to each other', 'for (int j = w[i]; j < w[i + 1]; j++)', ['$least', '($greatest - 1)']],
    ['a variable', 'int e = w[i] + 2; for (int j = 0; j < e; j++)', ['($greatest + 1)']],
    ['what is worked out', 'for (int j = (w[i] - 1).max(0); j < 7; j++)', ['6']],
    ['the lesser of two', 'for (int j = 0; j < (i + 3).min(n); j++)', ['(n - 1)']],
  ])('of a loop inside with bounds that have but a range: %s', (_, head, expected) => {
    const list = inRange(conditions(`for (int i = 0; i < n; i++) { ${head} x[i] += y[j]; }`));
    const indices = list.map((text) => text.slice(1, text.indexOf(' in 0..')));
    expect(indices.filter((index) => index !== '(n - 1)' && index !== 'n').toSorted()).toEqual(
      expected.filter((index) => index !== '(n - 1)').toSorted(),
    );
  });

  it('of segments of one array count all of these at once, if they ascend', () => {
    const rows = 'for (int k = w[i]; k < w[i + 1]; k++) x[i] += y[k];';
    const found = conditions(`for (int h = 0; h < 9; h++) for (int i = 0; i < n; i++) { ${rows} }`);
    expect(found).toContain('ascends');
    expect(found).toContain('(($greatest + ($least * -1)) <= 67108864)');
    const other = conditions(
      `for (int h = 0; h < 9; h++) for (int i = 0; i < n; i++) { ${rows.replace('i + 1', '1')} }`,
    );
    expect(other).not.toContain('ascends');
    expect(other).toContain('((n * ($greatest + ($least * -1))) <= 67108864)');
  });

  it('are not for forms that could wrap', () => {
    const body = `for (int i = 0; i < n * 1024; i++) for (int j = i * 1024; j < i * 1024 + 3; j++) x[0] += y[j];`;
    expect(hasSmallExtremes(nestOf(body).nest)).toBe(false);
  });
});

describe('no nests', () => {
  it.each([
    ['a limit that changes', 'for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { x[i] += y[j]; n = 5; }'],
    [
      'a counter that is read behind its loop',
      'int j = 0; for (int i = 0; i < n; i++) { for (j = 0; j < m; j++) x[i] += y[j]; z[j] = 1.0; }',
    ],
    [
      'a start that is set before something else',
      'int j = 0; for (int i = 0; i < n; i++) { j = 0; int k = 5; while (j < k) { x[i] += y[j]; j++; } }',
    ],
    ['a start that is not set', 'int j = 0; for (int i = 0; i < n; i++) { while (j < m) { x[i] += y[j]; j++; } }'],
    [
      'a row that is read behind',
      'double[] r = x; for (int i = 0; i < n; i++) { r = a[i]; for (int j = 0; j < m; j++) x[i] += r[j]; } s = r[0];',
    ],
    ['an array that is set', 'for (int i = 0; i < n; i++) { for (int j = 0; j < m; j++) x[i] += y[j]; y = z; }'],
    [
      'five loops in one another',
      ['i', 'j', 'k', 'l', 'h'].map((name) => `for (int ${name} = 0; ${name} < n; ${name}++)`).join(' ') +
        'x[i] += y[l];',
    ],
    ['a product of variables', 'for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) x[i * j] += y[j];'],
    [
      'strides that are not multiples of each other',
      'for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) x[i * n + j * m] += y[j];',
    ],
    ['a place that goes on from itself', `int p = 0; ${over('if (s > 0.0) p = p + 1; x[p] += y[j];')}`],
    ['a limit that is no int', 'for (int i = 0; i < 7.5; i++) for (int j = 0; j < m; j++) x[i] += y[j];'],
    [
      'a limit that is worked out',
      'for (int i = 0; i < Math.min(s, 9); i++) for (int j = 0; j < m; j++) x[i] += y[j];',
    ],
    [
      'a limit that the loop inside moves',
      'for (int i = 0; i < n; i++) { int e = w[i]; for (int j = 0; j < e; j++) { x[i] += y[j]; e = e - 1; } }',
    ],
    ['bounds that the nest sets', 'for (int i = 0; i < n; i++) for (int j = 0; j < w[i]; j++) w[j] += i;'],
    [
      'a limit of which nothing is known',
      'for (int i = 0; i < n; i++) for (int j = 0; j < (w[i] ^ i); j++) x[i] += y[j];',
    ],
    ['large coefficients', 'for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) x[i * 1025 + j] += y[j];'],
  ])('%s', (_, body) => expect(read(body)).toBeNull());
});
