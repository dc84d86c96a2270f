// What a piece of a program changes: by itself, through what it calls, and through the library.

import { describe, expect, it } from 'vitest';
import { ProgramChanges } from '../../src/4-optimise/analysis/mod-ref.ts';
import { mirOf } from './lowering.ts';

/** What a function named `f` changes, as `kind name` in order; its locals by their names. */
function changesOf(text: string): readonly string[] {
  const program = mirOf(text);
  const fn = program.functions.get('#f')!;
  const { everything, locals, globals, resized, stored, fields } = new ProgramChanges(program).of(fn.body);
  return [
    ...(everything ? ['everything'] : []),
    ...[...locals].map((local) => `local ${fn.locals[local]!.name}`),
    ...[...globals].map((id) => `global ${program.globals.get(id)!.name}`),
    ...[...resized].map((type) => `resized ${type}[]`),
    ...[...stored].map((type) => `stored ${type}[]`),
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
    ['an element', 'a[n] = 1;', ['stored int[]']],
    ['a row', 'm[n] = a;', ['stored int[][]']],
    ['an element of a row', 'm[n][0] = 1;', ['stored int[]']],
    ['a field', 'p.x = n;', ['field P.0']],
    ['the length of an array, with its elements', 'a.push(n);', ['resized int[]', 'stored int[]']],
    ['elements, by the library', 'a.fill(n);', ['stored int[]']],
    ['elements, by a function that orders them', 'a.sort();', ['stored int[]']],
    ['what it calls changes', 'touch();', ['field P.0', 'global g', 'resized int[]', 'stored int[]']],
    ['nothing through a function that only reads', 'n = a.sum() + a.indexOf(3);', ['local n']],
  ])('%s', (_, body, expected) => expect(changesOf(inFunction(body))).toEqual(expected));

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
