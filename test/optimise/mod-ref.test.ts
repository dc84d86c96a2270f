// What a piece of a program changes: by itself, through what it calls, and through the library.

import { describe, expect, it } from 'vitest';
import { ProgramChanges } from '../../src/4-optimise/analysis/mod-ref.ts';
import type { Expression } from '../../src/mir/mir.ts';
import type { MirFunction, MirProgram } from '../../src/mir/program.ts';
import { intType } from '../../src/language/types.ts';
import { mirOf } from './lowering.ts';

/** The arrays of parameters and globals, and the rows of those, by their names. */
function arraysOf(program: MirProgram, fn: MirFunction): ReadonlyMap<string, Expression> {
  const { span } = fn;
  const variables: (readonly [string, Expression])[] = [
    ...fn.locals.map(({ name, type }, local) => [name, { kind: 'get-local', local, type, span }] as const),
    ...[...program.globals.values()].map(
      ({ name, type, id }) => [name, { kind: 'get-global', global: id, type, span }] as const,
    ),
  ];
  const index: Expression = { kind: 'int', value: 0n, type: intType, span };
  const rows = variables.flatMap(([name, array]): (readonly [string, Expression])[] =>
    array.type.kind === 'array'
      ? [[`${name}[]`, { kind: 'get-element', array, index, checked: true, type: array.type.element, span }]]
      : [],
  );
  return new Map([...variables, ...rows].filter(([, { type }]) => type.kind === 'array'));
}

/** What a function named `f` changes, as `kind name` in order; its locals by their names. */
function changesOf(text: string): readonly string[] {
  const program = mirOf(text);
  const fn = program.functions.get('#f')!;
  const changes = new ProgramChanges(program).of(fn.body, fn);
  const { everything, locals, globals, fields } = changes;
  const arrays = everything ? [] : [...arraysOf(program, fn)];
  return [
    ...(everything ? ['everything'] : []),
    ...[...locals].map((local) => `local ${fn.locals[local]!.name}`),
    ...[...globals].map((id) => `global ${program.globals.get(id)!.name}`),
    ...arrays.flatMap(([name, array]) => (changes.mayResize(array) ? [`resized ${name}`] : [])),
    ...arrays.flatMap(([name, array]) => (changes.mayStore(array) ? [`stored ${name}`] : [])),
    ...[...fields].map((key) => `field ${key.slice(key.indexOf('#') + 1)}`),
  ].toSorted();
}

const declarations = `
type P { int x; int[] xs; }
type Tree { Tree left; int value; }
int g = 1;
int[] shared = [1];
P p = { x: 1, xs: [1] };
void touch() { g = g + 1; p.x = g; shared.push(1); }
touch();
`;

function inFunction(body: string, parameters = 'int[] a, int[][] m, int n'): string {
  return `${declarations}int f(${parameters}) { ${body} return 0; }\nreturn f(null, null, 0);`;
}

describe('what statements change', () => {
  it.each([
    ['nothing', 'if (n > a[0]) return m[0][1];', []],
    ['a local', 'n = 3;', ['local n']],
    ['a global', 'g = n;', ['global g']],
    ['an element', 'a[n] = 1;', ['stored a']],
    ['a row', 'm[n] = a;', ['stored m']],
    ['an element of a row', 'm[n][0] = 1;', ['stored m[]']],
    ['a field', 'p.x = n;', ['field P.0']],
    ['the length of an array, with its elements', 'a.push(n);', ['resized a', 'stored a']],
    ['elements, by the library', 'a.fill(n);', ['stored a']],
    ['elements, by a function that orders them', 'a.sort();', ['stored a']],
    ['what it calls changes', 'touch();', ['field P.0', 'global g', 'resized shared', 'stored shared']],
    ['nothing through a function that only reads', 'n = a.sum() + a.indexOf(3);', ['local n']],
  ])('%s', (_, body, expected) => expect(changesOf(inFunction(body))).toEqual(expected));

  it.each([
    ['a variable of the same array', 'int[] b = a; b.push(n);', ['local b', 'resized a', 'resized b']],
    ['one of several', '(n > 0 ? a : shared).push(n);', ['resized a', 'resized shared']],
    ['an array that a row was', 'm[n] = a; m[0].push(n);', ['resized a', 'resized m[]']],
    ['an array that a field held', 'p.xs = a; p.xs.push(n);', ['field P.1', 'resized a']],
    ['an array that a function gives back', 'same(a).push(n);', ['resized a']],
    ['an array that a function takes', 'grow(a);', ['resized a']],
    ['what went into an array by the library', 'm.push(a); m[0].push(n);', ['resized a', 'resized m', 'resized m[]']],
    ['what came out of one', 'a = m.pop(); a.push(n);', ['local a', 'resized a', 'resized m', 'resized m[]']],
    ['no row that a copy does not share', 'int[][] c = m.copy(); c.push(null);', ['local c', 'resized c']],
    ['rows that a copy shares', 'int[][] c = m.copy(); c[0].push(n);', ['local c', 'resized c[]', 'resized m[]']],
    ['a new array alone', 'int[] b = [n]; b.push(n);', ['local b', 'resized b']],
    ['a copy alone', 'int[] b = a.copy(); b.push(n);', ['local b', 'resized b']],
    ['any array, of more than it looks at', Array(65).fill('[n].push(n);').join(''), ['a', 'm[]', 'shared']],
  ])('whose length changes: %s', (_, body, expected) => {
    const functions = 'int[] same(int[] xs) { return xs; } void grow(int[] ys) { ys.push(1); }\n';
    const found = changesOf(functions + inFunction(body)).filter((name) => !name.startsWith('stored'));
    expect(found.toSorted()).toEqual(expected.map((name) => (name.includes(' ') ? name : `resized ${name}`)));
  });

  it('takes arrays of the host for the same if their types are', () => {
    const text = `int[] own = [1];\nexport int f(int[] a, int[][] m, double[] c) { a.push(1); return own[0]; }`;
    expect(changesOf(text)).toEqual(['resized a', 'resized m[]', 'stored a', 'stored m[]']);
  });

  it('names no locals of what is called', () => {
    const text = `int g(int n) { int own = n; own++; return own; }\nint f(int n) { return g(n); }\nreturn f(1);`;
    expect(changesOf(text)).toEqual([]);
  });

  it('follows functions that call each other', () => {
    const text = `int a = 0; int b = 0;
int f(int n) { a = n; return n == 0 ? 0 : h(n - 1); }
int h(int n) { b = n; return n == 0 ? 0 : f(n - 1); }
return f(3) + a + b;`;
    expect(changesOf(text)).toEqual(['global a', 'global b']);
  });

  it('knows nothing of what happens while the host is waited for', () => {
    expect(changesOf('int f() { string s = File.read("a"); return s.length(); }\nreturn f();')).toContain('everything');
  });

  it('knows nothing where calls lead to more than it looks through', () => {
    const many = Array.from({ length: 5001 }, (_, at) => `int g${at} = 0;`).join('\n');
    const sets = Array.from({ length: 5001 }, (_, at) => `g${at} = n;`).join('\n');
    const reads = Array.from({ length: 5001 }, (_, at) => `g${at}`).join(' ^ ');
    const text = `${many}\nvoid all(int n) { ${sets} }\nint f(int n) { all(n); return 0; }\nreturn f(1) + (${reads});`;
    expect(changesOf(text)).toContain('everything');
  });
});
