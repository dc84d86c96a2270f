// Faults in what room elements of arrays have, and in the ranges that decide it.

import type { Mutant } from './mutants.ts';

const file = 'src/4-optimise/transform/element-narrowing.ts';
const ranges = 'src/4-optimise/analysis/ranges.ts';
const versions = 'src/4-optimise/analysis/local-versions.ts';

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
    name: 'local versions: what is set within an expression stays as it was',
    file: versions,
    from: `      if (node.kind === 'sequence') this.#statements(node.statements);`,
    to: ``,
  },
  {
    name: 'local versions: a condition holds in the other branch too',
    file: versions,
    from: `this.#clip(fails, left, negated[comparison], right);`,
    to: `this.#clip(fails, left, comparison, right);`,
  },
  {
    name: 'local versions: of paths that come together one counts',
    file: versions,
    from: `  const inputs = [...new Set(versions)];`,
    to: `  const inputs = versions.slice(0, 1);`,
  },
  {
    name: 'local versions: no break leaves a loop',
    file: versions,
    from: `    this.#state = joinStates([...ends, ...taken(this.#breaks, node.id)]);`,
    to: `    this.#state = joinStates(ends);`,
  },
  {
    name: 'local versions: a loop sets nothing',
    file: versions,
    from: `    for (const phi of phis) state[phi.local] = phi;`,
    to: ``,
  },
  {
    name: 'local versions: a clause begins with what was in front of its try',
    file: versions,
    from: `    for (const local of this.#setsIn(node)) thrown[local] = { kind: 'base', local };`,
    to: ``,
  },
  {
    name: 'local versions: what was read is compared, though it was set since',
    file: versions,
    from: `version !== undefined && this.#reads.get(node) === version ? version : null;`,
    to: `version ?? null;`,
  },
  {
    name: 'local versions: one of several conditions is enough to be left',
    file: versions,
    from: `joinStates(decided)]`,
    to: `joinStates(decided.slice(0, 1))]`,
  },
  {
    name: 'ranges: what was added to does not wrap around',
    file: ranges,
    from: `    if (range.low + plus < lowest || range.high + plus > highest) return range;`,
    to: ``,
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
