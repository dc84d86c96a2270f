// What is said of a faulty text, and where. The marks « and » stand around the place.

import { describe, expect, it } from 'vitest';
import { parse } from '../../src/1-parse/parse.ts';
import { DiagnosticSink } from '../../src/diagnostics/diagnostic.ts';
import { createSourceFile } from '../../src/source.ts';
import { faultsOf, parseText } from './parsed.ts';

/** One fault, its code at the marked place. */
function expectFault(marked: string, code: string, part = ''): void {
  const start = marked.indexOf('«');
  const end = marked.indexOf('»') - 1;
  const { diagnostics } = parseText(marked.replace('«', '').replace('»', ''));
  expect(diagnostics.map((found) => `${found.code} ${found.span.start}-${found.span.end}`)).toEqual([
    `${code} ${start}-${end}`,
  ]);
  expect(`${diagnostics[0]!.message}\n${diagnostics[0]!.help ?? ''}`).toContain(part);
}

describe('words', () => {
  it.each([
    ['yield «007»;', 'E1001', 'leading zero'],
    ['yield «1_»;', 'E1001', 'underscore'],
    ['yield «1__0»;', 'E1001', 'underscore'],
    ['yield «0xG1»;', 'E1001', '0 to 9 and a to f'],
    ['yield «0b12»;', 'E1001', '0 and 1'],
    ['yield «1.5f»;', 'E1001', ''],
    ['yield «.5»;', 'E1001', 'both sides'],
    ['yield «2nd»;', 'E1001', ''],
    ['string s = «"abc;»\nyield 1;', 'E1002', 'double quote'],
    ['yield 1; «/*» never\nyield 2;', 'E1003', '*/'],
    ["string s = «'abc'»;", 'E1004', 'double quotes'],
    ['yield 1 «===» 1;', 'E1005', '=='],
    ['yield 1 «!==» 1;', 'E1005', '!='],
    ['yield 1 «**» 2;', 'E1005', 'Math.pow'],
    ['yield a «??» b;', 'E1005', '!= null'],
    ['int x = 1; «#»', 'E1006', "'#'"],
    ['int x = 1;«\u00a0»yield x;', 'E1006', 'U+00A0'],
    ['int x = 1;«\u0000»yield x;', 'E1006', 'U+0000'],
    ['yield «😀»;', 'E1006', '😀'],
    ['string t = «`»abc;\nyield 1;\n', 'E1007', 'backtick'],
    ['yield "a«\\q»b";', 'E1018', '\\q'],
    ['yield `a«\\q»b`;', 'E1018', '\\q'],
    ['yield "😀«\\u{110000}»";', 'E1019', '10FFFF'],
    ['yield "«\\u»12";', 'E1019', ''],
    ['yield "a«\\uD83D»";', 'E2001', 'half'],
    ['yield "«\\uDE00»x";', 'E2001', 'half'],
    ['yield "«\\uD83D»\\uD83D\\uDE00";', 'E2001', 'half'],
  ])('%j', (marked, code, part) => expectFault(marked, code, part));
});

describe('what is missing stands behind the word before', () => {
  it.each([
    ['int x = 1«»\nyield x;', 'E1009'],
    ['int x = 1«» // so\n\n\nyield x;', 'E1009'],
    ['f(x)«»\nyield 1;', 'E1009'],
    ['main() { return 1«» }', 'E1009'],
    ['break«»', 'E1009'],
    ['int x = 1«»', 'E1009'],
    ['int f() {\n  return 1;\nyield f();«»\n\n', 'E1020'],
    ['if (a) { if (b) { x; }«»', 'E1020'],
  ])('%j', (marked, code) => expectFault(marked, code));

  it('offers the semicolon', () => {
    expect(parseText('int x = 1\nyield x;').diagnostics[0]!.fix).toMatchObject({
      span: { start: 9, end: 9 },
      replacement: ';',
    });
  });
});

describe('brackets', () => {
  it.each([
    ['yield «(»1];', 'E1010'],
    ['int n = «(»1 + 2;\nyield n;', 'E1010'],
    ['f«(»1, 2;\nyield 1;', 'E1010'],
    ['int[] a = «[»1, 2;\nyield a;', 'E1010'],
    ['yield 1; «}»', 'E1011'],
    ['x«)»;', 'E1011'],
  ])('%j', (marked, code) => expectFault(marked, code));

  it('says where a brace was opened that is missing its partner at the end', () => {
    const { labels } = parseText('int f() {\n  return 1;').diagnostics[0]!;
    expect(labels).toMatchObject([{ span: { start: 8, end: 9 } }]);
  });
});

describe('places where something else should stand', () => {
  it.each([
    ['int a = «;»', 'an expression'],
    ['yield 1 +«;»', 'an expression'],
    ['yield «*» 2;', 'an expression'],
    ['yield«;»', 'an expression'],
    ['yield `a${«}»b`;', 'an expression'],
    ['int «=» 3;', 'a name'],
    ['int «while» = 1;', 'another name'],
    ['int b = 2 «2»;', "';'"],
    ['type P { int x; int y«(») { } }', 'no functions'],
    ['type P { int x «=» 1; }', 'no default'],
    ['type P { int x«,» int y; }', "its own ';'"],
    ['yield 1;\n«@»tool:name "late"', 'before everything'],
    ['yield 1;\n«import» "a.slu" as a;', 'before everything'],
    ['void f() { «type» T { int x; } }', 'top level'],
    ['if «a» > 1 { x; }', 'parentheses'],
    ['for (int x «in» xs) { }', 'foreach'],
    ['foreach (x «in» xs) { }', 'has a type'],
    ['yield «+»1;', 'plus'],
    ['f(a «b»);', "')'"],
    ['int f(a«:» int) { return 1; }', 'a name'],
    ['for (int i = 0, i «<» 3, i++) { }', ''],
    ['yield x as T?«;»', "no '?'"],
    ['yield new int«;»', "'['"],
    ['import "a.slu"«;»', "'as'"],
    ['if (n «=» 2) yield n;', '=='],
    ['int b = (a «=» 2);', 'statement'],
    ['a = b «=» c;', 'statement'],
    ['x«:» int = 1;', 'int x'],
    ['yield a ? b«;»', "':'"],
  ])('%j', (marked, part) => expectFault(marked, 'E1017', part));
});

describe('words of other languages, and slips', () => {
  it.each([
    ['if (a «and» b) x;', 'E1012', '&&'],
    ['yield «not» a;', 'E1012', '!'],
    ['foreach (int x «of» xs) { }', 'E1012', 'foreach'],
    ['try { x; } «finally» { y; }', 'E1012', 'finally'],
    ['main() { «retrun» 1; }', 'E1013', 'return'],
    ['«whlie» (a) { x; }', 'E1013', 'while'],
    ['«foreech» (int x in xs) { y; }', 'E1013', 'foreach'],
    ['«class» Foo { int x; }', 'E1012', 'type'],
    ['«switch» (x) { }', 'E1012', 'else if'],
    ['if (a) { x; } «elif» (b) { y; }', 'E1012', 'else if'],
    ['«else» x;', 'E1014', ''],
    ['if (a) x; y; «else» z;', 'E1014', ''],
    ['«catch» (e) { }', 'E1015', ''],
  ])('%j', (marked, code, part) => expectFault(marked, code, part));
});

describe('several mistakes', () => {
  it('are all found, each once', () => {
    expect(faultsOf('int a = ;\nyield 1;\nint b = 2 2;\nyield b;')).toEqual(['E1017 1:9', 'E1017 3:11']);
    expect(faultsOf('int f() { return 1 +; }\nint g() { return 2; }\nint h() { int = 3; return 3; }')).toEqual([
      'E1017 1:21',
      'E1017 3:15',
    ]);
    expect(faultsOf('int a = 1\nint b = 2\nyield a;')).toEqual(['E1009 1:10', 'E1009 2:10']);
    expect(faultsOf('yield 1 2 3;\nyield 4 5;\nyield 6;')).toEqual(['E1017 1:9', 'E1017 2:9']);
  });

  it('in words and in sentences are found together', () => {
    expect(faultsOf("int a = 007;\nint b = ;\nyield 'x';\n")).toEqual(['E1001 1:9', 'E1017 2:9', 'E1004 3:7']);
  });

  it('in words do not hide what the line before lacks', () => {
    expect(faultsOf('int a = 1\nint b = 007;\nyield a + b;')).toEqual(['E1009 1:10', 'E1001 2:9']);
    expect(faultsOf('int f() {\n  g()\n  f() === 2 2;\n}')).toEqual(['E1009 2:6', 'E1005 3:7']);
  });

  it('of another file do not hide what this one holds', () => {
    const sink = new DiagnosticSink();
    parse(createSourceFile('first.slu', 'int a = ;'), sink);
    expect(parse(createSourceFile('second.slu', 'int b = 1;'), sink).items).toHaveLength(1);
    expect(sink.sorted()).toHaveLength(1);
  });

  it('are not multiplied by what they lead to', () => {
    for (const text of [
      'int 2nd = 1;',
      'int naïve = 1;',
      'f(x => x + 1);',
      '#include <stdio.h>\nyield 1;',
      'yield ((((1;',
      'yield [[[1;',
      'json j = { a: { b: [ };',
    ]) {
      expect(faultsOf(text), text).toHaveLength(1);
    }
  });
});
