// First-order recurrences: locals that hand a value on to the next iteration, which does not come out of what they have
// handed on before. It gets a name before anything reads what was, so that vectors can be made of it:
//
//   right = row[x + 1]                     right = row[x + 1]; $here = right   then here is the last lane of $here
//   out[x] = here + right; here = right    out[x] = here + right               before, and the first one of it now
//
// Source: the vectoriser of LLVM; scalar expansion, Allen, Kennedy, "Optimizing Compilers for Modern Architectures", 5.3.

import type { Expression, LocalId, Statement } from '../../mir/mir.ts';
import { getLocal } from '../../mir/builders.ts';
import { localsRead, localsSet } from '../../mir/locals.ts';
import { rewriteExpressions } from '../../mir/rewrite.ts';
import { visitAll } from '../../mir/children.ts';
import { keepAccess } from './element-groups.ts';
import { count } from './reading.ts';
import type { Accesses, Part } from './tree.ts';

export interface FirstOrderRecurrences {
  /** The parts of the loop without the statements that hand values on, and with names for these. */
  readonly parts: readonly Part[];
  /** By what a value is named in an iteration: the local that has it in the next one. */
  readonly carriedBy: ReadonlyMap<LocalId, LocalId>;
}

interface Recurrence {
  readonly local: LocalId;
  /** What is handed on. */
  readonly value: Expression;
  readonly setAt: number;
}

/** The innermost loop with names for what these locals hand on; null where one of them does something else. */
export function nameRecurrences(
  parts: readonly Part[],
  locals: ReadonlySet<LocalId>,
  accesses: Accesses,
  copyLocal: (local: LocalId) => LocalId,
): FirstOrderRecurrences | null {
  if (locals.size === 0) return { parts, carriedBy: new Map() };
  const statements = parts.flatMap((part) => (part.kind === 'straight' ? part.statements : []));
  const sets = count(statements, localsSet);
  const recurrences = new Map<LocalId, Recurrence>();
  for (const local of locals) {
    const setAt = statements.findIndex((node) => node.kind === 'set-local' && node.local === local);
    const node = statements[setAt];
    if (node?.kind !== 'set-local' || sets.get(local) !== 1) return null;
    const { value } = node;
    if (value.type.kind !== 'int' && value.type.kind !== 'double') return null;
    recurrences.set(local, { local, value, setAt });
  }
  const ordered = inOrder([...recurrences.values()], recurrences);
  const places = ordered === null ? null : placesOf(ordered, recurrences, statements);
  if (ordered === null || places === null || !ordered.every((one) => isThere(one, places.get(one)!))) return null;
  const next = new Map(ordered.map(({ local }) => [local, copyLocal(local)]));
  const named = (nodes: readonly Statement[], at: number): readonly Statement[] =>
    rewriteExpressions(
      nodes,
      (node, original) => {
        const read = node.kind === 'get-local' ? recurrences.get(node.local) : undefined;
        return read === undefined || read.setAt >= at
          ? keepAccess(node, original, accesses)
          : getLocal(next.get(read.local)!, node.type, node.span);
      },
      (node, original) => keepAccess(node, original, accesses),
    );
  const nameAt = (at: number): readonly Statement[] =>
    ordered
      .filter((one) => places.get(one) === at)
      .flatMap(({ local, value, setAt }) =>
        named([{ kind: 'set-local', local: next.get(local)!, value, span: value.span }], setAt),
      );
  const isHandedOn = (node: Statement): boolean => node.kind === 'set-local' && recurrences.has(node.local);
  const body = statements.flatMap((node, at) => [...nameAt(at), ...(isHandedOn(node) ? [] : named([node], at))]);
  const carriedBy = new Map([...next].map(([local, name]) => [name, local]));
  return { parts: [{ kind: 'straight', statements: body }], carriedBy };

  /** Whether what is handed on can be worked out at this place. */
  function isThere({ value, setAt }: Recurrence, place: number): boolean {
    const between = statements.slice(place, setAt);
    const set = count(between, localsSet);
    let is = true;
    let [reads, writes] = [false, false];
    visitAll([value], (node) => {
      reads ||= accesses.has(node);
      is &&= localsRead(node).every((local) => recurrences.has(local) || !set.has(local));
    });
    visitAll(between, (node) => void (writes ||= node.kind === 'set-element'));
    return is && !(reads && writes);
  }
}

/** Those first of which others are made; null for a circle. */
function inOrder(all: readonly Recurrence[], byLocal: ReadonlyMap<LocalId, Recurrence>): readonly Recurrence[] | null {
  const ordered = new Set<Recurrence>();
  const asked = new Set<Recurrence>();
  const add = (one: Recurrence): boolean => {
    if (ordered.has(one)) return true;
    if (asked.has(one)) return false;
    asked.add(one);
    const isFine = sourcesOf(one, byLocal).every(add);
    ordered.add(one);
    return isFine;
  };
  return all.every(add) ? [...ordered] : null;
}

function sourcesOf({ value }: Recurrence, byLocal: ReadonlyMap<LocalId, Recurrence>): readonly Recurrence[] {
  return [...count([value], localsRead).keys()].flatMap((local) => byLocal.get(local) ?? []);
}

/** In front of which statement each is named: the first that reads it, or one that is made of it. */
function placesOf(
  ordered: readonly Recurrence[],
  byLocal: ReadonlyMap<LocalId, Recurrence>,
  statements: readonly Statement[],
): ReadonlyMap<Recurrence, number> {
  const places = new Map<Recurrence, number>();
  for (const one of ordered.toReversed()) {
    const read = statements.findIndex((node) => count([node], localsRead).has(one.local));
    const others = ordered.filter((other) => sourcesOf(other, byLocal).includes(one));
    places.set(one, Math.min(one.setAt, ...(read < 0 ? [] : [read]), ...others.map((other) => places.get(other)!)));
  }
  return places;
}
