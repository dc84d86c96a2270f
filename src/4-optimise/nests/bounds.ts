// Bounds of the loops inside a nest: affine forms, or elements of arrays and what is worked out from these. A local has such
// a bound in front of the loop, and a range is known of it (symbolic-ranges.ts). Conditions and dependences are of the
// hull, the loop between the least and the greatest bound; what is emitted counts from the local, or up to it.
//
//   loop i  for (k = start[i]; k < start[i + 1]; k++) …      loop i  $first = start[i]; $end = start[i + 1]; loop k …
//
// Source: the convex hull of the iterations of a loop, Ancourt, Irigoin, "Scanning polyhedra with DO loops" (1991).

import { countsUp } from '../../mir/mir.ts';
import type { CountedLoop, Expression, LocalId, Loop, Statement } from '../../mir/mir.ts';
import { flatten } from '../../mir/children.ts';
import { localsRead, localsSet } from '../../mir/locals.ts';
import { intType } from '../../language/types.ts';
import type { Type } from '../../language/types.ts';
import { add, coefficientOf, localForm } from './affine-forms.ts';
import type { AffineForm } from './affine-forms.ts';
import { count } from './reading.ts';
import type { InFront, Names } from './reading.ts';
import type { References } from './references.ts';
import type { StatementReader } from './statements.ts';
import type { Access, NestLoop, Scan, SymbolicRange } from './tree.ts';

/** A bound of a loop. */
export interface Bound {
  readonly form: AffineForm;
  /** The local that has it in front of the loop, where it is no affine form. */
  readonly ranged: RangedLocal | null;
}

interface RangedLocal {
  readonly local: LocalId;
  readonly range: SymbolicRange;
  /** The element that it is; null where it is worked out. */
  readonly element: Access | null;
}

type SetLocal = Statement & { readonly kind: 'set-local' };

export class BoundReader {
  readonly #references: References;
  readonly #statements: StatementReader;
  readonly #newLocal: (name: string, type: Type) => LocalId;
  /** What locals are set to that are set once. */
  readonly #values = new Map<LocalId, Expression>();

  constructor(references: References, statements: StatementReader, newLocal: (name: string, type: Type) => LocalId) {
    this.#references = references;
    this.#statements = statements;
    this.#newLocal = newLocal;
  }

  /** Told of all statements that have been read. */
  note(nodes: readonly Statement[]): void {
    for (const node of nodes)
      if (node.kind === 'set-local' && this.#statements.sets.get(node.local) === 1)
        this.#values.set(node.local, node.value);
  }

  /** The limit of a loop, which is looked at in front of it only; null where it changes inside, or no range is known. */
  limitOf(value: Expression, loop: Loop, names: Names, inFront: Statement[]): Bound | null {
    const set = count([loop], localsSet);
    const isSame = [...count([value], localsRead).keys()].every((local) => !set.has(local));
    if (!isSame || value.type.kind !== 'int') return null;
    return this.#setInFront('limit', value, { names, statements: inFront });
  }

  /** A local with a value in front of the outermost loop that leaves that as it is, or else at this place. */
  #setInFront(name: string, written: Expression, here: Pick<InFront, 'names' | 'statements'>): Bound | null {
    const place = this.#statements.placeFor(written, here.names);
    // What a local is set to inside may be known further out than that.
    const known = this.#valueOf(written, here.names);
    const further = place === null ? this.#statements.placeFor(known, here.names) : null;
    const value = further === null ? written : known;
    const { names, statements } = place ?? further ?? here;
    const local = this.#newLocal(name, intType);
    const read = this.#statements.read({ kind: 'set-local', local, value, span: value.span }, names);
    const set = read?.at(-1);
    const bound = set?.kind === 'set-local' ? this.#boundOf(set, local, names) : null;
    if (bound === null) return null;
    this.#statements.noteMade(local, names);
    statements.push(...read!);
    return bound;
  }

  /** With what the variable of a loop begins: it is set right in front of the loop, by a statement that is taken away. */
  takeFirst(loop: Loop, straight: Statement[], names: Names): Bound | null {
    const at = straight.findLastIndex((node) => node.kind === 'set-local' && isStep(loop.step, node.local));
    const start = straight[at];
    if (start?.kind !== 'set-local') return null;
    const read = count([start.value], localsRead);
    // A limit may have been worked out in between, but nothing that the start was made of.
    const isBetween = (node: Statement): boolean =>
      node.kind === 'set-local' &&
      !read.has(node.local) &&
      !count([node], localsRead).has(start.local) &&
      (names.ints.has(node.local) || names.ranges.has(node.local));
    if (!straight.slice(at + 1).every(isBetween)) return null;
    const form = this.#references.affine(start.value, names);
    if (form !== null) straight.splice(at, 1);
    if (form !== null) return { form, ranged: null };
    const set: Statement[] = [];
    const first = names.ranges.has(start.local)
      ? this.#setInFront('first', start.value, { names, statements: set })
      : null;
    if (first !== null) straight.splice(at, 1, ...set);
    return first;
  }

  #boundOf({ local: set, value }: SetLocal, local: LocalId, names: Names): Bound | null {
    const range = names.ranges.get(set);
    if (range === undefined) return null;
    const element = this.#statements.accesses.get(this.#valueOf(value, names)) ?? null;
    return { form: localForm(local), ranged: { local, range, element } };
  }

  /** What a local has been set to in this iteration, if it does not carry a value that it got before. */
  #valueOf(value: Expression, { carried }: Names): Expression {
    const isLocal = value.kind === 'get-local' && !carried.has(value.local);
    return (isLocal ? this.#values.get(value.local) : undefined) ?? value;
  }

  /** What a loop between the bounds has besides its forms. */
  between(
    first: Bound,
    { bound: limit, comparison }: { readonly bound?: Bound; readonly comparison: CountedLoop['comparison'] },
    names: Names,
  ): Pick<NestLoop, 'ranges' | 'segments'> {
    const ranged = [first.ranged, limit?.ranged ?? null].filter((one) => one !== null);
    if (ranged.length === 0) return {};
    const segments = limit === undefined || comparison !== '<' ? null : this.#segmentsOf(first, limit, names);
    const goesUp = countsUp(comparison);
    const ranges = new Map(
      ranged.map(({ local, range }) => [local, forOne(range, (local === first.ranged?.local) === goesUp)]),
    );
    return segments === null ? { ranges } : { ranges, segments };
  }

  /** The array of which the loop goes from one element to the next, not to the same one in two iterations around it. */
  #segmentsOf(first: Bound, end: Bound, { loops }: Names): Scan | null {
    const [one, other] = [first.ranged?.element, end.ranged?.element];
    const around = loops.at(-1);
    if (one === undefined || other === undefined || one === null || other === null) return null;
    const [from] = one.subscripts;
    const [to] = other.subscripts;
    if (around === undefined || one.array !== other.array || from === undefined || to === undefined) return null;
    const { terms, constant } = add(to, from, -1n);
    const isNext = terms.size === 0 && constant === 1n && one.ranges === undefined && other.ranges === undefined;
    const isOther = coefficientOf(from, around.variable) !== 0n;
    return isNext && isOther ? (this.#references.scans.get(one.array) ?? null) : null;
  }
}

/** A range of which but the least bound counts, or the greatest. */
function forOne(range: SymbolicRange, isLeast: boolean): SymbolicRange {
  const unused = isLeast ? 'greatest' : 'least';
  return { ...range, requirements: range.requirements.filter(({ of }) => of !== unused) };
}

/** Whether the step of a loop does nothing but to move its variable. */
function isStep(step: readonly Statement[], variable: LocalId): boolean {
  const [only, ...others] = flatten(step);
  return only?.kind === 'set-local' && only.local === variable && others.length === 0;
}
