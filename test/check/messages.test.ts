// What the checker says of mistakes: in which words, where, what to do, and no more than once.

import { describe, expect, it } from 'vitest';
import { checkText, fixed, messagesOf, onlyDiagnostic } from './checking.ts';

/** Script, message, and a part of the advice. */
type Row = readonly [text: string, message: string, help: string];

describe('types that do not fit', () => {
  const rows: readonly Row[] = [
    ['int x = 3.5; yield x;', 'expected int, got double', '.toInt()'],
    ['string s = 1; yield s;', 'expected string, got int', '.toString()'],
    ['int x = "1"; yield x;', 'expected int, got string', '.toInt(default)'],
    ['double x = "1"; yield x;', 'expected double, got string', '.toDouble(default)'],
    ['int n = 1; if (n) yield 1;', 'expected boolean, got int', 'x != 0'],
    ['string s = "a"; while (s) yield 1;', 'expected boolean, got string', 'x != null'],
    ['int[] a = [1]; double[] b = a; yield b;', 'expected double[], got int[]', 'new double[]'],
    ['int[] a = 1; yield a;', 'expected int[], got int', '[x]'],
    ['int x = null; yield x;', 'null cannot be assigned to int', 'always have a value'],
    ['string s = "a"; yield s[0];', 'a string has no index', 'charAt'],
    ['foreach (string c in "abc") yield c;', 'foreach cannot walk through string', 'split'],
  ];
  it.each(rows)('%s', (text, message, help) => {
    const found = onlyDiagnostic(text);
    expect(found.message).toBe(message);
    expect(found.help).toContain(help);
  });
});

describe('elements of several types', () => {
  it('are shown all, and lead to json', () => {
    const text = 'int[] xs = [1, "a", true]; yield xs;';
    const { message, help, labels } = onlyDiagnostic(text);
    expect(message).toBe('expected int, got string');
    expect(help).toBe(
      'All elements of int[] are of type int; values of several types make a json: json j = [1, "two"];',
    );
    expect(labels.map(({ span, text: label }) => [text.slice(span.start, span.end), label])).toEqual([
      ['true', 'boolean'],
    ]);
  });

  it.each([
    ['int[] xs = [1, "a"];', 'json j'],
    ['int[] xs = [1, "2"];', 'Leave the quotation marks away'],
    ['int[] xs = ["a", "b"];', '.toInt(default)'],
    ['int[] xs = [1, 2.5];', '.toInt()'],
    ['string[] xs = ["a", 1];', '.toString()'],
    ['string[] xs = ["a", 1, true];', 'json j'],
    ['int[][] xs = [[1], ["a", true]];', 'json j'],
  ])('%s', (text, help) => {
    expect(onlyDiagnostic(text).help).toContain(help);
  });
});

describe('operators', () => {
  const rows: readonly Row[] = [
    ['yield "a" + 1;', "Operator '+' not defined for (string, int)", '.toString()'],
    ['yield true + 1;', "Operator '+' not defined for (boolean, int)", ''],
    ['yield "1" == 1;', "Operator '==' not defined for (string, int)", 'same type'],
    ['int i = 1; yield i == null;', "Operator '==' not defined for (int, null)", 'never null'],
    ['int i = 1; yield !i;', "Operator '!' not defined for (int)", 'x == 0'],
    ['yield 1.5 & 1;', "Operator '&' not defined for (double, int)", '.toInt()'],
    ['string s = "a"; s += 1; yield s;', "Operator '+' not defined for (string, int)", '.toString()'],
    ['yield 1 && true;', "Operator '&&' not defined for (int, boolean)", 'compare'],
    ['yield "4" * 2;', "Operator '*' not defined for (string, int)", '.toInt(default)'],
  ];
  it.each(rows)('%s', (text, message, help) => {
    const found = onlyDiagnostic(text);
    expect(found.message).toBe(message);
    expect(found.help ?? '').toContain(help);
  });
});

describe('names that are not there', () => {
  const rows: readonly Row[] = [
    ['int counter = 1; yield countr + counter;', "there is no variable 'countr' here", "'counter'"],
    ['int twice(int x) { return 2 * x; } yield twise(1);', "there is no function 'twise'", "'twice'"],
    ['type Point { int x; } Pont p = null;', "there is no type 'Pont'", "'Point'"],
    ['yield Math.sqroot(2);', "Math has no function 'sqroot'", "'sqrt'"],
    ['yield "abc".lenght();', "string has no method 'lenght'", "'length()'"],
    ['type P { int width; } P p = { width: 1 }; yield p.widht;', "P has no field 'widht'", "'width'"],
    [
      'try { yield 1; } catch (CastErorr e) { yield e; }',
      "no error is called 'CastErorr', so this clause never runs",
      "'CastError'",
    ],
  ];
  it.each(rows)('%s', (text, message, help) => {
    const found = onlyDiagnostic(text);
    expect(found.message).toBe(message);
    expect(found.help).toContain(help);
  });

  it('are not guessed from a single letter, or from what stands there already', () => {
    expect(onlyDiagnostic('type P { int x; int y; }\nP p = { x: 1, z: 2 };\nyield p;').help).toBe(
      'Its fields are x, y.',
    );
    expect(onlyDiagnostic('type P { int left; int right; }\nP p = { left: 1, lefty: 2 };\nyield p;').help).toBe(
      'Its fields are left, right.',
    );
    expect(onlyDiagnostic('int a = 1; yield b + a;').fix).toBeNull();
  });

  it('but further down, are said to be there', () => {
    expect(onlyDiagnostic('int a = b;\nint b = 1;\nmain() { return a + b; }').help).toContain('further down');
    expect(onlyDiagnostic('yield x;\nint x = 1;\nyield x;').help).toContain('further down');
    const inBlock =
      'main() {\n  int counts = 1;\n  if (counts > 0) { yield count; }\n  int count = counts;\n  yield count;\n}';
    const { help, labels } = onlyDiagnostic(inBlock);
    expect(help).toContain('further down');
    expect(labels).toMatchObject([{ text: 'count is declared here' }]);
    expect(onlyDiagnostic('main() { { int count = 1; yield count; } yield counts; }').help).not.toContain(
      'further down',
    );
  });
});

describe('habits of other languages', () => {
  const rows: readonly (readonly [text: string, help: string])[] = [
    ['print("x");', 'yield'],
    ['printf("%d", 1);', 'yield'],
    ['console.log("x");', 'yield'],
    ['yield undefined;', 'null'],
    ['yield "a".toUpperCase();', 'upper()'],
    ['yield "a".size();', 'length()'],
    ['int[] a = [1]; a.add(2);', 'push()'],
    ['int[] a = [1]; yield a.map(1);', 'foreach'],
    ['int[] a = [1]; yield a.filter(1);', 'foreach'],
    ['string s = "a"; s.push("b");', 'never changes'],
    ['yield "a".equals("b");', '=='],
    ['yield sqrt(2);', 'Math.sqrt'],
    ['yield parseInt("1");', 'toInt'],
    ['yield Math.PI();', 'parentheses'],
    ['String s = "a";', 'string'],
    ['bool b = true;', 'boolean'],
    ['let x = 1;', 'int x = 1;'],
  ];
  it.each(rows)('%s', (text, help) => {
    expect(onlyDiagnostic(text).help).toContain(help);
  });
});

describe('other places that matter', () => {
  const rows: readonly (readonly [text: string, label: string, at: string])[] = [
    ['int f(int n) { return n; }\nyield f("a");', 'f takes int here', 'int n'],
    ['int f(int n) { return n; }\nyield f();', 'f is declared here', 'f'],
    ['type P { int x; }\nP p = { x: "a" };\nyield p;', 'declared as int', 'x'],
    ['type P { int x; int y; }\nP p = { x: 1 };\nyield p;', 'P is declared here', 'P'],
    ['int x = 1;\nx = "a";\nyield x;', 'declared as int', 'x'],
    ['int x = 1;\nx += 0.5;\nyield x;', 'declared as int', 'x'],
    ['const int x = 1;\nx = 2;\nyield x;', 'declared const here', 'x'],
    ['void f() {\n  int x = 1;\n  yield x;\n  int x = 2;\n  yield x;\n}\nf();', 'first declared here', 'x'],
    ['main() { yield 1; }\nmain() { yield 2; }', 'the first one', 'main'],
  ];
  it.each(rows)('%s', (text, label, at) => {
    const { labels } = onlyDiagnostic(text);
    expect(labels.map(({ span, text: found }) => [found, text.slice(span.start, span.end)])).toEqual([[label, at]]);
  });

  it('names the arguments that are missing', () => {
    expect(onlyDiagnostic('int f(int a, string b, int c = 1) { return a + c + b.length(); }\nyield f();').help).toBe(
      "There is nothing for 'a' (int) and 'b' (string).",
    );
  });
});

describe('fixes', () => {
  const rows: readonly (readonly [text: string, mended: string])[] = [
    ['int x = 3.5; yield x;', 'int x = 3.5.toInt(); yield x;'],
    ['double d = 1; int x = d * 2; yield x;', 'double d = 1; int x = (d * 2).toInt(); yield x;'],
    ['int n = 1; string s = n; yield s;', 'int n = 1; string s = n.toString(); yield s;'],
    ['yield "n: " + 5;', 'yield "n: " + 5.toString();'],
    ['int n = 1; yield n * 2 + " apples";', 'int n = 1; yield (n * 2).toString() + " apples";'],
    ['string s = "abc"; yield s[1];', 'string s = "abc"; yield s.charAt(1);'],
    ['yield "abc".length;', 'yield "abc".length();'],
    ['int counter = 1; yield countr + counter;', 'int counter = 1; yield counter + counter;'],
    ['type P { int width; } P p = { widht: 1 }; yield p;', 'type P { int width; } P p = { width: 1 }; yield p;'],
    ['yield math.sqrt(4);', 'yield Math.sqrt(4);'],
  ];
  it.each(rows)('%s', (text, mended) => {
    expect(fixed(text)).toBe(mended);
    expect(checkText(mended).diagnostics).toEqual([]);
  });

  it('are offered only where one edit is surely right', () => {
    for (const text of [
      'int x = 1; x += 0.5; yield x;',
      'foreach (int i in [1.5]) yield i;',
      'double[] a = [1.5]; foreach (int i in a) yield i;',
      'string s = "abc"; s[0] = "x";',
      'int x = "1"; yield x;',
    ]) {
      const { diagnostics } = checkText(text);
      expect(diagnostics, text).toHaveLength(1);
      const { fix } = diagnostics[0]!;
      if (fix !== null)
        expect(
          checkText(text.slice(0, fix.span.start) + fix.replacement + text.slice(fix.span.end)).diagnostics,
          text,
        ).toEqual([]);
    }
  });
});

describe('one mistake', () => {
  const rows: readonly (readonly [text: string, messages: readonly string[]])[] = [
    ['int x = missing * 2 + 1;\nyield x;\nyield x + 1;', ["1:9 there is no variable 'missing' here"]],
    ['Thing t = null;\nyield t.a.b[0].c();\nt.x = 1;\nt++;', ["1:1 there is no type 'Thing'"]],
    ['yield f(1).a + f(2)[0];', ["1:7 there is no function 'f'", "1:16 there is no function 'f'"]],
    ['foreach (int i in missing) { yield i + 1; }', ["1:19 there is no variable 'missing' here"]],
    ['if (missing) yield 1; else yield 2;', ["1:5 there is no variable 'missing' here"]],
    ['int f(Thing t) { return t.x; }\nyield f({ x: 1 });', ["1:7 there is no type 'Thing'"]],
    ['type A { Thing t; }\nA a = { t: { x: 1 } };\nyield a.t.x;', ["1:10 there is no type 'Thing'"]],
    ['Thing t = { a: {}, b: [{ c: [] }] };\nyield t;', ["1:1 there is no type 'Thing'"]],
    ['Thing[] ts = [{ a: {} }, []];\nyield ts;', ["1:1 there is no type 'Thing'"]],
    ['type A { int x; }\nA a = { x: 1, y: { z: [] } };\nyield a;', ["2:15 A has no field 'y'"]],
    ['int[] xs = { a: {}, b: [] };\nyield xs;', ['1:12 expected int[], got a literal in braces']],
    ['yield { a: { b: {} } };', ['1:7 nothing here says what type {…} has']],
    ['yield [missing, 1, "a"];', ["1:8 there is no variable 'missing' here"]],
    ['yield `${missing} and ${missing.x}`;', ["1:10 there is no variable 'missing' here"]],
    ['int x = "a";\nint y = x + 1;\nyield y;', ['1:9 expected int, got string']],
    ['int f() { return missing; }\nyield f();', ["1:18 there is no variable 'missing' here"]],
    ['string s = missing.upper().length().foo();\nyield s;', ["1:12 there is no variable 'missing' here"]],
  ];
  it.each(rows)('%s', (text, messages) => {
    expect(messagesOf(text)).toEqual(messages);
  });

  it('does not hide the next', () => {
    expect(messagesOf('int a = "x";\nstring b = 1;\nyield a + nothing;\nif (a) yield b.none();')).toHaveLength(5);
  });

  it('keeps quiet about variables that look unused because of it', () => {
    expect(messagesOf('int unused = 1;\nyield missing;')).toEqual(["2:7 there is no variable 'missing' here"]);
  });
});
