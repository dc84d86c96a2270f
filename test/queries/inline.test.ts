// Inline variable and inline function: the text after it, and where it would change what a program does.

import { describe, expect, it } from 'vitest';
import { after } from './refactor.ts';

const variable = (script: string, others?: Readonly<Record<string, string>>): string | null =>
  after('Inline variable', script, others);
const fn = (script: string, others?: Readonly<Record<string, string>>): string | null =>
  after('Inline function', script, others);

describe('inline variable', () => {
  it('puts the value where it is read, from the declaration and from a read', () => {
    const result = 'main(int n) {\n  yield n + 1;\n}';
    expect(variable('main(int n) {\n  int §m = n + 1;\n  yield m;\n}')).toBe(result);
    expect(variable('main(int n) {\n  int m = n + 1;\n  yield §m;\n}')).toBe(result);
  });

  it('puts it everywhere, if it is always the same', () => {
    expect(variable('main(int n) {\n  int §m = n * 2;\n  while (true) { yield m; yield m; }\n}')).toBe(
      'main(int n) {\n  while (true) { yield n * 2; yield n * 2; }\n}',
    );
  });

  const parentheses: readonly (readonly [string, string, string])[] = [
    ['a + b', 'm * 2', '(a + b) * 2'],
    ['a + b', 'm + 2', 'a + b + 2'],
    ['a + b', '2 - m', '2 - (a + b)'],
    ['a + b', '(m) * 2', '(a + b) * 2'],
    ['a * b', '-m', '-(a * b)'],
    ['-a', 'b -m', 'b -(-a)'],
    ['-a', 'm.abs()', '(-a).abs()'],
    ['a > b ? a : b', 'm + 1', '(a > b ? a : b) + 1'],
    ['a > b ? a : b', 'f(m)', 'f(a > b ? a : b)'],
    ['a', 'm.abs()', 'a.abs()'],
  ];
  it.each(parentheses)('%s in %s is %s', (value, use, result) => {
    const head = 'int f(int n) { return n; }\nmain(int a, int b) {\n  ';
    expect(variable(`${head}int §m = ${value};\n  yield ${use};\n}`)).toBe(`${head}yield ${result};\n}`);
  });

  it('says what was converted by itself', () => {
    expect(variable('main(int n) {\n  double §d = n + 1;\n  yield d / 2;\n}')).toContain(
      'yield (n + 1).toDouble() / 2;',
    );
    expect(variable('main() {\n  double §d = 3;\n  yield d / 2;\n}')).toContain('yield 3.0 / 2;');
    expect(variable('type P { int x; }\nmain(int n) {\n  P p = { x: 1 };\n  json §j = p;\n  yield j.x;\n}')).toContain(
      'yield (p as json).x;',
    );
  });

  it('takes one of several variables, and the rest of the line', () => {
    expect(variable('main(int n) {\n  int a = 1, §b = n + 2, c = 3;\n  yield a + b + c;\n}')).toContain(
      'int a = 1, c = 3;\n  yield a + (n + 2) + c;',
    );
    expect(variable('main(int n) {\n  int §a = n, b = 3;\n  yield a + b;\n}')).toContain('int b = 3;\n  yield n + b;');
    expect(variable('main(int n) { int §a = n; yield a; }')).toBe('main(int n) { yield n; }');
  });

  it('works at the top of a script', () => {
    expect(variable('int §a = 2 * 3;\nyield a;\n')).toBe('yield 2 * 3;\n');
    expect(variable('const int §a = 2;\nint f() { return a; }\nmain() { yield f(); }\n')).toBe(
      'int f() { return 2; }\nmain() { yield f(); }\n',
    );
  });

  const refused: readonly (readonly [string, string, string])[] = [
    ['it is set again', 'main() { int §m = 1; m = 2; yield m; }', 'assigned'],
    ['it is counted up', 'main() { int §m = 1; m++; yield m; }', 'assigned'],
    ['its value changes', 'main(int n) { int §m = n; n = 2; yield m; yield m; }', 'several times'],
    ['its value changes in between', 'main(int n) { int §m = n; n = 2; yield m; }', 'change its value'],
    [
      'it was read before a call',
      'int g = 1;\nvoid f() { g = 2; }\nmain() { int §m = g; f(); yield m; }',
      'change its value',
    ],
    ['its error would come later', 'main(int n) { int §m = 1 / n; yield 1; yield m; }', 'notice'],
    ['a loop would repeat it', 'main(int n) { int §m = 1 / n; while (n > 0) { yield m; n -= 1; } }', 'each turn'],
    ['a branch would leave it out', 'main(int n) { int §m = 1 / n; if (n > 1) yield m; }', 'each time'],
    ['its error would be caught', 'main(int n) { int §m = 1 / n; try { yield m; } catch (e) { yield e; } }', 'caught'],
    ['it is one object', 'main() { int[] §m = [1]; m.push(2); yield m; }', 'several times'],
    ['a literal would have no type', 'main() { double[] §m = [1]; yield m[0]; }', 'another type'],
    ['a name would be captured', 'main(int n) { int §m = n; foreach (int n in [1]) yield m + n; }', 'something else'],
    ['a comment would be lost', 'main(int n) { int §m /* why */ = n; yield m; }', 'comment'],
    ['functions read it before it is set', 'int §g = 1;\nint f() { return g; }\nyield f();', 'before it is set'],
    ['other files may use it', 'const int §g = 1;\nint f() { return g; }', 'import'],
  ];
  it.each(refused)('is refused where %s', (_why, script, reason) => {
    expect(variable(script)).toMatch(/^no: /);
    expect(variable(script)).toContain(reason);
  });

  it('is not offered for what is no variable with a value, or is never read', () => {
    for (const script of [
      'main(int §n) { yield n; }',
      'main() { foreach (int §x in [1]) yield x; }',
      'main() { int §x; yield x; }',
      'main() { int §x = 1; }',
      'main() { for (int §i = 0; true; ) yield i; }',
      'yield §1;',
    ])
      expect(variable(script)).toBeNull();
  });
});

describe('inline function', () => {
  it('puts the body where it is called, with the arguments in it', () => {
    const head = 'int area(int w, int h) { return w * h; }\nmain(int n) {\n  ';
    expect(fn(`${head}yield §area(n + 1, 2) + 1;\n}`)).toBe(`${head}yield (n + 1) * 2 + 1;\n}`);
    expect(fn(`${head}yield -n.§area(3);\n}`)).toBe(`${head}yield -(n * 3);\n}`);
    expect(fn(`${head}yield -§area(n, 3);\n}`)).toBe(`${head}yield -(n * 3);\n}`);
  });

  it('says what was converted by itself', () => {
    const head = 'double half(double x) { return x / 2; }\nmain(int n) {\n  ';
    expect(fn(`${head}yield §half(n);\n}`)).toBe(`${head}yield n.toDouble() / 2;\n}`);
    expect(fn(`${head}yield §half(3);\n}`)).toBe(`${head}yield 3.0 / 2;\n}`);
    expect(fn('double one() { return 1; }\nyield §one() / 2;')).toContain('yield 1.0 / 2;');
  });

  it('fills in constant defaults', () => {
    expect(fn('int f(int a, int b = 2) { return a - b; }\nyield §f(1);')).toContain('yield 1 - 2;');
  });

  it('evaluates an argument once, in its order', () => {
    const functions = 'int next(int[] xs) { return xs.pop(); }\nint sub(int a, int b) { return a - b; }\n';
    const head = `${functions}main() {\n  int[] q = [1, 2];\n  `;
    expect(fn(`${head}yield §sub(next(q), next(q));\n}`)).toContain('yield next(q) - next(q);');
  });

  const refused: readonly (readonly [string, string, string])[] = [
    ['it does more', 'int f(int a) { yield a; return a; }\nyield §f(1);', 'more than one return'],
    ['it returns nothing', 'void f(int a) { yield a; }\n§f(1);', 'more than one return'],
    ['an argument would be evaluated twice', 'int f(int a) { return a + a; }\nyield §f(Date.now());', 'several times'],
    ['an argument would not be evaluated', 'int f(int a) { return 1; }\nyield §f(Date.now());', 'never reads'],
    [
      'an argument might not be evaluated',
      'int f(boolean c, int a) { return c ? a : 1; }\nmain(boolean c) { yield §f(c, Date.now()); }',
      'always',
    ],
    [
      'arguments would change places',
      'int f(int a, int b) { return b - a; }\nyield §f(Date.now(), Date.now());',
      'another order',
    ],
    [
      'an argument changes another one',
      'int f(int a, int b) { return b - a; }\nmain(int n) { yield §f(n, n++); }',
      'another order',
    ],
    [
      'the body comes first',
      'int g = 1;\nint f(int a) { return g + a; }\nint set() { g = 2; return 1; }\nyield §f(set());',
      'before the argument',
    ],
    ['it changes a parameter', 'int f(int a) { return a++; }\nyield §f(1);', 'changes a parameter'],
    ['it takes any number', 'int f(int ...xs[]) { return xs.length(); }\nyield §f(1, 2);', 'any number'],
    [
      'a name would be captured',
      'int g = 1;\nint f() { return g; }\nmain() { int g = 2; yield §f() + g; }',
      'something else',
    ],
    ['a variable is declared further down', 'int b = §f();\nint f() { return c; }\nint c = 2;', 'something else'],
    ['a literal would have no type', 'double[] f() { return [1]; }\nyield §f()[0];', 'another type'],
    ['a comment would be lost', 'int f(int a) { return a; }\nyield §f(/* one */ 1);', 'comment'],
  ];
  it.each(refused)('is refused where %s', (_why, script, reason) => {
    expect(fn(script)).toMatch(/^no: /);
    expect(fn(script)).toContain(reason);
  });

  it('is refused for a function of another file', () => {
    expect(fn('import "a.slu" as a;\nyield a.§f();', { 'a.slu': 'int f() { return 1; }' })).toContain('another file');
  });

  it('is not offered for what is no call of a function of the script', () => {
    for (const script of ['yield Math.§sqrt(1.0);', 'int §f() { return 1; }\nyield f();', 'yield §unknown(1);'])
      expect(fn(script)).toBeNull();
  });
});
