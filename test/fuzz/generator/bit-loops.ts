// Loops that go through the bits of an int, as they are written to count them, and loops that only look like it.

import type { Dice } from '../random-text.ts';

const clearings = [
  'x &= x - 1',
  'x = x - 1 & x',
  'x -= x & -x',
  'x = x - (-x & x)',
  'x ^= -x & x',
  'x >>>= 1',
  'x >>>= 1',
  'x >>>= 1',
];
/** These end for what is not negative. */
const halvings = [...clearings, 'x >>= 1', 'x /= 2', 'x >>= 1', 'x /= 2'];
const additions = [
  'n++',
  'n += 1',
  'n += x & 1',
  'n += 1 & x',
  'n += x % 2',
  'n += x % 2',
  'n += x % 2',
  'n = 3 + n',
  'n += m',
  'n -= 1',
  'n *= 3',
  'm += n',
];

/** Takes the variable `x` to zero, or leaves it where it is negative, and changes `n` and `m`, which are others. */
export function bitLoop(dice: Dice, x: string, n: string, m: string): string {
  const named = (text: string): string =>
    text.replace(/[xnm]/g, (letter) => (letter === 'x' ? x : letter === 'n' ? n : m));
  const isPositive = dice.chance(50);
  const test = isPositive ? dice.pick(['x > 0', '0 < x', 'x >= 1']) : dice.pick(['x != 0', '0 != x']);
  const next = dice.pick(isPositive ? halvings : clearings);
  const adds = Array.from({ length: dice.below(3) }, () => dice.pick(additions));
  const order = dice.chance(50) ? [...adds, next] : [next, ...adds];
  const [loop, body] = dice.chance(30) ? [`for (; ${test}; ${next})`, adds] : [`while (${test})`, order];
  return named(`${loop} { ${body.map((one) => `${one};`).join(' ')} }`);
}
