// Precedence, postfix chains, literals and templates as trees.

import { describe, expect, it } from 'vitest';
import { expressionOf, parseGood, showExpression } from './parsed.ts';

describe('precedence', () => {
  it.each([
    ['a || b && c | d ^ e & f', '(a || (b && (c | (d ^ (e & f)))))'],
    ['a & b == c < d << e + f * g', '(a & (b == (c < (d << (e + (f * g))))))'],
    ['a - b - c', '((a - b) - c)'],
    ['a / b * c % d', '(((a / b) * c) % d)'],
    ['a << b >> c >>> d', '(((a << b) >> c) >>> d)'],
    ['a < b == c >= d', '((a < b) == (c >= d))'],
    ['(a + b) * c', '((a + b) * c)'],
    ['-a * !b', '((-a) * (!b))'],
    ['- -a', '(-(-a))'],
    ['!~-a', '(!(~(-a)))'],
    ['-a.b[0](1)++', '(-(a.b[0](1)++))'],
    ['++a + b--', '((++a) + (b--))'],
    ['-a as T * b', '(((-a) as T) * b)'],
    ['a as T as U[]', '((a as T) as U[])'],
    ['a as ns.T[][]', '(a as ns.T[][])'],
    ['a as T ? b : c', '((a as T) ? b : c)'],
    ['a ? b : c ? d : e', '(a ? b : (c ? d : e))'],
    ['a ? b ? c : d : e', '(a ? (b ? c : d) : e)'],
    ['a || b ? c + d : e == f', '((a || b) ? (c + d) : (e == f))'],
    ['(a ? b : c) ? d : e', '((a ? b : c) ? d : e)'],
  ])('%s', (text, shown) => expect(expressionOf(text)).toBe(shown));
});

describe('what stands behind a place', () => {
  it.each([
    ['a.b.c', 'a.b.c'],
    ['a.type.if.new', 'a.type.if.new'],
    ['f()', 'f()'],
    ['f(a, b,)', 'f(a, b)'],
    ['a.m(1)[2].k', 'a.m(1)[2].k'],
    ['5.toString()', '5.toString()'],
    ['1.5.toString()', '1.5.toString()'],
    ['"x".length()', '"x".length()'],
    ['[1, 2].length()', '[1, 2].length()'],
    ['main + main.main', '(main + main.main)'],
    ['new int[3]', 'new int[3]'],
    ['new T[n][m]', 'new T[n][m]'],
    ['new ns.T[n + 1][]', 'new ns.T[][(n + 1)]'],
    ['new int[3].length()', 'new int[3].length()'],
    ['(new int[3])[0]', 'new int[3][0]'],
  ])('%s', (text, shown) => expect(expressionOf(text)).toBe(shown));

  it('takes an index on a parenthesised new array for an index', () => {
    const item = parseGood('yield (new int[3])[0];').items[0]!;
    expect(item).toMatchObject({ value: { kind: 'index', object: { kind: 'new-array' } } });
  });
});

describe('array and object literals', () => {
  it.each([
    ['[]', '[]'],
    ['[1, 2, 3,]', '[1, 2, 3]'],
    ['[[1], [], [2,],]', '[[1], [], [2]]'],
    ['{}', '{}'],
    ['{ a: 1, "b c": { d: [] }, }', '{a: 1, "b c": {d: []}}'],
    ['{ type: 1, in: 2, null: 3, main: 4 }', '{type: 1, in: 2, null: 3, main: 4}'],
    ['{ a: c ? { x: 1 } : { x: 2 } }', '{a: (c ? {x: 1} : {x: 2})}'],
    ['{ a: 1 } as P', '({a: 1} as P)'],
  ])('%s', (text, shown) => expect(expressionOf(text)).toBe(shown));
});

describe('templates', () => {
  it.each([
    ['``', '``'],
    ['`a`', '`a`'],
    ['`${a}`', '`${a}`'],
    ['`a${b}c${d}e`', '`a${b}c${d}e`'],
    ['`a $ b $$ {} ${c}$`', '`a $ b $$ {} ${c}$`'],
    ['`x${`y${`z${1}`}`}`', '`x${`y${`z${1}`}`}`'],
    ['`${f({ a: 1 })}`', '`${f({a: 1})}`'],
    ['`${{ a: { b: 1 } }}`', '`${{a: {b: 1}}}`'],
    ['`${"}"}`', '`${"}"}`'],
    ['`\\`\\${x}`', '``${x}`'],
    ['`a\r\nb`', '`a\nb`'],
    ['`// /* ${1} */`', '`// /* ${1} */`'],
  ])('%j', (text, shown) => expect(expressionOf(text)).toBe(shown));

  it('alternates texts and expressions', () => {
    const item = parseGood('yield `a${x}${y}`;').items[0]!;
    expect(item).toMatchObject({
      value: { kind: 'template', texts: ['a', '', ''], expressions: [{ text: 'x' }, { text: 'y' }] },
    });
  });
});

describe('numbers', () => {
  const valueOf = (text: string): unknown => {
    const item = parseGood(`yield ${text};`).items[0]!;
    if (item.kind !== 'yield' || (item.value.kind !== 'int-literal' && item.value.kind !== 'double-literal'))
      throw new Error(showExpression(item));
    expect(item.value.text).toBe(text);
    return item.value.value;
  };

  it.each([
    ['0', 0n],
    ['42', 42n],
    ['1_000_000', 1_000_000n],
    ['0xFF', 255n],
    ['0xdead_BEEF', 0xdead_beefn],
    ['0b1010', 10n],
    ['0b1111_0000', 240n],
    ['9223372036854775807', 9223372036854775807n],
    ['9223372036854775808', 9223372036854775808n],
    ['0x7FFFFFFFFFFFFFFF', 9223372036854775807n],
    ['0x0000000000000000000001', 1n],
  ])('the int %s', (text, value) => expect(valueOf(text)).toBe(value));

  it.each(['9223372036854775809', '99999999999999999999', '0xFFFFFFFFFFFFFFFF', '1'.repeat(100_000)])(
    'an int beyond the limit has no value',
    (text) => {
      expect(valueOf(text)).toBeNull();
    },
  );

  it.each([
    ['3.14', 3.14],
    ['1e9', 1e9],
    ['6.02e+23', 6.02e23],
    ['1E-7', 1e-7],
    ['1_000.5', 1000.5],
    ['0.0', 0],
    ['1.7e308', 1.7e308],
    ['1e309', Infinity],
  ])('the double %s', (text, value) => expect(valueOf(text)).toBe(value));
});

describe('strings', () => {
  const valueOf = (literal: string): unknown => {
    const item = parseGood(`yield ${literal};`).items[0]!;
    return item.kind === 'yield' && item.value.kind === 'string-literal' ? item.value.value : item;
  };

  it.each([
    ['""', ''],
    ['"a b"', 'a b'],
    [String.raw`"\b\t\n\f\r\"\'\\"`, '\b\t\n\f\r"\'\\'],
    [String.raw`"\u0041\u{42}\u{1F600}\u{00000043}"`, 'AB😀C'],
    [String.raw`"\uD83D\uDE00"`, '😀'],
    ['"😀 日本 é"', '😀 日本 é'],
    ['"// not a comment /* nor this */"', '// not a comment /* nor this */'],
    ['"`${x}`"', '`${x}`'],
  ])('%s', (literal, value) => expect(valueOf(literal)).toBe(value));
});
