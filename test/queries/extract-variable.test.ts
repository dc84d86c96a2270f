// Extract variable: the text after it, and where it would change what a program does.

import { describe, expect, it } from 'vitest';
import { after, offered } from './refactor.ts';

const extracted = (script: string, others?: Readonly<Record<string, string>>): string | null =>
  after('Extract variable', script, others);

describe('the variable', () => {
  it('stands in front of the statement, with the type of the value', () => {
    expect(extracted('main(int n) {\n  yield «n + 1» - 2;\n}')).toBe(
      'main(int n) {\n  int value = n + 1;\n  yield value - 2;\n}',
    );
    expect(extracted('main(int n) {\n  yield (§n + 1.5) * 2;\n}')).toBe(
      'main(int n) {\n  double value = n + 1.5;\n  yield value * 2;\n}',
    );
    expect(extracted('main() { yield «[1, 2.5]»[0]; }')).toBe(
      'main() { double[] values = [1, 2.5]; yield values[0]; }',
    );
  });

  it('has the type that the place asks for, where the value takes its type from there', () => {
    expect(extracted('double f(double[] xs) { return xs[0]; }\nyield f(«[1, 2]»);')).toContain(
      'double[] values = [1, 2];',
    );
    expect(extracted('json j = { a: «[1, "b"]» };')).toBe('json data = [1, "b"];\njson j = { a: data };');
    expect(extracted('type P { int x; }\nint f(P q) { return q.x; }\nyield f(«{ x: 1 }»);')).toContain(
      'P p = { x: 1 };',
    );
  });

  it('keeps the value as it is before it is converted', () => {
    expect(extracted('double f(double x) { return x; }\nyield f(«2 * 3»);')).toContain('int value = 2 * 3;');
    expect(
      extracted(
        'type P { int x; }\nP make() { return { x: 1 }; }\nmain() {\n  json j = { p: «make()» };\n  yield j;\n}',
      ),
    ).toContain('P result = make();');
  });

  it('is called like the field or the method, with a number where that is taken', () => {
    const nameIn = (script: string): string | undefined => /(\w+) = [^=]*;\n/.exec(extracted(script) ?? '')?.[1];
    expect(nameIn('type P { int size; }\nP p = { size: 1 };\nyield «p.size» + 1;')).toBe('p');
    const call = 'main(string s) {\n  yield «s.length()» + 1;\n}';
    expect(extracted(call)).toContain('int length = s.length();');
    expect(extracted(call.replace('(string s)', '(string s, int length)'))).toContain('int length2 = s.length();');
    expect(extracted('main(json j) {\n  yield «j.getInt("n", 0)» + 1;\n}')).toContain('int value =');
    expect(extracted('main(json j) {\n  yield «j.type»;\n}')).toContain('json data = j.type;');
  });

  it('says where its name is, for the editor to have it changed', () => {
    const [action] = offered('main(int n) {\n  if (n > 1)\n    yield «n + 1» - 2;\n}');
    expect(action!.text.slice(action!.rename!.offset)).toMatch(/^value = n \+ 1;/);
  });

  it('takes the place of a statement that was nothing else', () => {
    expect(extracted('main(string s) {\n  «s.length()»;\n}')).toBe('main(string s) {\n  int length = s.length();\n}');
  });

  it('gets braces where the statement is a body alone', () => {
    expect(extracted('main(int n) {\n  if (n > 1)\n    yield «n + 1» - 2;\n  else yield 1;\n}')).toBe(
      'main(int n) {\n  if (n > 1) {\n    int value = n + 1;\n    yield value - 2;\n  }\n  else yield 1;\n}',
    );
    expect(extracted('main(int n) {\n  while (n > 1) n -= «n / 2 + 1»;\n}')).toBe(
      'main(int n) {\n  while (n > 1) {\n    int value = n / 2 + 1;\n    n -= value;\n  }\n}',
    );
  });

  it('is named by the types of other files', () => {
    const others = { 'shop.slu': 'type Item { int n; }\nItem make() { return { n: 1 }; }\n' };
    expect(extracted('import "shop.slu" as shop;\nyield «shop.make()».n;', others)).toContain(
      'shop.Item make = shop.make();',
    );
  });

  it('is kept apart from the words beside it', () => {
    expect(extracted('main(int n) {\n  yield«-n»+ 1;\n}')).toContain('yield value+ 1;');
    expect(extracted('main(json j) {\n  json k = { a: «[1]»as json };\n  yield k;\n}')).toContain(
      '{ a: data as json };',
    );
  });

  it('keeps what templates and comments hold', () => {
    expect(extracted('main(int n) {\n  if (n > 1)\n    yield `a\n  b ${«n + 1»}\n    c`;\n}')).toBe(
      'main(int n) {\n  if (n > 1) {\n    int value = n + 1;\n    yield `a\n  b ${value}\n    c`;\n  }\n}',
    );
    expect(extracted('main(int n) {\r\n  yield «n + 1»; // why\r\n}\r\n')).toBe(
      'main(int n) {\r\n  int value = n + 1;\r\n  yield value; // why\r\n}\r\n',
    );
  });
});

describe('it is refused', () => {
  const refused: readonly (readonly [string, string, string])[] = [
    ['a condition may leave it out', 'main(int n) { yield n > 0 && «n / 2» > 1; }', 'not evaluated each time'],
    ['a branch may leave it out', 'main(int n) { yield n > 0 ? «n / 2» : 1; }', 'not evaluated each time'],
    ['a loop evaluates it again', 'main(int n) { while («n > 1») n -= 1; }', 'in each turn'],
    ['a loop steps with it', 'main(int n) { for (int i = 0; i < n; i += «n / 4») yield i; }', 'in each turn'],
    ['what stands before it fails first', 'main(int n) { yield 1 / n + «10 / n»; }', 'could fail'],
    [
      'what stands before it changes it',
      'int g = 1;\nint f() { g += 1; return g; }\nmain() { yield f() + «g * 2»; }',
      'change it',
    ],
    ['it changes what stands before it', 'main(int n) { yield n + «n++»; }', 'change it'],
    [
      'the text that is added to may be null',
      'int n = 0;\nmain(string s) { s += «(n++ > 0)» ? "a" : "b"; }',
      'could fail',
    ],
    ['a text before it may be null', 'main(string s, json j) { yield s.replace(s, «j.k as string»); }', 'could fail'],
    [
      'a variable of its declaration is not there yet',
      'main() { const int a = 1, b = «a + 2» - 2; yield b; }',
      'same declaration',
    ],
    ['nothing would be left to run', 'int n = 1;\n«n.abs()»;', 'left to run'],
    [
      'calls from the host would evaluate it',
      'export int f() { return 1; }\nyield «Math.random()» + 1;',
      'exported function',
    ],
  ];
  it.each(refused)('where %s', (_why, script, reason) => {
    expect(extracted(script)).toMatch(/^no: /);
    expect(extracted(script)).toContain(reason);
  });

  it('not where that makes no difference', () => {
    expect(extracted('main(int n) { yield 1 / n + «n * 2»; }')).not.toMatch(/^no: /);
    expect(extracted('type P { int x; }\nmain() { P p = { x: 1 }; yield p.x + «p.x * 2»; }')).not.toMatch(/^no: /);
    expect(extracted('int twice(int n) { return n * 2; }\nmain(int n) { yield twice(n) + «twice(n)»; }')).not.toMatch(
      /^no: /,
    );
    expect(extracted('main(int n) { for (int i = «n / 2»; i < n; i++) yield i; }')).toBe(
      'main(int n) { int value = n / 2; for (int i = value; i < n; i++) yield i; }',
    );
  });
});

describe('it is not offered', () => {
  const none = [
    'main(int n) { yield «n»; }',
    'main(int n) { «n» = 1; }',
    'main(int n) { int m = «n + 1»; yield m; }',
    'main(int n) { yield «n +» 1; }',
    'void f() {}\nmain() { «f()»; }',
    'main() { yield «null»; }',
    'main() { yield «Math.sqrt»(1.0); }',
    'int f(int n = «1 + 2») { return n; }',
    'main() { yield «unknown + 1»; }',
    'type P { «int x;» }',
    'import «"a.slu"» as a;',
  ];
  it.each(none)('in %s', (script) => {
    expect(extracted(script)).toBeNull();
  });

  it('for a file that the program does not have', () => {
    expect(offered('yield §1;').length).toBe(0);
  });
});
