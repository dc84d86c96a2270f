// Warnings: what runs, but was probably meant otherwise. Half of these rules are about keeping quiet.

import { describe, expect, it } from 'vitest';
import { checkText, messagesOf } from './checking.ts';

/** The codes of a script's warnings, with the lines where they stand. */
function warningsOf(text: string): string[] {
  return checkText(text).diagnostics.map(({ code, span }) => `${text.slice(0, span.start).split('\n').length} ${code}`);
}

describe('unreachable code', () => {
  it('is one warning for a region', () => {
    expect(warningsOf('int f() {\n  return 1;\n  yield 2;\n  yield 3;\n}\nyield f();')).toEqual(['3 W5001']);
  });

  const silent: readonly string[] = [
    'int f(int x) { while (true) { if (x > 3) break; x++; } return x; } yield f(1);',
    'int f(int x) { if (x > 0) return 1; else if (x < 0) return -1; return 0; } yield f(1);',
    'int f() { try { return 1; } catch (e) { yield e; } return 2; } yield f();',
    'int f() { for (int i = 0; i < 3; i++) { if (i == 1) return i; } return 9; } yield f();',
    'void f() { do { continue; } while (false); yield 1; } f();',
    'int f() { return 1; ; } yield f();',
  ];
  it.each(silent)('is not seen in: %s', (text) => {
    expect(warningsOf(text)).toEqual([]);
  });

  const needless: readonly string[] = [
    'int f() { while (true) { } } yield f();',
    'int f() { for (;;) { } } yield f();',
    'int f() { do { return 1; } while (true); } yield f();',
    'int f(boolean b) { if (b) return 1; else throw "no"; } yield f(true);',
    'int f() { try { return 1; } catch (e) { throw e; } } yield f();',
    'int f() { try { return 1; } catch (TimeoutError e) { yield "late"; } } yield f();',
  ];
  it.each(needless)('makes no return needed in: %s', (text) => {
    expect(warningsOf(text)).toEqual([]);
  });

  it('is no excuse where the end can be reached', () => {
    for (const body of [
      'while (true) { break; }',
      'while (1 < 2) { }',
      'if (true) return 1;',
      'try { return 1; } catch (e) { }',
    ]) {
      expect(messagesOf(`int f() { ${body} }\nyield f();`), body).toEqual([
        '1:5 f can reach its end without returning int',
      ]);
    }
  });
});

describe('unused variables', () => {
  it('are those that nothing mentions again', () => {
    expect(warningsOf('int a = 1;\nvoid f() {\n  int b = 2;\n}\nf();\nfor (int i = 0; ; ) break;')).toEqual([
      '1 W5002',
      '3 W5002',
      '6 W5002',
    ]);
  });

  it('are not parameters, loop variables of foreach and messages', () => {
    expect(
      warningsOf(
        'int n = 0;\nint f(int a) { return 1; }\nforeach (int x in [1]) n++;\n' +
          'try { yield f(n); } catch (e) { yield 1; }',
      ),
    ).toEqual([]);
  });

  it('are not globals of a library or beside main', () => {
    expect(warningsOf('int a = 1;\nexport int f() { return 1; }')).toEqual([]);
    expect(warningsOf('int a = 1;\nmain() { return 1; }')).toEqual([]);
  });
});

describe('statements without effect', () => {
  const noted = ['x;', 'x + 1;', 'x == 2;', '"text";', '`${x}`;', '-x;', '[x];', 'a[0];', 'b ? 1 : 2;'];
  it.each(noted)('%s', (statement) => {
    expect(warningsOf(`int x = 1; int[] a = [1]; boolean b = a.isEmpty();\n${statement}\nyield x; yield b;`)).toEqual([
      '2 W5004',
    ]);
  });

  const silent = ['f();', 'x++;', '--x;', 'f() + 1;', 'b && f() == 1;', 'a.pop();', 'a[x++];', '`${f()}`;'];
  it.each(silent)('but not %s', (statement) => {
    expect(
      warningsOf(
        `int f() { return 1; } int x = 1; int[] a = [1]; boolean b = a.isEmpty();\n${statement}\nyield x; yield b;`,
      ),
    ).toEqual([]);
  });
});

describe('divisions of ints', () => {
  it('are noted where the quotient becomes a double at once', () => {
    expect(warningsOf('int n = 2;\ndouble d = 7 / n;\nyield d;\nyield 7 / n + 0.5;\nyield Math.sqrt(7 / n);')).toEqual([
      '2 W5005',
      '4 W5005',
      '5 W5005',
    ]);
  });

  it('are not noted elsewhere', () => {
    expect(
      warningsOf('int n = 2;\nint q = 7 / n;\ndouble d = 7.0 / n;\ndouble e = q;\nyield d + e;\nyield 7 / n * 2;'),
    ).toEqual([]);
  });
});

describe('clauses for unknown errors', () => {
  it('are noted, and what is in them is checked all the same', () => {
    expect(messagesOf('try { yield 1; }\ncatch (Mystery e) { yield nothing; }')).toEqual([
      "2:8 no error is called 'Mystery', so this clause never runs",
      "2:27 there is no variable 'nothing' here",
    ]);
  });
});

describe('a position before the first', () => {
  it('is noted, and counted from the end by a fix', () => {
    expect(warningsOf('int[] xs = [1];\nyield xs[-1];\nxs[-2] = 1;')).toEqual(['2 W5008', '3 W5008']);
    const [found] = checkText('int[] xs = [1]; yield xs[-1];').diagnostics;
    expect(found!.fix).toMatchObject({ sure: false, replacement: 'xs.length() - 1' });
  });

  it.each(['int i = -1; int[] xs = [1]; yield xs[i];', 'int[] xs = [1]; yield xs[0 - 1];'])(
    'is not looked for in: %s',
    (text) => {
      expect(warningsOf(text)).toEqual([]);
    },
  );
});

describe('a new array that is compared', () => {
  it.each(['yield [1, 2] == [1, 2];', 'int[] xs = [1]; yield xs != [1];', 'int[] xs = [1]; yield xs == new int[1];'])(
    'is noted in: %s',
    (text) => {
      expect(warningsOf(text)).toEqual(['1 W5009']);
    },
  );

  it.each([
    'int[] xs = [1]; int[] ys = xs; yield xs == ys;',
    'json j = [1]; yield j == [1];',
    'int[] xs = null; yield xs == null;',
    'yield [1] == null;',
  ])('is not seen in: %s', (text) => {
    expect(warningsOf(text)).toEqual([]);
  });
});
