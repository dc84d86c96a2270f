// What the conveniences of the language become: the typed tree has none of them.

import { describe, expect, it } from 'vitest';
import { programOf, show, showEntry } from './checking.ts';

describe('compound assignment', () => {
  it('on a variable reads before it evaluates the value', () => {
    expect(showEntry('int f() { return 1; }\nint x = 1;\nx += f();\nyield x;').slice(1)).toEqual([
      'x = (x + #f())',
      'yield x',
    ]);
  });

  it('evaluates array and index once, then the old value, then the new one', () => {
    const entry = showEntry(
      'int[] a() { return [1]; }\nint i() { return 0; }\nint f() { return 2; }\na()[i()] += f();',
    );
    expect(entry).toEqual(['$array = #a()', '$index = #i()', '$array[$index] = ($array[$index] + #f())']);
  });

  it('evaluates the object of a field once', () => {
    expect(showEntry('type P { int x; }\nP p() { return { x: 1 }; }\np().x *= 3;')).toEqual([
      '$object = #p()',
      '$object.0 = ($object.0 * 3)',
    ]);
  });

  it('widens the value, never the variable', () => {
    expect(showEntry('double d = 1;\nint n = 2;\nd += n;\nyield d;')).toEqual([
      'd = 1.0',
      'n = 2',
      'd = (d + widen(n))',
      'yield d',
    ]);
  });
});

describe('++ and --', () => {
  it('as a statement only sets', () => {
    expect(showEntry('int x = 1;\nx++;\n--x;\nyield x;').slice(1)).toEqual(['x = (x + 1)', 'x = (x - 1)', 'yield x']);
  });

  it('behind the operand has the old value, in front of it the new one', () => {
    expect(showEntry('int x = 1;\nyield x++;\nyield ++x;').slice(1)).toEqual([
      'yield ($value = x; x = ($value + 1); $value)',
      'yield ($value = (x + 1); x = $value; $value)',
    ]);
  });

  it('works on doubles', () => {
    expect(showEntry('double x = 1;\nx++;\nyield x;').slice(1)).toEqual(['x = (x + 1.0)', 'yield x']);
  });
});

describe('loops', () => {
  it('for has its initialiser in front and its step behind', () => {
    expect(showEntry('for (int i = 0, j = 9; i < j; i++, j--) yield i;')).toEqual([
      'i = 0',
      'j = 9',
      'loop while (i < j)',
      '  yield i',
      'step',
      '  i = (i + 1)',
      '  j = (j - 1)',
    ]);
  });

  it('foreach reads the length at each iteration and its elements unchecked', () => {
    expect(showEntry('foreach (double d in [1, 2]) yield d;')).toEqual([
      '$foreach = [1.0, 2.0]',
      '$index = 0',
      'loop while ($index < T[].length($foreach))',
      '  d = $foreach[$index] unchecked',
      '  yield d',
      'step',
      '  $index = ($index + 1)',
    ]);
  });

  it('foreach widens elements one by one', () => {
    expect(showEntry('int[] a = [1];\nforeach (double d in a) yield d;')).toContain(
      '  d = widen($foreach[$index] unchecked)',
    );
  });

  it('do tests behind its body', () => {
    expect(showEntry('int n = 0;\ndo n++; while (n < 3);\nyield n;')).toEqual([
      'n = 0',
      'loop until not (n < 3)',
      '  n = (n + 1)',
      'yield n',
    ]);
  });

  it('jumps name the loop that they leave', () => {
    const { body } = programOf('while (true) { while (true) { break; } break; }').entry!;
    const outer = body[0]!;
    if (outer.kind !== 'loop') throw new Error('no loop');
    const [inner, leave] = outer.body;
    expect(inner?.kind === 'loop' && inner.body).toMatchObject([
      { kind: 'break', loop: inner?.kind === 'loop' ? inner.id : -1 },
    ]);
    expect(leave).toMatchObject({ kind: 'break', loop: outer.id });
  });
});

describe('arguments', () => {
  it('that are missing are constants where the default is one', () => {
    expect(
      showEntry('int f(int a, int b = -2, string c = null) { return c == null ? a + b : 0; }\nyield f(1);'),
    ).toEqual(['yield #f(1, -2, null)']);
  });

  it('that are missing may be calculated from those before, which are evaluated once', () => {
    const program = programOf(
      'int n = 0;\nint next() { n++; return n; }\nint f(int a, int b = a + 1) { return a * b; }\nyield f(next());',
    );
    const [line] = show(program.entry!).slice(1);
    expect(line).toMatch(/^yield \(\$argument = #next\(\); .*#f\(\$argument, /);
    expect(line!.match(/#next/g)).toHaveLength(1);
  });

  it('of a variadic parameter become an array, unless there is one already', () => {
    const text =
      'int f(int first, int ...xs[]) { return first + xs.length(); }\nint[] a = [1];\nyield f(0);\n' +
      'yield f(0, 1, 2);\nyield f(0, a);\nyield f(0, [3]);';
    expect(showEntry(text).slice(1)).toEqual([
      'yield #f(0, [])',
      'yield #f(0, [1, 2])',
      'yield #f(0, a)',
      'yield #f(0, [3])',
    ]);
  });

  it('of a variadic parameter of arrays may be one array of arrays', () => {
    const text =
      'int f(int[] ...xs[]) { return xs.length(); }\nyield f([1]);\nyield f([1], [2]);\nyield f([[1], [2]]);';
    expect(showEntry(text)).toEqual(['yield #f([[1]])', 'yield #f([[1], [2]])', 'yield #f([[1], [2]])']);
  });

  it('widen, receivers too', () => {
    expect(
      showEntry(
        'double half(double x) { return x / 2; }\nint n = 3;\nyield n.half();\nyield half(4);\nyield Math.sqrt(n);',
      ).slice(1),
    ).toEqual(['yield #half(widen(n))', 'yield #half(4.0)', 'yield Math.sqrt(widen(n))']);
  });
});

describe('templates', () => {
  it('are one concat of texts', () => {
    expect(showEntry('int n = 1;\nyield `a${n}b${"c"}d`;').slice(1)).toEqual([
      expect.stringMatching(/^yield concat\("a", text\(n\), "b/),
    ]);
  });

  it('without holes are strings', () => {
    expect(showEntry('yield `abc`;\nyield ``;')).toEqual(['yield "abc"', 'yield ""']);
  });
});

describe('comparisons', () => {
  it('with null and of objects are nodes of their own', () => {
    const text = 'type P { int x; }\nP p = { x: 1 };\nyield p == null;\nyield null != p;\nyield p == p;\nyield p != p;';
    expect(showEntry(text).slice(1)).toEqual([
      'yield isNull(p)',
      'yield (!isNull(p))',
      'yield same(p, p)',
      'yield (!same(p, p))',
    ]);
  });

  it('of numbers of two types are those of doubles', () => {
    expect(showEntry('int n = 1;\nyield n < 1.5;\nyield n == 1.0;').slice(1)).toEqual([
      'yield (widen(n) < 1.5)',
      'yield (widen(n) == 1.0)',
    ]);
  });
});

describe('literals', () => {
  it('take their type from where they stand', () => {
    const text = 'type P { double x; P[] next; }\nP p = { next: [{ next: [], x: 1 }], x: 2 };\nyield p;';
    expect(showEntry(text)[0]).toBe('p = {1: [{1: [], 0: 1.0}], 0: 2.0}');
  });

  it('mix int and double to double', () => {
    expect(showEntry('yield [1, 2.5];')).toEqual(['yield [1.0, 2.5]']);
  });

  it('reach the smallest int', () => {
    expect(showEntry('yield -9223372036854775808;')).toEqual(['yield -9223372036854775808']);
  });
});

describe('the form of a program', () => {
  it('keeps top-level variables local unless a function mentions them', () => {
    const program = programOf('int seen = 1;\nint unseen = 2;\nint f() { return seen; }\nyield f() + unseen;');
    expect([...program.globals.keys()]).toEqual(['#seen']);
    expect(show(program.entry!)).toEqual(['#seen = 1', 'unseen = 2', 'yield (#f() + unseen)']);
  });

  it('gives globals beside main their constant values, and sets the others in order', () => {
    const program = programOf(
      'int a = 1;\nint b = f();\nint c = 3;\nint f() { return c; }\nmain() { return a + b + c; }',
    );
    expect([...program.globals.values()].map(({ value }) => value?.kind ?? null)).toEqual(['int', null, null]);
    expect(show(program.initialiser!)).toEqual(['#b = #f()', '#c = 3']);
  });

  it('hands results of the entry over, and returns from functions', () => {
    const program = programOf('int f() { return 1; }\nreturn f();');
    expect(show(program.entry!)).toEqual(['finish #f()']);
    expect(show(program.functions.get('#f')!)).toEqual(['return 1']);
  });

  it('knows a library by its having nothing to run', () => {
    const program = programOf('int x = 1;\nexport int f() { return x; }\nint g() { return 2; }');
    expect(program.entry).toBeNull();
    expect(program.exports).toEqual([{ function: '#f', variadic: false }]);
  });

  it('knows the defaults of what the host calls', () => {
    const program = programOf(
      'export int f(int a, int b = 2, int c = a + b) { return a + b + c; }\nmain(int n = 5) { return f(n); }',
    );
    const defaults = program.functions.get('#f')!.parameters.map(({ initialiser }) => initialiser?.kind ?? null);
    expect(defaults).toEqual([null, 'int', 'call']);
    expect(program.entry!.parameters[0]!.initialiser?.kind).toBe('int');
  });
});

describe('errors', () => {
  it('leave out a clause for an unknown one', () => {
    expect(showEntry('try { throw "a"; } catch (NullAccessError e) { yield e; } catch (e) { yield e; }')).toEqual([
      'try',
      '  throw "a"',
      'catch 1 e',
      '  yield e',
      'catch any e',
      '  yield e',
    ]);
  });
});
