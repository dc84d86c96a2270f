// Loops that count bits by one instruction (bit-idioms.ts): what they give, and the fuel that they use, is what going
// round gives and uses, by every setting of the compiler.

import { describe, expect, it } from 'vitest';
import { outcome } from './outcomes.ts';

const numbers = ['0', '1', '2', '6', '255', '4611686018427387904', '9223372036854775807', '-1', '-6', '1 << 63'];

describe.each([
  ['takes its lowest one away', 'while (x != 0) { x &= x - 1; n++; }', (x: bigint) => [ones(x), 0n]],
  ['subtracts its lowest one', 'while (0 != x) { n += 2; x -= x & -x; }', (x: bigint) => [2n * ones(x), 0n]],
  [
    'flips its lowest one',
    'while (x > 0) { x ^= -x & x; n += w; }',
    (x: bigint) => (x > 0n ? [-3n * ones(x), 0n] : [0n, x]),
  ],
  ['halves it', 'for (; x > 0; x /= 2) n++;', (x: bigint) => (x > 0n ? [digits(x), 0n] : [0n, x])],
  ['shifts it', 'while (x != 0) { n = n + (1 & x) + 0; x >>>= 1; }', (x: bigint) => [ones(x), 0n]],
  ['adds its digits', 'while (x != 0) { n += x & 1; x >>>= 1; }', (x: bigint) => [ones(x), 0n]],
  ['adds its remainders', 'while (0 < x) { n += x % 2; x >>= 1; }', (x: bigint) => (x > 0n ? [ones(x), 0n] : [0n, x])],
  [
    'adds remainders of what may be negative',
    'while (x != 0) { n += x % 2; x >>>= 1; }',
    (x: bigint) => [ones(x) - (x < 0n && (x & 1n) === 1n ? 2n : 0n), 0n],
  ],
  [
    'reads a digit late',
    'while (x > 0) { x >>= 1; n += x & 1; }',
    (x: bigint) => (x > 0n ? [ones(x >> 1n), 0n] : [0n, x]),
  ],
])('a loop that %s', (_name, loop, expected) => {
  it.each(numbers)('of %s', async (number) => {
    const text = `int count(int x, int w) { int n = 0; ${loop} yield x; return n; } return count(${number}, -3);`;
    const x = number === '1 << 63' ? -(2n ** 63n) : BigInt(number);
    const [n, rest] = expected(x);
    expect((await outcome(text)).slice(0, 2)).toEqual([String(rest), `returns ${n}`]);
  });
});

function ones(x: bigint): bigint {
  return BigInt([...BigInt.asUintN(64, x).toString(2)].filter((digit) => digit === '1').length);
}

function digits(x: bigint): bigint {
  return BigInt(x.toString(2).length);
}
