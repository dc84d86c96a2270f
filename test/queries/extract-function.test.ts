// Extract function: the text after it, and where it would change what a program does.

import { describe, expect, it } from 'vitest';
import { after, offered } from './refactor.ts';

const extracted = (script: string, others?: Readonly<Record<string, string>>): string | null =>
  after('Extract function', script, others);

/** The head of the new function, and what stands in place of what was selected. */
function parts(script: string): readonly [head: string, call: string] {
  const text = extracted(script)!;
  expect(text).not.toMatch(/^no: /);
  const before = script.slice(0, script.indexOf('«'));
  const behind = script.slice(script.indexOf('»') + 1);
  const head = /\n(\w[^\n]* extracted\([^\n]*\)) \{\n/.exec(text)![1]!;
  const call = text.slice(before.length, text.indexOf(behind, before.length));
  return [head, call];
}

describe('statements', () => {
  it('become a function behind the present one', () => {
    expect(
      extracted(
        'int f(int n) {\n  «yield n;\n  // twice\n  yield n * 2;»\n  return n;\n} // f\n\nmain() {\n  f(1);\n}\n',
      ),
    ).toBe(
      'int f(int n) {\n  extracted(n);\n  return n;\n} // f\n\n' +
        'void extracted(int n) {\n  yield n;\n  // twice\n  yield n * 2;\n}\n\nmain() {\n  f(1);\n}\n',
    );
  });

  it('are indented anew, but for what templates hold', () => {
    expect(
      extracted(
        'main(int n) {\n  if (n > 0) {\n    if (n > 1) {\n' +
          '      «while (n > 1) {\n        n -= 1;\n        yield `a\n  b`;\n      }»\n    }\n  }\n}',
      ),
    ).toContain('void extracted(int n) {\n  while (n > 1) {\n    n -= 1;\n    yield `a\n  b`;\n  }\n}');
  });

  it('take the locals that stand in them, and return the one that is used later', () => {
    const both =
      'type P { int x; }\nmain(int n, string s) {\n  P p = { x: 1 };\n  int sum = 0;\n' +
      '  «sum += n;\n  p.x = sum;»\n  yield `${s} ${p}`;\n  return sum;\n}';
    expect(parts(both)).toEqual(['int extracted(int n, P p, int sum)', 'sum = extracted(n, p, sum);']);
    const inner = 'main(int n) {\n  «int m = n * 2;\n  m += 1;»\n  yield m;\n}';
    expect(parts(inner)).toEqual(['int extracted(int n)', 'int m = extracted(n);']);
    expect(extracted(inner)).toContain('int extracted(int n) {\n  int m = n * 2;\n  m += 1;\n  return m;\n}');
    expect(parts('main(int n) {\n  «const int m = n * 2;»\n  yield m;\n}')[1]).toBe('const int m = extracted(n);');
  });

  it('declare a local that they set first', () => {
    const script = 'main(int n) {\n  int m;\n  «m = n * 2;\n  m += n;»\n  yield m;\n}';
    expect(parts(script)).toEqual(['int extracted(int n)', 'm = extracted(n);']);
    expect(extracted(script)).toContain('int extracted(int n) {\n  int m = n * 2;\n  m += n;\n  return m;\n}');
    expect(parts('main(int n) {\n  int m = 1;\n  «m = m * 2;»\n  yield m;\n}')[0]).toBe('int extracted(int m)');
  });

  it('return what the next turn of a loop reads', () => {
    const script = 'main(int n) {\n  int i = 0;\n  while (i < n) {\n    «yield i;\n    i += 1;»\n  }\n}';
    expect(parts(script)).toEqual(['int extracted(int i)', 'i = extracted(i);']);
    expect(
      parts('main(int n) {\n  int last = 0;\n  while (true) {\n    «yield last;\n    last += 1;»\n  }\n}')[1],
    ).toBe('last = extracted(last);');
    expect(parts('main(int n) {\n  while (true) {\n    int i = n;\n    «i += 1;\n    yield i;»\n  }\n}')[1]).toBe(
      'extracted(i);',
    );
  });

  it('are returned where they return in any case', () => {
    expect(parts('double f(int n) {\n  «if (n > 1) return 1;\n  return n;»\n}')).toEqual([
      'double extracted(int n)',
      'return extracted(n);',
    ]);
    expect(parts('main(int n) {\n  «if (n > 1) return n; else return 2;»\n}')).toEqual([
      'int extracted(int n)',
      'return extracted(n);',
    ]);
    expect(parts('void f(int n) {\n  if (n > 1) «return;»\n  yield n;\n}')[1]).toBe('{ extracted(); return; }');
  });

  it('may be the body of a branch or all of a block', () => {
    expect(parts('main(int n) {\n  if (n > 1) «yield n;»\n}')).toEqual(['void extracted(int n)', 'extracted(n);']);
    expect(extracted('main(int n) {\n  try «{\n    yield n;\n  }» catch (e) { yield e; }\n}')).toContain(
      'try {\n    extracted(n);\n  } catch (e) { yield e; }\n}\n\nvoid extracted(int n) {\n  yield n;\n}',
    );
  });

  it('at the top of a script use its variables as they are', () => {
    expect(extracted('int n = 1;\n«n += 1;\nyield n;»\nyield n * 2;\n')).toBe(
      'int n = 1;\nextracted();\nyield n * 2;\n\nvoid extracted() {\n  n += 1;\n  yield n;\n}\n',
    );
  });

  it('say where the name of the function is', () => {
    const action = offered('main(int n) {\n  «int m = n;»\n  yield m;\n}').find(
      ({ title }) => title === 'Extract function',
    );
    expect(action!.text.slice(action!.rename!.offset)).toMatch(/^extracted\(n\);/);
  });

  const refused: readonly (readonly [string, string, string])[] = [
    [
      'two variables are used later',
      'main(int n) { «int a = n; int b = n;» yield a + b; }',
      'several variables that are used later: a, b',
    ],
    ['a loop is left', 'main(int n) { while (true) { «n -= 1; if (n < 0) break;» } }', 'leaves a loop'],
    ['a turn is ended', 'main(int n) { while (n > 0) { n -= 1; «if (n == 2) continue;» yield n; } }', 'leaves a loop'],
    ['it returns now and then', 'int f(int n) { «if (n > 1) return 1;» return 2; }', 'some cases'],
    ['it always fails', 'int f(int n) { «throw "no";» }', 'never reaches'],
    ['its results differ', 'main(int n) { «if (n > 1) return 1; return "a";» }', 'no type'],
    [
      'an error would undo an assignment',
      'main(int n) { int m = 0; try { «m = 1; n = 1 / n;» } catch (e) { yield m; } }',
      'If it fails',
    ],
    ['a name would be declared twice', 'main(int n) { { «yield n; int n = 2; yield n;» } }', 'name of a parameter'],
    ['it declares what the file has', '«int n = 1;\nyield n;»\nyield n;', 'variables of the file'],
    ['there would be statements beside main', '«const int n = 1;»\nmain() { yield n; }', 'Beside main'],
  ];
  it.each(refused)('are refused where %s', (_why, script, reason) => {
    expect(extracted(script)).toMatch(/^no: /);
    expect(extracted(script)).toContain(reason);
  });

  it('may have loops with jumps of their own, and end in one', () => {
    expect(parts('main(int n) { «while (true) { n -= 1; if (n < 0) break; }» yield 1; }')[1]).toBe('extracted(n);');
    expect(parts('main(int n) { «foreach (int i in [1, 2]) { if (i > n) continue; yield i; }» }')[1]).toBe(
      'extracted(n);',
    );
  });
});

describe('an expression', () => {
  it('becomes a function of the locals in it', () => {
    expect(extracted('main(int n) {\n  yield («n + 1») * 2;\n}\n')).toBe(
      'main(int n) {\n  yield extracted(n) * 2;\n}\n\nint extracted(int n) {\n  return n + 1;\n}\n',
    );
    expect(parts('main(string s, int n) { yield n > 0 && «s.length() > n»; }')[0]).toBe(
      'boolean extracted(string s, int n)',
    );
    expect(parts('double f(double[] xs) { return xs[0]; }\nmain(int n) { yield f(«[n, 2]»); }')[0]).toBe(
      'double[] extracted(int n)',
    );
  });

  it('may stand where it is evaluated again and again', () => {
    expect(extracted('main(int n) {\n  while («n * n > 2») n -= 1;\n}')).toContain('while (extracted(n)) n -= 1;');
  });

  it('may be the default of a parameter, and use the parameters before it', () => {
    expect(extracted('int f(int a, int b = «a + 1») { return b; }\nyield f(1);')).toContain('int b = extracted(a)) {');
  });

  it('keeps apart what parentheses keep apart', () => {
    expect(extracted('int f(int n) { return(«n + 1»); }')).toContain('return(extracted(n));');
    expect(extracted('int f(int n) { return«-n»; }')).toContain('return extracted(n);');
    expect(extracted('main(string s) { if (true) yield 1; else«(s).length();» }')).toContain('else extracted(s);');
  });

  it('is refused where it changes a local, or its type has no name', () => {
    expect(extracted('main(int n) { yield «n++ + 1»; }')).toBe('no: It changes n.');
    expect(
      extracted('import "a.slu" as a;\nmain() { var_(«a.make().p»); }\nvoid var_(json j) { yield j; }', {
        'a.slu': 'import "b.slu" as b;\ntype Q { b.P p; }\nQ make() { return { p: b.make() }; }',
        'b.slu': 'type P { int x; }\nP make() { return { x: 1 }; }',
      }),
    ).toBeNull();
  });
});

it('is not offered for part of a statement, or at a cursor', () => {
  for (const script of [
    'main(int n) { §yield n; }',
    'main(int n) { «yield» n; }',
    'main(int n) { «yield n; yield» n; }',
    'main(int n) { yield «n»; }',
    'main() { for («int i = 0;» true; ) yield i; }',
    '«void f() {}»',
    '«void f() {}\nyield 1;»',
    'main() { «yield 1 +;» }',
    'main() { «  » }',
    'type P { «int x;» }',
    'main() { «;» }',
    'int f() { while («true») return 1; }',
  ])
    expect(extracted(script), script).toBeNull();
});
