// The functions of Math that are not instructions. They are passed to the module without a wrapper: an engine that
// recognises its own Math.sin as an import calls it directly.

import { HostError } from '../../errors/errors.ts';
import type { FreeNamespace } from '../namespace.ts';

/** `random` gives values of at least 0 and below 1. */
export function mathFunctions(random: () => number) {
  return {
    random,
    pow: Math.pow,
    sign: Math.sign,
    sin: Math.sin,
    cos: Math.cos,
    tan: Math.tan,
    asin: Math.asin,
    acos: Math.acos,
    atan: Math.atan,
    atan2: Math.atan2,
    sinh: Math.sinh,
    cosh: Math.cosh,
    tanh: Math.tanh,
    exp: Math.exp,
    expm1: Math.expm1,
    log: Math.log,
    log2: Math.log2,
    log10: Math.log10,
    log1p: Math.log1p,
    cbrt: Math.cbrt,
    hypot: Math.hypot,
  };
}

export const namespace: FreeNamespace = { bind: ({ random }) => mathFunctions(random) };

/**
 * A generator of doubles of at least 0 and below 1, for the option `random`: the same finite seed gives the same
 * numbers on every engine. The algorithm is sfc32, by Chris Doty-Humphrey, from PractRand. Throws HostError for another
 * seed.
 */
export function seededRandom(seed: number): () => number {
  if (!Number.isFinite(seed)) throw new HostError('the seed of a generator is a finite number');
  const bits = new BigUint64Array(new Float64Array([seed]).buffer)[0]!;
  let a = Number(bits & 0xffffffffn) | 0;
  let b = Number(bits >> 32n) | 0;
  let c = 0x9e3779b9 | 0;
  let counter = 1;
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  for (let round = 0; round < 16; round++) next();
  // 53 bits: the upper 27 and the lower 26.
  return () => ((next() >>> 5) * 0x4000000 + (next() >>> 6)) / 0x20000000000000;
}
