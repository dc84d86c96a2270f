// How programs look: each construct as it may be written, and as it is then. A line that does not fit is made to by a
// narrow page.

import { describe, expect, it } from 'vitest';
import type { FormatOptions } from '../../src/formatter/format.ts';
import { formatWell } from './checks.ts';

const narrow: FormatOptions = { maxLineLength: 40 };

/** Texts in turn: before, and after. Without an after they stay. */
type Row = readonly [what: string, before: string, after?: string | undefined, options?: FormatOptions];

function check(rows: readonly Row[]): void {
  it.each(rows.map((row) => [row[0], row] as const))('%s', (_what, [, before, after = before, options = {}]) => {
    expect(formatWell(before, options).text).toBe(after === '' ? '' : `${after.trim()}\n`);
    if (after !== '') expect(formatWell(after, options).text).toBe(`${after.trim()}\n`);
  });
}

describe('files', () => {
  check([
    ['nothing', '  \n\n', ''],
    ['one line end at the end', 'yield 1;\n\n\n', 'yield 1;'],
    ['a line end where none is', 'yield 1;', 'yield 1;'],
    ['comments alone', '\n\n//  a  \n\n\n\n/* b */\n', '//  a\n\n/* b */'],
    ['the line of an interpreter', '#!/usr/bin/env sluice\nyield   1;', '#!/usr/bin/env sluice\nyield 1;'],
    [
      'headers and imports',
      '@tool : name"N"\n@tool:description   "D" // why\n\n\nimport"a.slu"as   a;import "b.slu" as b ;',
      '@tool:name "N"\n@tool:description "D" // why\n\nimport "a.slu" as a;\nimport "b.slu" as b;',
    ],
    ['one statement a line, one blank line at most', 'a(); b();\n\n\n\nc();', 'a();\nb();\n\nc();'],
    ['lines of Windows', 'if (x) {\r\n  y();\r\n}\r\n', 'if (x) {\n  y();\n}'],
  ]);
});

describe('declarations', () => {
  check([
    [
      'a type with its first field on a line of its own',
      'type P {\nint x;double y;}',
      'type P {\n  int x;\n  double y;\n}',
    ],
    ['a type on one line', 'type P { int  x ;double[ ]?  y; }', 'type P { int x; double[]? y; }'],
    [
      'a type that does not fit',
      'type Point { double x; double y; string name; }',
      'type Point {\n  double x;\n  double y;\n  string name;\n}',
      narrow,
    ],
    ['a type without fields', 'type P { }', 'type P {}'],
    ['a function on one line', 'double  square( double x ){return x*x ;}', 'double square(double x) { return x * x; }'],
    ['a function of two statements', 'int f() { g(); return 1; }', 'int f() {\n  g();\n  return 1;\n}'],
    ['a function without any', 'void f() {\n\n}', 'void f() {}'],
    [
      'parameters',
      'export  ns.T  f(int a=1,string ...rest[ ]){\nreturn g(a);}',
      'export ns.T f(int a = 1, string ...rest[]) {\n  return g(a);\n}',
    ],
    [
      'parameters that do not fit',
      'main(int width = 64, int height = 25, int limit = 200) { return 1; }',
      'main(\n  int width = 64,\n  int height = 25,\n  int limit = 200\n) { return 1; }',
      narrow,
    ],
    [
      'parameters with a trailing comma',
      'int f(int a, int b,) { return a; }',
      'int f(\n  int a,\n  int b,\n) { return a; }',
    ],
    ['variables', 'const  int a=1 ,b ;', 'const int a = 1, b;'],
  ]);
});

describe('statements', () => {
  check([
    [
      'if, else if, else',
      'if(a)b();else if(c){d();}else{e();}',
      'if (a) b();\nelse if (c) {\n  d();\n} else {\n  e();\n}',
    ],
    ['a short branch', 'if (a)\n  return;', 'if (a) return;'],
    [
      'a branch that does not fit',
      'if (aaaaaaaaaaaaaaaaaaa) throw "bbbbbbbbbbbbbbbb";',
      'if (aaaaaaaaaaaaaaaaaaa)\n  throw "bbbbbbbbbbbbbbbb";',
      narrow,
    ],
    [
      'loops',
      'while(a)b();do{c();}while(d);do e();while(f);' +
        'for(;;){}for(int i=0,j=n;i<j;i++,j--)g(i);foreach(T? x in xs){h(x);}',
      'while (a) b();\ndo {\n  c();\n} while (d);\ndo e();\nwhile (f);\n' +
        'for (;;) {}\nfor (int i = 0, j = n; i < j; i++, j--) g(i);\nforeach (T? x in xs) {\n  h(x);\n}',
    ],
    [
      'loops in loops',
      'for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[i][j] = 0;',
      'for (int i = 0; i < n; i++)\n  for (int j = 0; j < n; j++)\n    a[i][j] = 0;',
      { maxLineLength: 30 },
    ],
    [
      'a loop right in a loop',
      'while (a) for (;;) b();\nforeach (T x in xs)\n  if (x) for (;;) c();',
      'while (a)\n  for (;;) b();\nforeach (T x in xs) if (x) for (;;) c();',
    ],
    ['empty statements', 'while (a);;', 'while (a);\n;'],
    [
      'try',
      'try{a();}catch(CastError  e){}catch(e){b();}',
      'try {\n  a();\n} catch (CastError e) {\n} catch (e) {\n  b();\n}'.replace('{\n} catch (e)', '{} catch (e)'),
    ],
    ['words', 'break ;continue ;return ;', 'break;\ncontinue;\nreturn;'],
    ['blocks', '{ { a(); } }', '{\n  {\n    a();\n  }\n}'],
    [
      'a comment that leaves a statement alone',
      'int  a;\n// sluice-fmt-ignore\nint[]  m = [1,  0,\n            0,  1];\nint  b;',
      'int a;\n// sluice-fmt-ignore\nint[]  m = [1,  0,\n            0,  1];\nint b;',
    ],
  ]);
});

describe('conditions and operators', () => {
  check([
    [
      'operators',
      'x=-a+!b*~c- -d;x++;--y;z=a as int[]as json;',
      'x = -a + !b * ~c - -d;\nx++;\n--y;\nz = a as int[] as json;',
    ],
    [
      'a long condition',
      'if (aaaaaaaaaaaaaaaa && bbbbbbbbbbbbbbb && cccccccccccc) { d(); }',
      'if (\n  aaaaaaaaaaaaaaaa\n  && bbbbbbbbbbbbbbb\n  && cccccccccccc\n) {\n  d();\n}',
      narrow,
    ],
    [
      'a value that does not fit beside',
      'boolean isGood = aaaaaaaaaaaaaa && bbbbbbbbbbbbbbbbb;',
      'boolean isGood =\n  aaaaaaaaaaaaaa && bbbbbbbbbbbbbbbbb;',
      narrow,
    ],
    [
      'a result',
      'return aaaaaaaaaaaaaaaaaa + bbbbbbbbbbbbbbbb * cccccccccc;',
      'return aaaaaaaaaaaaaaaaaa\n  + bbbbbbbbbbbbbbbb * cccccccccc;',
      narrow,
    ],
    [
      'a choice',
      'x = aaaaaaaaaaaaaaa ? bbbbbbbbbbbbbbbbb : ccccccccccccccc;',
      'x = aaaaaaaaaaaaaaa\n  ? bbbbbbbbbbbbbbbbb\n  : ccccccccccccccc;',
      narrow,
    ],
    [
      'choices in a row',
      'string s = n % 15 == 0 ? "fizzbuzz" : n % 3 == 0 ? "fizz" : n % 5 == 0 ? "buzz" : n.toString();',
      'string s =\n  n % 15 == 0 ? "fizzbuzz"\n  : n % 3 == 0 ? "fizz"\n  : n % 5 == 0 ? "buzz"\n  : n.toString();',
      narrow,
    ],
    ['parentheses stay', 'x=((a)+b)*( c );', 'x = ((a) + b) * (c);'],
  ]);
});

describe('calls', () => {
  check([
    ['members, elements, calls', 'a . b [ 0 ] . c ( d , e ) . f ++;', 'a.b[0].c(d, e).f++;'],
    [
      'arguments that do not fit',
      'combine(aaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbb, ccccccccc);',
      'combine(\n  aaaaaaaaaaaaaaaa,\n  bbbbbbbbbbbbbbbb,\n  ccccccccc\n);',
      narrow,
    ],
    [
      'a chain that does not fit',
      'string s = lines.filter("aaaa").sorted().join(", ").trim();',
      'string s = lines\n  .filter("aaaa")\n  .sorted()\n  .join(", ")\n  .trim();',
      narrow,
    ],
    [
      'a chain behind lines that are broken',
      'x = sums([[aaaaaaaaaaaa, bbbbbbbbbbbb], [c]]).sorted().join(", ").trim();',
      'x = sums([\n  [aaaaaaaaaaaa, bbbbbbbbbbbb],\n  [c]\n])\n  .sorted()\n  .join(", ")\n  .trim();',
      narrow,
    ],
    [
      'a chain on a namespace',
      'json j = Json.parse(textOfTheFile).getArray("xs").copy().keys();',
      'json j = Json.parse(textOfTheFile)\n  .getArray("xs")\n  .copy()\n  .keys();',
      narrow,
    ],
    [
      'a short chain',
      'x = aaaaaaaaaaaaaaa.bbbbbbbbbbbbbbbb().cccccc();',
      'x =\n  aaaaaaaaaaaaaaa.bbbbbbbbbbbbbbbb().cccccc();',
      { maxLineLength: 44 },
    ],
    [
      'a literal as the only argument',
      'items.push({ name: "aaaaaaaaaaaa", count: 1, price: 2.5 });',
      'items.push({\n  name: "aaaaaaaaaaaa",\n  count: 1,\n  price: 2.5\n});',
      narrow,
    ],
    [
      'a literal as the last argument',
      'send("where", { name: "aaaaaaaaaaaa", count: 1, price: 2.5 });',
      'send("where", {\n  name: "aaaaaaaaaaaa",\n  count: 1,\n  price: 2.5\n});',
      narrow,
    ],
    [
      'numbers',
      'body(1.5, -2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5, 10.5);',
      'body(\n  1.5, -2.5, 3.5, 4.5, 5.5, 6.5, 7.5,\n  8.5, 9.5, 10.5\n);',
      narrow,
    ],
    ['new arrays', 'x=new  int [n] [ ] [m+1];', 'x = new int[n][][m + 1];'],
  ]);
});

describe('literals', () => {
  check([
    ['objects', 'j={a:1,"b":[ ],c:{ }};', 'j = { a: 1, "b": [], c: {} };'],
    ['an object whose first key is on a new line', 'j = {\na: 1, b: 2 };', 'j = {\n  a: 1,\n  b: 2\n};'],
    ['an object whose first key is beside the brace', 'j = { a: 1,\n  b: 2 };', 'j = { a: 1, b: 2 };'],
    ['a trailing comma', 'xs = ["a", "b",];', 'xs = [\n  "a",\n  "b",\n];'],
    ['an array that fits', 'xs = [\n  a,\n  b\n];', 'xs = [a, b];'],
    ['a table written as one', 'm = [\n[1,2],[3,4]];', 'm = [\n  [1, 2],\n  [3, 4]\n];'],
    ['a table on one line', 'm = [[1,2],[3,4]];', 'm = [[1, 2], [3, 4]];'],
    [
      'numbers',
      'xs = [1000, 2000, 3000, 4000, 5000, 6000, 7000];',
      'xs = [\n  1000, 2000, 3000, 4000, 5000, 6000,\n  7000\n];',
      narrow,
    ],
    ['a blank line between entries', 'j = {\n  a: 1,\n\n\n  b: 2\n};', 'j = {\n  a: 1,\n\n  b: 2\n};'],
    ['templates', 'yield `a  ${ x+1 }  ${f( {k:1} )}\n   b   \n`;', 'yield `a  ${x + 1}  ${f({ k: 1 })}\n   b   \n`;'],
    ['an expression of several lines in a template', 'yield `a ${ x\n  +1 }`;'],
    ['numbers in a template', `yield \`\${[${'1000, '.repeat(20)}1]}\`;`],
    [
      'an object behind a template of several lines',
      'f(`a\nb`, { name: "aaaaaaaaaaaa", count: 1, price: 2.5 }, 1);',
      'f(\n  `a\nb`,\n  {\n    name: "aaaaaaaaaaaa",\n    count: 1,\n    price: 2.5\n  },\n  1\n);',
      narrow,
    ],
    ['a template in a template', 'yield `${ `${ a }` }`;', 'yield `${`${a}`}`;'],
    [
      'a template is an argument like others',
      'main(string s = `a\nb`,int n=1) {\nf(`c\nd`,  1);}',
      'main(string s = `a\nb`, int n = 1) {\n  f(`c\nd`, 1);\n}',
    ],
  ]);
});

describe('comments', () => {
  check([
    [
      'behind neighbouring lines stand below each other',
      'int a = 1; // one\nint bcd = 2;   // two\n\nint ef = 3;  // three',
      'int a = 1;   // one\nint bcd = 2; // two\n\nint ef = 3; // three',
    ],
    [
      'of other depths do not',
      'f(); // a\nif (x) { // b\n  gggg(); // c\n} // d',
      'f(); // a\nif (x) { // b\n  gggg(); // c\n} // d',
    ],
    [
      'never push others off the page',
      'aaaaaaaaaaaaaaaaaaaaaaaaaa(); // a\nb(); // ccccccccccccccccccc',
      undefined,
      narrow,
    ],
    ['do not break what they stand behind', 'int aaaaaaaaaaaaaa = bbbbbbbb + cccc; // why it is so', undefined, narrow],
    ['in empty blocks', 'if (a) { /* b */ } else {\n// c\n}', 'if (a) { /* b */ } else {\n  // c\n}'],
    ['in front of else', 'if (a) {\n} // b\n// c\nelse {}', 'if (a) {} // b\n// c\nelse {}'],
    ['in front of a brace', 'if (a) // b\n{ c(); }', 'if (a) // b\n{\n  c();\n}'],
    [
      'in arguments',
      'f(a, // first\nb /* second */,/* third */c\n// last\n);',
      'f(\n  a, // first\n  b /* second */,\n  /* third */ c\n  // last\n);',
    ],
    ['alone in parentheses', 'f( /* nothing */ );', 'f(/* nothing */);'],
    ['in a chain', 'list.b() // c\n.d();', 'list\n  .b() // c\n  .d();'],
    [
      'with stars',
      'void f() {\n/*\n      * a\n   * b   \n */\ng(); }',
      'void f() {\n  /*\n   * a\n   * b\n   */\n  g();\n}',
    ],
    ['without stars stay', 'void f() {\n/* a\n b   \n*/\ng(); }', 'void f() {\n  /* a\n b   \n*/\n  g();\n}'],
    [
      'of several lines break what they are in',
      'j = { a /* b\n c */: { d: "dddddddd", e: "eeeeeeee" }, f: 1 };',
      'j = {\n  a /* b\n c */: { d: "dddddddd", e: "eeeeeeee" },\n  f: 1\n};',
      narrow,
    ],
    ['behind a value', 'x = // why\n1;', 'x = // why\n  1;'],
    ['in a type', 'type P { // a\nint x; // b\n\n// c\n}', 'type P { // a\n  int x; // b\n\n  // c\n}'],
    ['between functions', 'void f() {}\n// g\nvoid g() {}', 'void f() {}\n// g\nvoid g() {}'],
    ['in a literal', 'j = { // a\nb: 1, // c\n/* d */ e: 2 };', 'j = { // a\n  b: 1, // c\n  /* d */ e: 2\n};'],
  ]);
});

describe('options', () => {
  check([
    ['wider steps', 'if (a) {\nb(); }', 'if (a) {\n    b();\n}', { indentSize: 4 }],
    ['tabs', 'if (a) {\nb(); }', 'if (a) {\n\tb();\n}', { indentStyle: 'tab' }],
    ['no limit', `f(${'aaaaaaaaaaaaaaa, '.repeat(20)}b);`, undefined, { maxLineLength: Infinity }],
  ]);

  it('may end lines as Windows does, in templates and comments too', () => {
    const text = 'if (a) {\n  yield `b\nc`; /* d\n e */\n}\n';
    const { text: formatted } = formatWell(text, { endOfLine: 'crlf' });
    expect(formatted).toBe(text.replaceAll('\n', '\r\n'));
    expect(formatWell(formatted).text).toBe(text);
  });
});

it('keeps a byte order mark', () => expect(formatWell('\ufeffyield  1;').text).toBe('\ufeffyield 1;\n'));

it('keeps half characters', () =>
  expect(formatWell('yield  "\ud83d"; //  \udc00').text).toBe('yield "\ud83d"; //  \udc00\n'));

it('joins no lines where a text without its end ends with its line', () => {
  const text = 'json j = { "a": 1,\n"if\n:\n"b",\n"k y": "c" };\nyield j;\n';
  expect(formatWell(text).kept.length).toBeGreaterThan(0);
});
