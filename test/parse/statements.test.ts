// Statements, declarations and types as trees.

import { describe, expect, it } from 'vitest';
import type { Item } from '../../src/1-parse/syntax-tree.ts';
import { parseGood, show, showExpression, showType } from './parsed.ts';

const first = (text: string): Item => parseGood(text).items[0]!;

describe('declaration or expression', () => {
  it.each([
    ['int x;', 'variable-declaration'],
    ['Point p = q;', 'variable-declaration'],
    ['ns.T x = y;', 'variable-declaration'],
    ['Point[] ps = qs;', 'variable-declaration'],
    ['T? x = c;', 'variable-declaration'],
    ['T?[] x = c;', 'variable-declaration'],
    ['ns.T[]? x = c;', 'variable-declaration'],
    ['const int n = 1;', 'variable-declaration'],
    ['int main = 3;', 'variable-declaration'],
    ['ps[0] = p;', 'assignment'],
    ['a.b[i].c = d;', 'assignment'],
    ['main = 4;', 'assignment'],
    ['x >>>= 1;', 'assignment'],
    ['ns.f(x);', 'expression-statement'],
    ['c ? a : b;', 'expression-statement'],
    ['c ? f(a) : g(b);', 'expression-statement'],
    ['main(3);', 'expression-statement'],
    ['x++;', 'expression-statement'],
    ['++x;', 'expression-statement'],
    ['[1][0];', 'expression-statement'],
    ['a * b;', 'expression-statement'],
    ['a < b;', 'expression-statement'],
    ['int f() { }', 'function-declaration'],
    ['T[] f(T? a) { }', 'function-declaration'],
    ['ns.T f(ns.U[] a,) { }', 'function-declaration'],
    ['T? f(T a) { }', 'function-declaration'],
    ['export void f() { }', 'function-declaration'],
    ['main() { }', 'main-declaration'],
    ['main(int a, T b = c ? d : e) { }', 'main-declaration'],
    ['{ }', 'block'],
    ['{ x = 1; }', 'block'],
    ['{ { } }', 'block'],
    [';', 'empty'],
  ])('%s', (text, kind) => expect(first(text).kind).toBe(kind));
});

describe('declarations', () => {
  it('has headers, imports and items', () => {
    const file = parseGood(
      '@tool:name "N"\n@tool:permission "File.Read"\nimport "a/b.slu" as b;\nimport "c.slu" as c;\nyield 1;',
    );
    expect(show(file.headers)).toBe(
      '[(header tool:tool key:name value:N) (header tool:tool key:permission value:File.Read)]',
    );
    expect(show(file.imports)).toBe('[(import path:a/b.slu alias:b) (import path:c.slu alias:c)]');
    expect(file.items.map(({ kind }) => kind)).toEqual(['yield']);
  });

  it('takes keywords as field names', () => {
    const item = first('type T { int type; string new; T[]? in; json main; }');
    if (item.kind !== 'type-declaration') throw new Error(item.kind);
    expect(item.fields.map(({ type, name }) => `${showType(type)} ${name.text}`)).toEqual([
      'int type',
      'string new',
      'T[]? in',
      'json main',
    ]);
  });

  it('has defaults and a variadic parameter', () => {
    const item = first('int f(int a, string b = "x", int ...xs[]) { return 1; }');
    if (item.kind !== 'function-declaration') throw new Error(item.kind);
    expect(item.exported).toBe(false);
    expect(
      item.parameters.map(({ type, name, initialiser, variadic }) => [
        showType(type),
        name.text,
        initialiser === null ? null : showExpression(initialiser),
        variadic,
      ]),
    ).toEqual([
      ['int', 'a', null, false],
      ['string', 'b', '"x"', false],
      ['int', 'xs', null, true],
    ]);
  });

  it('marks exported functions', () =>
    expect(first('export int f() { return 1; }')).toMatchObject({ exported: true, name: { text: 'f' } }));

  it('may have several variables', () => {
    const item = first('const int a = 1, b, c = 2;');
    expect(item).toMatchObject({
      constant: true,
      declarators: [
        { name: { text: 'a' }, initialiser: { value: 1n } },
        { name: { text: 'b' }, initialiser: null },
        { name: { text: 'c' } },
      ],
    });
  });
});

describe('else', () => {
  it('belongs to the nearest if', () => {
    expect(first('if (a) if (b) x; else y;')).toMatchObject({
      otherwise: null,
      then: { kind: 'if', then: { kind: 'expression-statement' }, otherwise: { kind: 'expression-statement' } },
    });
    expect(first('if (a) { if (b) x; } else y;')).toMatchObject({
      then: { kind: 'block' },
      otherwise: { kind: 'expression-statement' },
    });
    expect(first('if (a) while (b) if (c) x; else y; else z;')).toMatchObject({
      then: { kind: 'while', body: { kind: 'if', otherwise: { expression: { text: 'y' } } } },
      otherwise: { expression: { text: 'z' } },
    });
    expect(first('do if (a) x; else y; while (b);')).toMatchObject({
      kind: 'do-while',
      body: { kind: 'if', otherwise: { expression: { text: 'y' } } },
    });
  });

  it('goes on in a chain', () => {
    expect(first('if (a) x; else if (b) y; else z;')).toMatchObject({
      kind: 'if',
      otherwise: { kind: 'if', condition: { text: 'b' }, otherwise: { expression: { text: 'z' } } },
    });
  });

  it('is within the span of its if', () => {
    const text = 'if (a) x; else if (b) y; else z;';
    const item = first(text);
    if (item.kind !== 'if' || item.otherwise === null) throw new Error(item.kind);
    expect([item.span.start, item.span.end]).toEqual([0, text.length]);
    expect(text.slice(item.otherwise.span.start, item.otherwise.span.end)).toBe('if (b) y; else z;');
  });
});

describe('loops', () => {
  it('for has three parts, each of which may be missing', () => {
    expect(first('for (;;) ;')).toMatchObject({
      initialisers: [],
      condition: null,
      steps: [],
      body: { kind: 'empty' },
    });
    expect(first('for (int i = 0, j = n; i < j; i++, j--) { }')).toMatchObject({
      initialisers: [{ kind: 'variable-declaration', declarators: [{ name: { text: 'i' } }, { name: { text: 'j' } }] }],
      condition: { operator: '<' },
      steps: [{ kind: 'expression-statement' }, { kind: 'expression-statement' }],
    });
    expect(first('for (i = 0, j = 1; ; i += 2, ++j) { }')).toMatchObject({
      initialisers: [{ kind: 'assignment' }, { kind: 'assignment' }],
      steps: [{ kind: 'assignment', operator: '+=' }, { kind: 'expression-statement' }],
    });
    expect(first('for (Point p = q; ; ) ;')).toMatchObject({ initialisers: [{ kind: 'variable-declaration' }] });
  });

  it('foreach has a type, a name and what it goes through', () => {
    const item = first('foreach (ns.T[] x in f(y)) { }');
    if (item.kind !== 'foreach') throw new Error(item.kind);
    expect([showType(item.type), item.name.text, showExpression(item.iterable)]).toEqual(['ns.T[]', 'x', 'f(y)']);
  });

  it('while and do', () => {
    expect(first('while (a) x;')).toMatchObject({ kind: 'while', condition: { text: 'a' } });
    expect(first('do { } while (a);')).toMatchObject({
      kind: 'do-while',
      body: { kind: 'block' },
      condition: { text: 'a' },
    });
  });
});

describe('leaving', () => {
  it.each([
    ['return;', '(return value:null)'],
    ['return x;', '(return value:(name text:x))'],
    ['yield x;', '(yield value:(name text:x))'],
    ['throw x;', '(throw value:(name text:x))'],
    ['break;', '(break)'],
    ['continue;', '(continue)'],
  ])('%s', (text, shown) => expect(show(first(text))).toBe(shown));

  it('try has clauses, with or without a type that it need not know', () => {
    expect(first('try { } catch (CastError e) { } catch (SomethingElse x) { } catch (e) { }')).toMatchObject({
      clauses: [
        { errorType: { text: 'CastError' }, name: { text: 'e' } },
        { errorType: { text: 'SomethingElse' }, name: { text: 'x' } },
        { errorType: null, name: { text: 'e' } },
      ],
    });
  });
});

describe('files', () => {
  it('may be empty', () => {
    for (const text of ['', ' \r\n\t', '// only a comment', '/* and */ // another', '\ufeff']) {
      expect(parseGood(text)).toMatchObject({ kind: 'file', headers: [], imports: [], items: [] });
    }
  });

  it('keep their comments in order', () => {
    const { comments } = parseGood('// a\nyield /* b */ 1; // c 😀\r\n/* d\n */');
    expect(comments.map(({ text }) => text)).toEqual(['// a', '/* b */', '// c 😀', '/* d\n */']);
    for (const { text, span } of comments) expect(span.file.text.slice(span.start, span.end)).toBe(text);
  });

  it('count in UTF-16, whatever stands before', () => {
    const text = 'string s = "😀😀"; // 😀\r\nint abc = 1;';
    const item = parseGood(text).items[1]!;
    if (item.kind !== 'variable-declaration') throw new Error(item.kind);
    const { span } = item.declarators[0]!.name;
    expect(text.slice(span.start, span.end)).toBe('abc');
    expect(text.slice(item.span.start, item.span.end)).toBe('int abc = 1;');
  });
});
