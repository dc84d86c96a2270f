// Runtime support is written in the language itself, with a little more than scripts may use.

import { describe, expect, it } from 'vitest';
import { checkText, programOf, show } from './checking.ts';

describe('the prelude', () => {
  it('has ids of its own', () => {
    const program = programOf('const int limit = 5;\nint f() { return limit; }', { prelude: true });
    expect([...program.functions.keys()]).toEqual(['prelude#f']);
    expect([...program.globals.values()]).toMatchObject([{ id: 'prelude#limit', value: { kind: 'int', value: 5n } }]);
  });

  it('has functions of every type', () => {
    const { functions } = programOf(
      'T first(T[] a) { return Native.get(a, 0); }\nint one(int[] a) { return first(a); }\n' +
        'T again(T[] a) { return first(a); }',
      { prelude: true },
    );
    expect(functions.get('prelude#first')).toMatchObject({ generic: true, returns: { kind: 'variable' } });
    expect(functions.get('prelude#one')).toMatchObject({ generic: false });
    expect(functions.get('prelude#one')!.body).toMatchObject([
      { value: { kind: 'call', typeArgument: { kind: 'int' }, type: { kind: 'int' } } },
    ]);
    expect(functions.get('prelude#again')!.body).toMatchObject([
      { value: { kind: 'call', typeArgument: { kind: 'variable' } } },
    ]);
  });

  it('infers the type of native functions from their arguments', () => {
    const { functions } = programOf('void f(string[] a) { Native.set(a, 0, "x"); }', { prelude: true });
    expect(functions.get('prelude#f')!.body).toMatchObject([
      { expression: { kind: 'library-call', function: 'Native.set', typeArgument: { kind: 'string' } } },
    ]);
  });

  it('has raw arrays, which may be null', () => {
    const { functions } = programOf(
      'boolean f(string s) { offsets p = Native.offsetsOf(s); codeUnits u = null; return p == null && u == null; }',
      { prelude: true },
    );
    expect(show(functions.get('prelude#f')!)).toEqual([
      'p = Native.offsetsOf(s)',
      'u = null',
      'return (isNull(p) && isNull(u))',
    ]);
  });

  it('is not warned', () => {
    const text = 'int f() { int unused = 1; return 2; return 3; }\ndouble g(int a, int b) { return a / b; }';
    expect(checkText(text, { prelude: true }).diagnostics).toEqual([]);
  });
});

describe('a script', () => {
  it('sees nothing of it', () => {
    for (const text of [
      'yield Native.codeUnitCount("a");',
      'T t = null;',
      'codeUnits u = null;',
      'offsets p = null;',
    ]) {
      expect(
        checkText(text).diagnostics.map(({ severity }) => severity),
        text,
      ).toEqual(['error']);
    }
  });

  it('may use its names for things of its own', () => {
    programOf('type T { int x; }\nint Native = 1;\nT t = { x: Native };\nyield t;');
  });
});
