// Predictive commoning: what an innermost loop reads in one iteration and again in the next, as `a[j + 1]` and then `a[j]`,
// it reads once: the values go from one local to the next at the end of each iteration. An element that the loop sets is
// handed on in the same way.
//
// Source: Callahan, Carr, Kennedy, "Improving register allocation for subscripted variables" (1990); O'Brien, "Predictive
// commoning: a method of optimizing loops containing references to consecutive array elements" (1990).

import type { LocalId, Statement } from '../../mir/mir.ts';
import { getLocal } from '../../mir/builders.ts';
import { coefficientOf, keyOf, plus, substitute } from './affine-forms.ts';
import { areApart, groupsIn, load, rewriteAccesses } from './element-groups.ts';
import type { Group, PromotionContext } from './element-groups.ts';
import type { Access, NestLoop, Part, Straight } from './tree.ts';

/** Values that are handed on over more iterations would not stay in registers. */
const longestDistance = 4n;
const mostLocals = 12;

/** Accesses to elements of one array that lie next to each other along the loop. */
interface Stream {
  /** By how far they are ahead of the variable. */
  readonly groups: ReadonlyMap<bigint, Group>;
  readonly first: bigint;
  readonly last: bigint;
}

/** The loop with what it reads handed on, and what is loaded in front of it; null where there is nothing to hand on. */
export function commonLoop(
  loop: NestLoop,
  around: readonly NestLoop[],
  context: PromotionContext,
): readonly [Straight, NestLoop] | null {
  const [part] = loop.parts;
  if (part?.kind !== 'straight' || !loop.goesUp || loop.step !== 1n || loop.continues === true) return null;
  // What is loaded in front of the loop must be there: it makes an iteration, which is looked at in front of the nest.
  if (![...loop.first.terms.keys(), ...loop.end.terms.keys()].every((local) => context.isFixed(local))) return null;
  const groups = groupsIn([part], context.accesses);
  const streams = streamsOf(groups, loop).filter((stream) => isAlone(stream, groups, loop, around, context));
  let locals = 0n;
  const chosen = streams.filter(({ first, last }) => (locals += last - first + 1n) <= mostLocals);
  if (chosen.length === 0) return null;
  context.nonEmpty.add(loop.source);
  const before: Statement[] = [];
  const begin: Statement[] = [];
  const end: Statement[] = [];
  let parts: readonly Part[] = [part];
  const { span } = loop.source;
  for (const { groups: members, first, last } of chosen) {
    const [[offset, { first: access }]] = [...members] as [[bigint, Group]];
    const at = (by: bigint, isInFront: boolean): Access => shifted(access, loop, by - offset, isInFront);
    const values = new Map<bigint, LocalId>();
    for (let by = first; by <= last; by++) values.set(by, context.newScalar(access));
    for (const [by, local] of values) {
      const isLast = by === last;
      const value = load(at(by, !isLast), span, context.accesses);
      (isLast ? begin : before).push({ kind: 'set-local', local, value, span });
      if (!isLast)
        end.push({ kind: 'set-local', local, value: getLocal(values.get(by + 1n)!, access.type, span), span });
    }
    parts = rewriteAccesses(parts, members, values, context.accesses);
  }
  const [body] = parts as readonly [Straight];
  const statements = [...begin, ...body.statements, ...end];
  return [
    { kind: 'straight', statements: before },
    { ...loop, parts: [{ kind: 'straight', statements }] },
  ];
}

function shifted(access: Access, { variable, first }: NestLoop, by: bigint, isInFront: boolean): Access {
  const subscripts = access.subscripts.map((form) => {
    const moved = coefficientOf(form, variable) === 0n ? form : plus(form, by);
    return isInFront ? substitute(moved, variable, first) : moved;
  });
  return { ...access, subscripts, isWrite: false };
}

/** The streams in which something is read that was read or set an iteration before. */
function streamsOf(groups: readonly Group[], { variable }: NestLoop): readonly Stream[] {
  const found = new Map<string, Map<bigint, Group>>();
  for (const group of groups) {
    const { array, subscripts } = group.first;
    const moving = subscripts.filter((form) => coefficientOf(form, variable) !== 0n);
    const [only] = moving;
    if (only === undefined || moving.length > 1 || coefficientOf(only, variable) !== 1n) continue;
    const places = subscripts.map((form) => (form === only ? keyOf({ ...form, constant: 0n }) : keyOf(form)));
    const key = `${array.key}[${places.join('][')}]`;
    const stream = found.get(key) ?? new Map<bigint, Group>();
    found.set(key, stream.set(only.constant, group));
  }
  return [...found.values()].flatMap((members): readonly Stream[] => {
    const offsets = [...members.keys()].toSorted((a, b) => Number(a - b));
    const [first, last] = [offsets[0]!, offsets.at(-1)!];
    const isSure = [...members.values()].every((group) => group.isSure || !group.isWritten);
    const reads = [...members.values()].some(({ beginsWithRead, isWritten }) => beginsWithRead || !isWritten);
    return members.size > 1 && last - first <= longestDistance && isSure && reads
      ? [{ groups: members, first, last }]
      : [];
  });
}

/** Whether the loop sets no element of the stream but by the stream itself. */
function isAlone(
  stream: Stream,
  groups: readonly Group[],
  loop: NestLoop,
  around: readonly NestLoop[],
  context: PromotionContext,
): boolean {
  const members = [...stream.groups.values()];
  return groups
    .filter((other) => !members.includes(other))
    .every((other) => members.every((member) => areApart(member, other, loop, around, context)));
}
