// What is left of a file with a mistake in it: everything but the statement that the mistake is in.

import { describe, expect, it } from 'vitest';
import { checkSource } from '../../src/compile.ts';
import { faultsOf, parseText, show } from './parsed.ts';

/** The tree without places, tokens and comments. */
function tree(text: string): string {
  const { items } = parseText(text).file;
  return show(items);
}

/** Each item in a word or two. */
function items(text: string): readonly string[] {
  return parseText(text).file.items.map((item) =>
    'name' in item
      ? `${item.kind} ${item.name.text}`
      : item.kind === 'broken'
        ? `broken ${item.statements.map(({ kind }) => kind).join()}`.trim()
        : item.kind,
  );
}

describe('a mistake costs the statement that it is in', () => {
  const good = (mistake: string): string =>
    `int f(int x) {\n  int y = x;\n  ${mistake}\n  return y;\n}\nmain() { f(1); }\n`;

  it.each([
    ['a value that ends too soon', 'y = x +;'],
    ['an open parenthesis', 'y = (x + 1;'],
    ['a bracket too many', 'y = x + 1);'],
    ['no semicolon', 'y = x + 1'],
    ['a member without a name', 'x.'],
    ['half of a call', 'f(x,'],
    ['two operands', 'y = 1 2;'],
    ['a stray word', 'elseif'],
    ['a head without its end', 'if (y > 1'],
    ['half of a declaration', 'int z ='],
    ['a template with a mistake', 'string s = `a${x +}b`;'],
    ['a literal without a comma', 'json j = { a: 1 b: 2 };'],
    ['a literal with semicolons', 'json j = { a: 1; b: 2; };'],
    ['a literal with semicolons on lines', 'json j = {\n    a: 1;\n    b: { c: 2; };\n  };'],
    ['a literal without a value', 'json j = { a: , b: 2 };'],
    ['a literal without a colon', 'json j = { "a" 1, b: 2 };'],
    ['a literal with another sign', 'json j = { a = 1, b = 2 };'],
    ['a literal in a call', 'f({ a: 1; b: 2 });'],
    ['a literal in an array', 'json j = [{ a: 1 b: 2 }];'],
  ])('%s', (_name, mistake) => {
    const text = good(mistake);
    expect(faultsOf(text)).toHaveLength(1);
    expect(items(text)).toEqual(['function-declaration f', 'main-declaration main']);
    const around = parseText(text).file.items[0]!;
    if (around.kind !== 'function-declaration') throw new Error(around.kind);
    const kinds = around.body.statements.map(({ kind }) => kind);
    expect(kinds).toEqual(['variable-declaration', 'broken', 'return']);
  });

  it('in a block in a block', () => {
    const text = 'main() {\n  if (a) {\n    while (b) { x = ; y = 1; }\n  } else z = 2;\n}';
    expect(tree(text)).toBe(
      tree('main() {\n  if (a) {\n    while (b) { y = 1; }\n  } else z = 2;\n}').replace(
        'statements:[(assignment operator:= target:(name text:y)',
        'statements:[(broken expressions:[(name text:x)] statements:[]) (assignment operator:= target:(name text:y)',
      ),
    );
  });

  it('at the top level', () => {
    expect(items('int a = ;\nint b = 2\nyield a;\ntype T { int x; }\nint f() { }\n')).toEqual([
      'broken variable-declaration',
      'broken variable-declaration',
      'yield',
      'type-declaration T',
      'function-declaration f',
    ]);
  });

  it('in a header or an import, neither of which hides the others', () => {
    const { file } = parseText('@tool:name\n@tool:about "x"\nimport "a.slu"\nimport "b.slu" as b;\nyield b.c;\n');
    expect(file.headers.map(({ key }) => key)).toEqual(['about']);
    expect(file.imports.map(({ alias }) => alias.text)).toEqual(['b']);
    expect(file.items.map(({ kind }) => kind)).toEqual(['broken', 'broken', 'yield']);
  });
});

describe('a brace', () => {
  it('that is missing ends its function where the indentation says so', () => {
    expect(items('int f() {\n  if (a) {\n    x = 1;\n  return 1;\n}\nint g() { return 2; }\n')).toEqual([
      'function-declaration f',
      'function-declaration g',
    ]);
    expect(items('int f() {\n  return 1;\n\nint g() {\n  return 2;\n}\nmain() { }\n')).toEqual([
      'function-declaration f',
      'function-declaration g',
      'main-declaration main',
    ]);
    expect(items('int f()\n  return 1;\n}\nint g() { return 2; }\n')).toEqual([
      'function-declaration f',
      'function-declaration g',
    ]);
  });

  it('that is missing in a type makes no variables of its fields', () => {
    for (const head of ['type P', 'type {'])
      expect(items(`${head}\n  int x;\n}\n\nint f() { return 1; }\n`)).toEqual(['broken', 'function-declaration f']);
  });

  it('too many does not end its function', () => {
    expect(items('int f(int a) {\n  if (a > 1) { a = 2; } }\n  return a;\n}\nint g() { return 2; }\n')).toEqual([
      'function-declaration f',
      'function-declaration g',
    ]);
  });
});

describe('what is declared in spite of a mistake', () => {
  it.each([
    ['int f(int a, b) { return 1; }', 'function-declaration f'],
    ['f(int a) { return 1; }', 'function-declaration f'],
    ['int f(int a { return 1; }', 'function-declaration f'],
    ['int f(int a): int { return 1; }', 'function-declaration f'],
    ['main(n) { }', 'main-declaration main'],
    ['type P { int x int y; }', 'type-declaration P'],
    ['type P = { int x; };', 'type-declaration P'],
  ])('%s', (text, item) => expect(items(text)[0]).toBe(item));

  it('has the parameters and fields that could be read', () => {
    const [f, p] = parseText('int f(int a, b, string c) { }\ntype P {\n  int x\n  = 1;\n  int y;\n}').file.items;
    expect(f).toMatchObject({ parameters: [{ name: { text: 'a' } }, { name: { text: 'c' } }], isBroken: true });
    expect(p).toMatchObject({ fields: [{ name: { text: 'x' } }, { name: { text: 'y' } }], isBroken: true });
  });
});

describe('a word of the language', () => {
  it('on the line behind a dot is no member', () => {
    const text = 'main(int[] xs) {\n  xs.\n  return xs;\n}';
    expect(faultsOf(text)).toEqual(['E1017 2:6']);
    expect(tree(text)).toContain('(return value:(name text:xs))');
  });

  it('on the line of the dot is one', () => expect(faultsOf('yield j.return;')).toEqual([]));
});

describe('checking goes on', () => {
  const codes = (text: string): readonly string[] => checkSource('test.slu', text).diagnostics.map(({ code }) => code);

  it('beside a mistake of syntax', () => {
    expect(codes('int f() { return 1 +; }\nmain() { int x = "a"; yield x; }')).toEqual(['E1017', 'E2023']);
    expect(codes('yield missing;\nint b = ;\nint c = 007;\nyield other;')).toEqual([
      'E2012',
      'E1017',
      'E1001',
      'E2012',
    ]);
  });

  it('without a word of what may follow from it', () => {
    for (const text of [
      'int f(int a, b) { return a + b; }\nyield f(1, 2);',
      'type P { int x double y; }\nP p = { x: 1, y: 2.0 };\nyield p.y;',
      'int f(int a) {\n  if (a > 1) { a = 2; } }\n  return a;\n}\nyield f(1);',
      'int f() {\n  for (int i = 0; i < 3 i++) { yield i; break; }\n  return 1;\n}\nyield f();',
      'int f() {\n  switch (x) { case 1: return 2; }\n}\nyield f();',
      'int f() {\n  return 1\n}\nyield f();',
      'main() {\n  int g(int a) { return a; }\n  yield g(1);\n}',
      "char c = 'a';\nyield c;",
    ])
      expect(codes(text), text).toHaveLength(1);
  });

  it('with what is said of a type that could be read, whatever else names it', () => {
    const rest = 'P p = new P();\nP q = { x: 1, z: 2 };\nP r = { x: 1 };\nyield q.foo;';
    expect(codes(`type P { int x; int y; }\n${rest}`)).toEqual(['E1017', 'E2017', 'E2018', 'E2017']);
    // One of its fields could not be read.
    expect(codes(`type P { int x; int y }\n${rest}`)).toEqual(['E1009', 'E1017']);
  });
});
