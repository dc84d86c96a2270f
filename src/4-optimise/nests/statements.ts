// Reads the statements of a loop nest: those that set locals and elements, and ifs with nothing but these.

import type { Expression, If, LocalId, Loop, Statement } from '../../mir/mir.ts';
import { arithmetic, getLocal } from '../../mir/builders.ts';
import { flatten, operandsOf, visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { effectsOf, isPure } from '../../mir/effects.ts';
import { localsRead, localsSet } from '../../mir/locals.ts';
import { rewriteExpressions } from '../../mir/rewrite.ts';
import { intType, isScalar } from '../../language/types.ts';
import type { Type } from '../../language/types.ts';
import { count } from './reading.ts';
import type { InFront, Names, ReaderContext, Refusal } from './reading.ts';
import { guardsOf } from './guards.ts';
import type { Guard } from './guards.ts';
import { localForm, toExpression } from './affine-forms.ts';
import type { AffineForm } from './affine-forms.ts';
import type { RowTimesStride } from './delinearisation.ts';
import { ofForm } from './polynomials.ts';
import type { Polynomial } from './polynomials.ts';
import type { ElementReference, References } from './references.ts';
import { withoutSequences } from './sequences.ts';
import { joinRanges, narrowRange, rangeOf } from './symbolic-ranges.ts';
import type { FoundRange, RangeContext } from './symbolic-ranges.ts';
import { wrapPosition } from './wrapped-positions.ts';
import type { WrappedPosition } from './wrapped-positions.ts';
import { liftSubscripts } from './lifted-subscripts.ts';
import type { Accesses, Reference, SymbolicRange } from './tree.ts';

type Charge = Statement & { readonly kind: 'charge' };
type SetLocal = Statement & { readonly kind: 'set-local' };

export class StatementReader {
  readonly #context: ReaderContext;
  readonly #references: References;
  /** How often the nest sets each local, and reads it. */
  readonly sets: ReadonlyMap<LocalId, number>;
  readonly #reads: ReadonlyMap<LocalId, number>;
  readonly accesses: Accesses = new Map();
  readonly rows = new Map<Node, Reference>();
  /** The subscripts of accesses to arrays of one dimension. */
  readonly flat = new Map<Node, Polynomial>();
  /** Indices that are rows times strides, where the rows have but a range. */
  readonly rowsTimesStrides = new Map<LocalId, RowTimesStride>();
  readonly #multiplied = new Map<LocalId, { readonly row: LocalId; readonly by: Expression }>();
  /** What holds where accesses are made, and rows are put into locals. */
  readonly guards = new Map<Node, readonly Guard[]>();
  /** What must hold for statements to be as they are written, and not to fail. */
  readonly requirements = new Map<Node, readonly AffineForm[]>();
  /** Locals that must be small for that. */
  readonly guarding = new Set<LocalId>();
  /** Operations that do not fail where the requirements hold. */
  readonly #unfailing = new Set<Node>();
  readonly #ranges: RangeContext;
  /** Of the elements that are set: others may be read earlier. */
  readonly #typesSet: ReadonlySet<Type['kind']>;
  /** Locals that were made while the nest was read, whose places are known to the loops around. */
  readonly #made = new Set<LocalId>();
  /** The local that sums up what is charged under conditions, to be charged behind the nest; null where nothing is. */
  spent: LocalId | null = null;

  constructor(root: Loop, references: References, context: ReaderContext) {
    this.#context = context;
    this.#references = references;
    this.sets = count([root], localsSet);
    this.#reads = count([root], localsRead);
    this.#typesSet = typesSet(root);
    this.#ranges = {
      affine: (node, names) => references.affine(node, names),
      isInvariant: references.isInvariant,
      isInFront: (local) => references.isInvariant(local) && !references.isScanned(local),
      valueInFront: (key, name, value) => references.valueInFront(key, name, value),
      elementsOf: references.elementsOf,
    };
  }

  #refuse(kind: Refusal['kind'], node: Node): null {
    this.#context.refuse?.(kind, node);
    return null;
  }

  /** What stays of a statement; null where it has no place in a nest. */
  read(written: Statement, names: Names): readonly Statement[] | null {
    const [plain] = rewriteExpressions([written], (part) => this.#references.fieldInFront(part) ?? part) as [Statement];
    const { lifted, node } = liftSubscripts(plain, {
      isForm: (index) => this.#references.polynomial(index, names) !== null,
      hasRange: (index) => rangeOf(index, names, this.#ranges) !== null,
      isSteady: (value) => this.placeFor(value, names) !== null,
      newIndex: () => this.#context.newLocal('index', intType),
      noteRow: (index, row, by) => void this.#multiplied.set(index, { row, by }),
    });
    const kept: Statement[] = [];
    for (const set of lifted) {
      const place = this.placeFor(set.value, names);
      const some = this.#setLocal(set, place?.names ?? names);
      if (some === null) return null;
      if (place === null) kept.push(...some);
      else this.#setInFront(set.local, some, place, names);
      this.noteMade(set.local, place?.names ?? names);
      this.#noteRow(set.local, place?.names ?? names);
    }
    const rest = this.#readPlain(node, names);
    return rest === null ? null : [...kept, ...rest];
  }

  /** An index that has been worked out as a row times a stride. */
  #noteRow(index: LocalId, names: Names): void {
    const product = this.#multiplied.get(index);
    if (product === undefined) return;
    const range = names.ranges.get(product.row);
    const stride = this.#references.strideOf(product.by, names);
    if (range !== undefined && stride !== null) this.rowsTimesStrides.set(index, { row: product.row, range, stride });
  }

  /** All loops around the place set the local, which was not there when they were looked at. */
  noteMade(local: LocalId, { inFront }: Names): void {
    this.#made.add(local);
    for (let at = inFront; at !== null; at = at.names.inFront) at.sets.add(local);
  }

  /**
   * The outermost loop that leaves as it is what a value is made of, in front of which it can be worked out; null where
   * it changes in each iteration.
   */
  placeFor(value: Expression, { guards, inFront }: Names): InFront | null {
    const read = count([value], localsRead);
    // Others that were made meanwhile are set somewhere inside.
    const inFrontOfAll = new Set([...this.#references.invariants.values()].map(({ local }) => local));
    const isKnown = (local: LocalId): boolean =>
      this.#reads.has(local) || this.#made.has(local) || inFrontOfAll.has(local);
    const isSame = ({ names, sets }: InFront): boolean =>
      names.guards.length === guards.length && ![...read.keys()].some((local) => sets.has(local));
    if (![...read.keys()].every(isKnown) || this.#readsWhatIsSet(value)) return null;
    let place: InFront | null = null;
    for (let next = inFront; next !== null && isSame(next); next = next.names.inFront) place = next;
    return place;
  }

  /** Whether it reads elements of a type that the nest sets. */
  #readsWhatIsSet(value: Expression): boolean {
    let reads = false;
    visitAll([value], (node) => void (reads ||= node.kind === 'get-element' && this.#typesSet.has(node.type.kind)));
    return reads;
  }

  #setInFront(local: LocalId, statements: readonly Statement[], { names, statements: front }: InFront, inside: Names) {
    front.push(...statements);
    const range = names.ranges.get(local);
    for (let at: Names | undefined = inside; at !== undefined && at !== names && range !== undefined;) {
      at.ranges.set(local, range);
      at = at.inFront?.names;
    }
  }

  #readPlain(node: Statement, names: Names): readonly Statement[] | null {
    if (node.kind === 'set-local') return this.#setLocal(node, names);
    if (node.kind === 'set-element') {
      if (!isScalar(node.value.type)) return this.#refuse('statement', node);
      const access = this.#references.access(node.array, node.index, names);
      if (access === null || !this.#isPlain(node.value, names)) return null;
      this.#note(node, access, names, true, node.value.type);
      return [node];
    }
    if (node.kind === 'charge' && node.units.kind === 'int') return [this.spend(node)];
    if (node.kind !== 'if') return this.#refuse('statement', node);
    const ends: Map<LocalId, SymbolicRange>[] = [];
    const block = (nodes: readonly Statement[], guards: readonly Guard[]): readonly Statement[] | null => {
      const ranges = new Map(names.ranges);
      ends.push(ranges);
      const inside: Names = { ...names, ints: new Map(names.ints), rows: new Map(names.rows), ranges, guards };
      const kept: Statement[] = [];
      for (const part of withoutSequences(flatten(nodes), this.#context.newLocal)) {
        const some = this.read(part, inside);
        if (some === null) return null;
        kept.push(...some);
      }
      return kept;
    };
    const arms: If['arms'][number][] = [];
    let behind = names;
    for (const arm of node.arms) {
      const then = block(arm.then, this.guarded(behind, arm.condition, true).guards);
      if (then === null) return null;
      arms.push({ ...arm, then });
      behind = this.guarded(behind, arm.condition, false);
    }
    const otherwise = block(node.otherwise, behind.guards);
    if (otherwise === null || !this.#arePlain(arms, names)) return null;
    const read: If = { ...node, arms, otherwise };
    this.#meet(read, ends, names);
    return [read];
  }

  /** What is known behind a branch of the locals that it sets; `ends` is known at the ends of its blocks. */
  #meet(node: If, ends: readonly ReadonlyMap<LocalId, SymbolicRange>[], names: Names): void {
    const blocks = [...node.arms.map(({ then }) => then), node.otherwise];
    for (const local of count(blocks.flat(), localsSet).keys()) {
      if (names.carried.has(local)) continue;
      const before = names.ranges.get(local);
      const found = ends.map((end, at) => {
        const isSet = count(blocks[at]!, localsSet).has(local);
        if (isSet) return end.get(local) ?? null;
        // It is as it was in front of the conditions, which say something of it.
        return before === undefined ? null : this.#narrowed(local, before, node, at, names);
      });
      const joined = joinRanges(found, this.#references.isInvariant, names.loops);
      if (joined === null) names.ranges.delete(local);
      else names.ranges.set(local, joined);
    }
  }

  /** The range of a local where a block of a branch is reached. */
  #narrowed(local: LocalId, range: SymbolicRange, { arms }: If, block: number, names: Names): SymbolicRange {
    const formOf = (part: Expression) =>
      part.kind === 'get-local' && names.ranges.has(part.local)
        ? localForm(part.local)
        : this.#references.affineInts(part, names);
    const guards = arms.flatMap(({ condition }, at) => (at > block ? [] : guardsOf(condition, at === block, formOf)));
    return narrowRange(range, localForm(local), guards, this.#references.isInvariant);
  }

  /** `$spent = $spent + 1` */
  spend({ units, span }: Charge): Statement {
    this.spent ??= this.#context.newLocal('spent', intType);
    const sum = arithmetic('+', getLocal(this.spent, intType, span), units);
    return { kind: 'set-local', local: this.spent, value: sum, span };
  }

  #setLocal(node: SetLocal, names: Names): readonly Statement[] | null {
    const { local, value } = node;
    const isOnly = this.sets.get(local) === 1;
    if (!this.sets.has(local)) this.#references.madeInside.add(local);
    if (value.type.kind === 'array') {
      const reference = isOnly ? this.#references.reference(value, names) : null;
      // A row in a variable that is read behind the nest would have to be set.
      if (reference === null) return isOnly ? null : this.#refuse('statement', node);
      if (this.isReadOutside(local)) return this.#refuse('statement', node);
      names.rows.set(local, reference);
      this.rows.set(node, reference);
      if (names.guards.length > 0) this.guards.set(node, names.guards);
      return [node];
    }
    if (value.kind === 'get-element' && !isScalar(value.type)) return this.#refuse('elements', value.array);
    if (!isScalar(value.type)) return this.#refuse('value', value);
    const length = isOnly && hasLength(value) ? this.#setLength(node, names) : null;
    if (length !== null) return [length];
    const isInt = value.type.kind === 'int';
    const form = isInt && isOnly ? this.#references.polynomial(value, names) : null;
    const position =
      isInt && form === null
        ? wrapPosition(value, names, this.#ranges, () => this.#context.newLocal('turned', intType))
        : null;
    if (position !== null) return this.#setPosition(node, position, names);
    const found = isInt && form === null ? rangeOf(value, names, this.#ranges) : null;
    for (const operation of found?.unfailing ?? []) this.#unfailing.add(operation);
    if (!this.#isPlain(value, names)) return null;
    if (form !== null) names.ints.set(local, form);
    const range = names.carried.get(local) ?? found?.range;
    if (range === undefined) names.ranges.delete(local);
    else names.ranges.set(local, range);
    if (found !== null && found.always.length > 0) this.#require(node, found);
    return [node];
  }

  #require(node: Statement, { always, range }: FoundRange): void {
    this.requirements.set(node, always);
    for (const local of range.guarding) this.guarding.add(local);
  }

  #setPosition(node: SetLocal, { turned, value, found }: WrappedPosition, names: Names): readonly Statement[] | null {
    for (const operation of found.unfailing) this.#unfailing.add(operation);
    const set: Statement = { ...node, value };
    if (!this.#isPlain(turned.value, names) || !this.#isPlain(value, names)) return null;
    this.#references.madeInside.add(turned.local);
    names.ranges.set(node.local, found.range);
    this.#require(set, found);
    return [turned, set];
  }

  /** `$limit = a[i].length() - 1`, for which the row must be there. */
  #setLength(node: SetLocal, names: Names): Statement | null {
    const { result: form, rows } = this.#references.withLengths(() => this.#references.affine(node.value, names));
    const [row, ...others] = rows;
    if (form === null || others.length > 0) return null;
    const set: Statement = { ...node, value: toExpression(form, node.span) };
    if (row !== undefined) this.rows.set(set, row);
    names.ints.set(node.local, ofForm(form));
    return set;
  }

  /** Whether the conditions are, each of which is worked out where those before it do not hold. */
  #arePlain(arms: If['arms'], names: Names): boolean {
    let reached = names;
    return arms.every(({ condition }) => {
      const here = reached;
      reached = this.guarded(reached, condition, false);
      return this.#isPlain(condition, here);
    });
  }

  /** The names where a condition holds, or where it does not. */
  guarded(names: Names, condition: Expression, holds: boolean): Names {
    const found = guardsOf(condition, holds, (node) => this.#references.affineInts(node, names));
    return found.length === 0 ? names : { ...names, guards: [...names.guards, ...found] };
  }

  #note(node: Node, { subscript, ...reference }: ElementReference, names: Names, isWrite: boolean, type: Type): void {
    this.accesses.set(node, { ...reference, isWrite, type });
    if (subscript !== null) this.flat.set(node, subscript);
    if (names.guards.length > 0) this.guards.set(node, names.guards);
  }

  readonly isReadOutside = (local: LocalId): boolean => this.#context.reads.get(local) !== this.#reads.get(local);

  /** Whether a value can neither fail nor do anything. Its accesses are noted. */
  #isPlain(node: Expression, names: Names): boolean {
    if (node.kind === 'get-element') {
      const access = isScalar(node.type)
        ? this.#references.access(node.array, node.index, names)
        : this.#refuse('elements', node.array);
      if (access !== null) this.#note(node, access, names, false, node.type);
      return access !== null;
    }
    const effects = effectsOf(node, this.#context.registry);
    const isSafe = (isPure(effects) && !effects.isGuarded) || this.#unfailing.has(node);
    const isItself = isScalar(node.type) && node.kind !== 'sequence' && isSafe;
    if (!isItself) this.#refuse('value', node);
    if (!isItself) return false;
    if (node.kind === 'conditional')
      return (
        this.#isPlain(node.condition, names) &&
        this.#isPlain(node.then, this.guarded(names, node.condition, true)) &&
        this.#isPlain(node.otherwise, this.guarded(names, node.condition, false))
      );
    if (node.kind !== 'logical') return operandsOf(node).every((part) => this.#isPlain(part, names));
    let reached = names;
    return node.operands.every((operand) => {
      const here = reached;
      reached = this.guarded(reached, operand, node.operator === '&&');
      return this.#isPlain(operand, here);
    });
  }
}

function typesSet(root: Loop): ReadonlySet<Type['kind']> {
  const types = new Set<Type['kind']>();
  visitAll([root], (node) => void (node.kind === 'set-element' && types.add(node.value.type.kind)));
  return types;
}

function hasLength(value: Expression): boolean {
  let has = false;
  visitAll([value], (node) => void (has ||= node.kind === 'library-call' && node.function === 'T[].length'));
  return has;
}
