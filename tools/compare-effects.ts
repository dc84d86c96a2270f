// What the rows of the library say of the functions of the prelude, held against what their bodies do.

import type { CheckedFunction } from '../src/2-check/typed-tree.ts';
import { jsonType } from '../src/language/types.ts';
import type { Type } from '../src/language/types.ts';
import type { LibraryFunction } from '../src/library/declare.ts';
import { argumentNames, canRefer, describePlace } from '../src/library/effects.ts';
import type { EffectsRow, Place } from '../src/library/effects.ts';
import { splitOrigin } from './infer-effects.ts';
import type { EffectInference, Origin, Summary } from './infer-effects.ts';

/** What a function of the prelude does, in the terms of a row. */
export type InferredEffects = Required<Omit<EffectsRow, 'range' | 'cost'>>;

/** What the function of a row does by its body. */
export function inferEffects(inference: EffectInference, row: LibraryFunction): InferredEffects {
  if (row.implementation.kind !== 'prelude') throw new Error(`${row.id} is no function of the prelude`);
  const id = `prelude#${row.implementation.name}`;
  return describe(inference.function(id), inference.summary(id), argumentNames(row));
}

/** What a row says otherwise than its body: empty, unless the one or the other is wrong. */
export function findDifferences(inference: EffectInference, row: LibraryFunction): readonly string[] {
  const found = inferEffects(inference, row);
  const said = describeRow(row);
  const differences: string[] = [];
  for (const key of ['reads', 'stores', 'resizes', 'flows'] as const) {
    for (const one of found[key])
      if (!said[key].some((other) => covers(other, one))) differences.push(`${key} ${one}, which its row does not say`);
    for (const one of said[key])
      if (!found[key].some((other) => covers(one, other))) differences.push(`never ${key} ${one}, as its row says`);
  }
  for (const key of ['throws', 'allocates', 'external'] as const) {
    if (found[key] !== said[key])
      differences.push(
        `${found[key] ? 'is' : 'is never'} ${key}: true, which its row ${found[key] ? 'does not say' : 'says'}`,
      );
  }
  if (said.closed && !found.closed) differences.push('makes up values, but its row says closed');
  return differences.filter((difference) => !(exceptions[row.id] ?? []).includes(difference));
}

/** What a body seems to do and does not, with the reason. */
const exceptions: Readonly<Record<string, readonly string[]>> = {
  // What it gives as it is, and not as a copy, is neither an array nor an object, so that nobody can change it.
  'json.copy': ['this', 'this[]', 'this[..]'].flatMap((from) =>
    ['result', 'result[]', 'result[..]'].map((to) => `flows ${to} = ${from}, which its row does not say`),
  ),
};

function describeRow(row: LibraryFunction): InferredEffects {
  const names = argumentNames(row);
  const { reads, stores, resizes, flows, isClosed, throws, allocates, isExternal } = row.effects;
  const place = (of: Place): string => describePlace(of, names);
  return {
    reads: reads.map((of) => place({ of, depth: 'itself' })),
    stores: stores.map(place),
    resizes: resizes.map(place),
    flows: flows.map(({ to, from }) => `${place(to)} = ${place(from)}`),
    closed: isClosed,
    throws,
    allocates,
    external: isExternal,
  };
}

/** Whether a place, or a flow, is another or has it in it: `x[..]` is all that can be reached from x. */
function covers(one: string, other: string): boolean {
  const [places, others] = [one.split(' = '), other.split(' = ')];
  return places.every(
    (place, at) =>
      place === others[at] || (place.endsWith('[..]') && others[at]!.replace(/\[.*/, '') === place.slice(0, -4)),
  );
}

function describe(
  fn: CheckedFunction,
  { reads, stores, resizes, contents, returned, throws, allocates, isExternal }: Summary,
  names: readonly string[],
): InferredEffects {
  const typeOf = (at: number): Type => fn.locals[fn.parameters[at]!.local]!.type;
  const isClosed = !returned.has('any') && ![...contents.values()].some((held) => held.has('any'));
  const place = (origin: Origin): string => {
    const { at, depth } = splitOrigin(origin);
    return describePlace({ of: at, depth }, names);
  };
  /** Where the value is no reference, that it came from there says nothing. */
  const counts = (origin: Origin): boolean => {
    if (origin === 'any' || origin === 'new') return false;
    const { at, depth } = splitOrigin(origin);
    return isClosed || canRefer(typeAt(typeOf(at), depth));
  };
  const flows = (isClosed || canRefer(fn.returns) ? [...returned] : [])
    .filter(counts)
    .map((origin) => `result = ${place(origin)}`);
  for (const [holder, held] of contents) {
    const isResult = holder === 'new' && returned.has('new');
    if (holder === 'new' && !isResult) continue;
    const deep = holder === 'new' ? held.has('new') : splitOrigin(holder).depth !== 'itself';
    const to = isResult ? `result${deep ? '[..]' : '[]'}` : `${names[splitOrigin(holder).at]!}${deep ? '[..]' : '[]'}`;
    // Numbers and texts in a result are its own.
    if (isResult && !isClosed && fn.returns.kind === 'array' && !canRefer(fn.returns.element)) continue;
    for (const origin of held) if (counts(origin) && to !== place(origin)) flows.push(`${to} = ${place(origin)}`);
  }
  const listed = (origins: Iterable<Origin>): readonly string[] => [...origins].map(place).toSorted();
  return {
    reads: [...reads]
      .filter((at) => canRefer(typeOf(at)))
      .map((at) => names[at]!)
      .toSorted(),
    stores: listed(stores),
    resizes: listed(resizes),
    flows: flows.toSorted(),
    closed: isClosed,
    throws,
    allocates,
    external: isExternal,
  };
}

function typeAt(type: Type, depth: Place['depth']): Type {
  if (depth === 'itself') return type;
  return type.kind === 'array' && depth === 'contents'
    ? type.element
    : type.kind === 'array' || type.kind === 'struct' || type.kind === 'variable'
      ? jsonType
      : type;
}
