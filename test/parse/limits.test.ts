// Texts that are too much: nested too deeply, too long, never ending. The answer is a tree or a
// diagnostic, in good time, and never an exception.

import { describe, expect, it } from 'vitest';
import { faultsOf, parseGood, parseText } from './parsed.ts';

const many = 100_000;
const megabyte = 1 << 20;

describe('nesting', () => {
  const deep = (open: string, close: string, count: number): string =>
    `yield ${open.repeat(count)}1${close.repeat(count)};`;

  it.each([
    ['parentheses', (count: number) => deep('(', ')', count)],
    ['arrays', (count: number) => deep('[', ']', count)],
    ['objects', (count: number) => deep('{ a: ', ' }', count)],
    ['templates', (count: number) => deep('`${', '}`', count - 10)],
    ['calls', (count: number) => deep('f(', ')', count)],
    ['indexes', (count: number) => deep('a[', ']', count)],
    ['minus signs', (count: number) => deep('- ', '', count)],
    ['exclamation marks', (count: number) => deep('!', '', count)],
    ['conditionals', (count: number) => deep('a ? b : ', '', count)],
    ['conditionals in conditionals', (count: number) => deep('a ? ', ' : b', count)],
    ['blocks', (count: number) => '{ '.repeat(count) + '} '.repeat(count)],
    ['ifs', (count: number) => `${'if (a) '.repeat(count)}x;`],
    ['loops', (count: number) => `${'while (a) '.repeat(count)}x;`],
    ['fors', (count: number) => `${'for (;;) '.repeat(count)}x;`],
    ['conditionals between objects', (count: number) => deep('a ? {} : ', '', count)],
    ['arrays of arrays', (count: number) => `int${'[]'.repeat(count)} x = y;`],
    ['lengths', (count: number) => `yield new int${'[1]'.repeat(count)};`],
    ['tries', (count: number) => `${'try { '.repeat(count)}x;${' } catch (e) { }'.repeat(count)}`],
  ])('of %s is fine when moderate, and a diagnostic beyond the limit', (_name, script) => {
    expect(faultsOf(script(100))).toEqual([]);
    for (const count of [300, many])
      expect(faultsOf(script(count)).map((fault) => fault.slice(0, 5))).toEqual(['E3001']);
  });

  it('is counted without the closing brackets too', () => {
    for (const open of ['(', '[', '{', '`${', 'f('])
      expect(faultsOf(`yield ${open.repeat(many)}`)[0]).toMatch(/^E3001/);
  });

  it('stands where it becomes too deep', () => {
    expect(parseText(`yield ${'('.repeat(300)}1${')'.repeat(300)};`).diagnostics[0]!.span.start).toBe(
      'yield '.length + 250,
    );
  });

  it('counts what is open, not what was', () => {
    expect(faultsOf('if (a) { x; } '.repeat(1000))).toEqual([]);
    expect(faultsOf('if (a) x; else y;\n'.repeat(1000))).toEqual([]);
    expect(faultsOf(`yield [${'[1], '.repeat(1000)}];`)).toEqual([]);
    expect(faultsOf(`yield [${'a ? b : c, '.repeat(1000)}];`)).toEqual([]);
    expect(faultsOf(`f(${'-1, '.repeat(1000)}0${' + -a'.repeat(1000)}${' - a'.repeat(1000)});`)).toEqual([]);
    expect(faultsOf('int a = c ? 1 : 2, b = new int[3][4][0];\n'.repeat(1000))).toEqual([]);
    expect(faultsOf('yield c ? 1 : 2;\n'.repeat(1000))).toEqual([]);
  });
});

describe('long rows', () => {
  it.each([
    ['a sum', `yield 1${'+1'.repeat(many)};`],
    ['a logical chain', `yield a${' && a'.repeat(many)};`],
    ['arguments', `f(${'1, '.repeat(many)});`],
    ['elements', `yield [${'1, '.repeat(many)}];`],
    ['statements', 'x = 1;\n'.repeat(many)],
    ['empty statements', ';'.repeat(many)],
    ['comments', '/**/'.repeat(many)],
    ['dollar signs in a template', `yield \`${'$'.repeat(many)}\`;`],
  ])('%s', (_name, text) => expect(faultsOf(text)).toEqual([]));

  it('else if after else if, 2,000 times', () => {
    const file = parseGood(`if (a) x; ${'else if (a) x; '.repeat(2000)}else y;`);
    let count = 0;
    let at: unknown = file.items[0];
    while (at !== null && (at as { kind: string }).kind === 'if') {
      count++;
      at = (at as { otherwise: unknown }).otherwise;
    }
    expect(count).toBe(2001);
  });

  it.each([
    ['plain', 'if (a) x; ', 'else if (a) x; '],
    ['in braces', 'if (a) { x; } ', 'else if (a) { x; } '],
    ['with literals and holes', 'if (a) x = {}; ', 'else if (a) x = { b: `${{}}` }; '],
    ['through loops', 'if (a) x; ', 'else for (i = 0; i < 1; i++) if (a) x; '],
  ])('else after else is a diagnostic beyond that: %s', (_name, first, next) => {
    expect(faultsOf(first + next.repeat(1000))).toEqual([]);
    expect(faultsOf(first + next.repeat(many)).map((fault) => fault.slice(0, 5))).toEqual(['E3001']);
  });

  it('else after else adds up through blocks', () => {
    const chain = (inner: string): string => `if (a) { ${inner} } ${'else if (a) x; '.repeat(500)}`;
    expect(faultsOf(chain(chain(chain('x;'))))).toEqual([]);
    const within = (inner: string): string => `if (a) x; ${'else if (a) x; '.repeat(500)} else { ${inner} }`;
    expect(faultsOf(within(within('x;')))).toEqual([]);
    expect(faultsOf(within(within(within(within(within('x;')))))).map((fault) => fault.slice(0, 5))).toEqual(['E3001']);
  });

  it('prefix operators add up through brackets', () => {
    const deep = `${'- '.repeat(20)}(`;
    expect(faultsOf(`yield ${deep.repeat(10)}1${')'.repeat(10)};`)).toEqual([]);
    expect(faultsOf(`yield ${deep.repeat(20)}1${')'.repeat(20)};`).map((fault) => fault.slice(0, 5))).toEqual([
      'E3001',
    ]);
  });
});

describe('long words', () => {
  it.each([
    ['name', `int ${'a'.repeat(megabyte)} = 1;`],
    ['string', `yield "${'a'.repeat(megabyte)}";`],
    ['text beyond the BMP', `yield "${'😀'.repeat(megabyte / 4)}";`],
    ['template', `yield \`${'a'.repeat(megabyte)}\`;`],
    ['comment', `/*${'a'.repeat(megabyte)}*/`],
    ['int', `yield ${'9'.repeat(megabyte)};`],
    ['double', `yield 1.${'9'.repeat(megabyte)};`],
  ])('a %s of a megabyte', (_name, text) => expect(faultsOf(text)).toEqual([]));

  it('are shortened in messages', () => {
    for (const text of [
      `yield 1${'_'.repeat(megabyte)};`,
      `yield ${'a'.repeat(megabyte)} ${'b'.repeat(megabyte)};`,
      `yield "\\u{${'1'.repeat(megabyte)}}";`,
    ]) {
      const { diagnostics } = parseText(text);
      expect(diagnostics).toHaveLength(1);
      expect(diagnostics[0]!.message.length).toBeLessThan(200);
    }
  });
});

describe('a text that is wrong all over', () => {
  it.each([
    ['brackets that do not fit', '(}'],
    ['brackets of two kinds', '[)'],
    ['blocks that another bracket closes', '{)'],
    ['functions that another bracket closes', 'int f() {)\n'],
    ['statements without an end', 'a b\n'],
    ['imports without an end', 'import "a"\n'],
    ['quotes', '"\n'],
    ['single quotes', "'"],
    ['signs', '# '],
    ['backslashes', '\\'],
    ['backticks', '`'],
    ['assignments', 'a = '],
    ['statements', 'int a = ;\n'],
    ['closing braces', '}'],
    ['question marks', '? '],
  ])('%s', (_name, piece) => {
    // Bounded, so that it can be shown: what costs the square of its length here runs into the time limit of the test.
    const { diagnostics } = parseText(piece.repeat(many + 1));
    expect(diagnostics.length).toBeGreaterThan(0);
    expect(diagnostics.length).toBeLessThan(200);
  });
});

describe('a mistake in what nests', () => {
  it('in each part of a long chain of else', () => {
    expect(faultsOf(`if (a) { x = ; } ${'else if (a) { x = ; } '.repeat(1900)}`)).not.toEqual([]);
  });

  it('in the innermost of many brackets', () => {
    for (const [open, close] of [
      ['([', ')]'],
      ['{ x = [', '}'],
      ['if (a) { f(', '}'],
    ] as const)
      expect(faultsOf(`${open.repeat(100)}1${close.repeat(100)};`)).not.toEqual([]);
  });
});

describe('what never ends', () => {
  it.each([
    ['a string', `yield "${'a'.repeat(megabyte)}`, 'E1002 1:7'],
    ['a string at the end', 'yield "', 'E1002 1:7'],
    ['a string that ends with a backslash', 'yield "a\\', 'E1002 1:7'],
    ['a template', `yield \`${'a\n'.repeat(megabyte / 2)}`, 'E1007 1:7'],
    ['a template at the end', 'yield `', 'E1007 1:7'],
    ['a comment', `yield 1; /*${'*'.repeat(megabyte)}`, 'E1003 1:10'],
    ['a comment at the end', 'yield 1; /*', 'E1003 1:10'],
  ])('%s', (_name, text, fault) => expect(faultsOf(text)).toEqual([fault]));
});
