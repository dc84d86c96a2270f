// Faults in what room elements of arrays have, and in the ranges that decide it.

import type { Mutant } from './mutants.ts';

const file = 'src/4-optimise/transform/element-narrowing.ts';
const ranges = 'src/4-optimise/analysis/ranges.ts';
const reads = 'src/4-optimise/analysis/bounded-reads.ts';

export const elementMutants: readonly Mutant[] = [
  {
    name: 'element narrowing: a byte has room for 256',
    file,
    from: `['u8', { low: 0n, high: (1n << 8n) - 1n }]`,
    to: `['u8', { low: 0n, high: 1n << 8n }]`,
  },
  {
    name: 'element narrowing: 16 bits have room for negative numbers',
    file,
    from: `['u16', { low: 0n, high: (1n << 16n) - 1n }]`,
    to: `['u16', { low: -1n, high: (1n << 16n) - 1n }]`,
  },
  {
    name: 'element narrowing: signed numbers of 32 bits have room for unsigned ones',
    file,
    from: `['i32', { low: -(1n << 31n), high: (1n << 31n) - 1n }]`,
    to: `['i32', { low: -(1n << 31n), high: (1n << 32n) - 1n }]`,
  },
  {
    name: 'element narrowing: an array that somebody sees as a whole is narrow',
    file,
    from: `    this.#wide.add(rootOf(of));`,
    to: ``,
  },
  {
    name: 'element narrowing: elements of 16 bits lie in 8',
    file: 'src/5-emit/element-packing.ts',
    from: `u16: { packed: i16,`,
    to: `u16: { packed: i8,`,
  },
  {
    name: 'element narrowing: unsigned elements of 32 bits are read with a sign',
    file: 'src/5-emit/element-packing.ts',
    from: `u32: { packed: notPacked, isSigned: false`,
    to: `u32: { packed: notPacked, isSigned: true`,
  },
  {
    name: 'ranges: a limit that is included is left out',
    file: ranges,
    from: `      return { low: lowest, high: end.high };`,
    to: `      return { low: lowest, high: end.high - 1n };`,
  },
  {
    name: 'ranges: what is stored at itself is an index, whatever is added to it',
    file: ranges,
    from: `    node.value.kind === 'get-local' &&
    node.index.local === node.value.local`,
    to: `    true`,
  },
  {
    name: 'bounded reads: behind a step in the body too',
    file: reads,
    from: `  if (bounded.size > 0) for (const node of loop.body) note(node, bounded);`,
    to: `  for (const node of loop.body) note(node, new Set(bounds.keys()));`,
  },
  {
    name: 'bounded reads: of a variable that is set elsewhere too',
    file: reads,
    from: `if (sets.get(local) === 1 && bounds.has(local)) bounded.add(local);`,
    to: `if (bounds.has(local)) bounded.add(local);`,
  },
  {
    name: 'bounded reads: a length stays small whatever it is set to behind that',
    file: reads,
    from: `local !== null && sets.get(local) === setBefore.get(local)`,
    to: `local !== null`,
  },
  {
    name: 'ranges: a remainder is never negative',
    file: ranges,
    from: `    return { low: larger(smaller(a.low, 0n), -most),`,
    to: `    return { low: 0n,`,
  },
  {
    name: 'loop idioms: elements of two sizes are copied as they lie in memory',
    file: 'src/4-optimise/transform/loop-idioms.ts',
    from: `typeKey(read.hoisted.array.type) === typeKey(store.hoisted.array.type)`,
    to: `typeKey(read.type) === typeKey(store.value.type)`,
  },
];
