// Unroll and jam: in a loop nest with affine subscripts, several iterations of a loop around the innermost one are worked
// on at once. A sum that goes up in the innermost loop waits for its own last addition only; four of them next to each
// other wait no longer than one. No sum is reordered.
//
//   loop i                                if (n >= 4) && …
//     loop j                                $elements, $length = hoist s   and so on
//       loop k                              if (n - 1 < $length) && …
//         s[i][j] += a[i][k] * b[k][j]        loop i
//                                               loop j while (j < n - 3) by 4
//                                                 $s0, $s1, $s2, $s3 = s[i][j], s[i][j+1], s[i][j+2], s[i][j+3]
//                                                 loop k …
//                                               loop j …
//                                         loop i …   the nest as it was
//
// What must hold for that (nests/conditions.ts) is looked at once in front of the outermost loop: all subscripts are in
// range, and arrays that must be different are. Where it does not hold the nest as it was runs, and finds out at the
// right moment; it also does what is left of the outermost loop. Nothing can fail in the new one, and nobody sees it
// but between two iterations of its outermost loop.
//
// Functions with loops that a loop calls are read in the place of the calls (nests/calls.ts).
// Positions may have but a range (nests/symbolic-ranges.ts, nests/carried-ranges.ts), and rows of a matrix change places
// (nests/row-swaps.ts).
// Loops under a condition are a part of it; those around them are not jammed.
// A loop that hands arrays on in a circle, as `held = a; a = b; b = held` does, is read as several of its iterations in one
// (nests/rotation.ts).
//
// Does not apply to nests with calls, jumps, divisions of ints or subscripts that are not affine, and to loops whose
// dependences it would turn round. Rows of matrices that are not fixed are looked at in front (nests/row-checks.ts).
// Source: nests/jam.ts; docs/decisions/0046-unroll-and-jam.md.

import type { Expression, LocalId, Loop, LoopId, Statement } from '../../mir/mir.ts';
import type { Local, MirFunction, MirProgram } from '../../mir/program.ts';
import { all, getLocal } from '../../mir/builders.ts';
import { hasLoop, visitStatements, blocksOf, withBlocks } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { copyStatements } from '../../mir/clone.ts';
import { asCold } from '../../mir/rewrite.ts';
import { localsRead, localsSet } from '../../mir/locals.ts';
import { booleanType, intType } from '../../language/types.ts';
import type { Type } from '../../language/types.ts';
import type { AffineForm } from '../nests/affine-forms.ts';
import {
  hasSmallExtremes,
  listConditions,
  listFirstConditions,
  lookUpArrays,
  setInvariant,
  setWork,
} from '../nests/conditions.ts';
import type { Distinct } from '../nests/dependences.ts';
import { withCallees } from '../nests/calls.ts';
import { hasCalls, liftCalls } from '../nests/lifted-calls.ts';
import { makeEmpty } from '../nests/empty-iterations.ts';
import { emitNest } from '../nests/emission.ts';
import { withExits } from '../nests/exits.ts';
import { handsOn, promoteParts } from '../nests/promotion.ts';
import { mayBeNest } from '../nests/candidates.ts';
import { readNest } from '../nests/reader.ts';
import { count } from '../nests/reading.ts';
import type { Refusal } from '../nests/reading.ts';
import { ownNames } from '../nests/scalars.ts';
import { charged, chargeOf } from '../nests/spent.ts';
import { readsWith, unrollRotation } from '../nests/rotation.ts';
import { withConstantsFolded } from '../constant-folding.ts';
import { takesGuardErrors } from '../analysis/guard-clauses.ts';
import { findCount } from '../analysis/counted-loops.ts';
import type { FixedMatrices } from '../analysis/fixed-matrices.ts';
import { findLoopLiveness } from '../analysis/liveness.ts';
import type { LoopLiveness } from '../analysis/liveness.ts';
import { jamNest, looksForElements, needsNest } from '../nests/choice.ts';
import { vectorOf } from '../nests/lane-values.ts';
import { isPaid, packAround, planPacking, planWithinCaches } from '../nests/packing.ts';
import { findRowAnywhere, listDistinctRows, listEvenRows, needsCopies } from '../nests/row-checks.ts';
import { behindScans } from '../nests/scans.ts';
import type { Exits, Nest } from '../nests/tree.ts';
import { transposeLanes } from '../nests/transposition.ts';
import { unrollLoops } from '../nests/unrolling.ts';
import {
  isWorthNesting,
  newNestLog,
  remarkCallInside,
  remarkCalls,
  remarkNest,
  remarkRefused,
} from '../remarks/nests.ts';
import { remarkObstacles, remarkUnused } from '../remarks/obstacles.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass, PassContext } from '../pass.ts';
import { withoutDeadStores } from './dead-store-elimination.ts';

export const unrollAndJam: Pass = {
  name: 'unroll-and-jam',
  summary: 'in loop nests several sums go on side by side, with all checks in front of the nest',
  isRequired: false,
  keeps: ['recursion'],
  run: (program, context) => {
    // Its clauses see the arrays of a nest as they are between two iterations, and may have the host see them.
    const canPack = !takesGuardErrors(program);
    return mapFunctions(program, context, (fn) =>
      hasNest(fn) || (context.remarks !== null && hasLoop(fn.body))
        ? new Jamming(fn, program, context, canPack).rewritten()
        : fn,
    );
  },
};

function hasNest({ body }: MirFunction): boolean {
  let has = false;
  visitStatements(body, (node) => void (has ||= node.kind === 'loop' && (mayBeNest(node) || hasCalls(node.body))));
  return has;
}

/** Why a loop is no nest with the bodies of functions in the place of their calls. */
interface CalleeRefusal extends Refusal {
  readonly loop: Loop;
  readonly locals: readonly Local[];
}

class Jamming {
  readonly #fn: MirFunction;
  readonly #program: MirProgram;
  readonly #context: PassContext;
  readonly #reads: ReadonlyMap<LocalId, number>;
  /** Of loops that were asked about. */
  readonly #readsInside = new Map<Loop, ReadonlyMap<LocalId, number>>();
  #locals: Local[];
  #lastLoop: LoopId = 0;
  #hasChanged = false;
  #liveness: ReadonlyMap<LoopId, LoopLiveness> | null = null;
  readonly #canPack: boolean;
  /** For remarks: why a loop is no nest, and what was said so of the loops around; how many nests were found. */
  #refusal: Refusal | null = null;
  #setInLoops: ReadonlySet<LocalId> | null = null;
  /** Of the nest that was found last. */
  #exits: Exits | null = null;
  /** Whether the loop as it was may have much to do besides. */
  #hasRest = false;
  /** Whether several iterations of the outermost loop are read as one: it goes up by as many. */
  #isRotated = false;
  readonly #refused = new Set<string>();
  #calleeRefusal: CalleeRefusal | null = null;
  #found = 0;

  constructor(fn: MirFunction, program: MirProgram, context: PassContext, canPack: boolean) {
    this.#canPack = canPack;
    this.#fn = fn;
    this.#program = program;
    this.#context = context;
    this.#reads = count(fn.body, localsRead);
    this.#locals = [...fn.locals];
    const note = (node: Statement): void => {
      if (node.kind !== 'loop') return;
      this.#lastLoop = Math.max(this.#lastLoop, node.id);
      if (node.unpeeled !== undefined) visitStatements([node.unpeeled], note);
    };
    visitStatements(fn.body, note);
  }

  rewritten(): MirFunction {
    const body = this.#block(this.#fn.body);
    if (!this.#hasChanged) return this.#fn;
    return withoutDeadStores({ ...this.#fn, locals: this.#locals, body }, this.#program.registry);
  }

  /** `around`: what is done right in front of the block. */
  #block(nodes: readonly Statement[], around: readonly Statement[] = []): readonly Statement[] {
    return nodes.flatMap((node, index) => {
      // What peeling has left for sides that are too short, which are too short for this too.
      if (node.kind === 'loop' && node.isCold === true) return [node];
      const before = blocksOf(node).length === 0 ? [] : [...around, ...nodes.slice(0, index)];
      const jammed = node.kind === 'loop' ? this.#loop(node, before) : null;
      if (jammed !== null) return jammed;
      if (blocksOf(node).length === 0) return [node];
      if (node.kind !== 'loop') return [this.#inside(node, isOfConditions(node) ? before : [])];
      const refusal = this.#refusal;
      const isCall = refusal?.node.kind === 'call' && refusal.kind !== 'array';
      const callee = isCall ? this.#calleeRefusal : null;
      const isSaid = this.#explainsCalls(node, before);
      this.#refusal = null;
      return [refusal === null || isSaid ? this.#inside(node) : this.#explained(node, refusal, callee)];
    });
  }

  /** Says why a loop is no nest, unless that was said of a loop around it, or a loop in it is one. */
  #explained(loop: Loop, refusal: Refusal, callee: CalleeRefusal | null): Statement {
    const found = this.#found;
    const isSaid = this.#refused.has(placeKey(refusal.node));
    this.#refused.add(placeKey(refusal.node));
    const rewritten = this.#inside(loop);
    const { remarks, analyses } = this.#context;
    if (remarks === null || isSaid || this.#found > found || !isWorthNesting(loop)) return rewritten;
    const matrices = (): FixedMatrices => analyses.get('fixed-matrices');
    const fn = callee === null ? this.#fn : { ...this.#fn, locals: callee.locals };
    const common = { fn, modRef: analyses.get('mod-ref'), matrices, registry: this.#program.registry };
    remarkRefused(remarks, { ...common, loop: callee?.loop ?? loop }, callee ?? refusal);
    return rewritten;
  }

  /** Says of a loop that it would be a nest with its calls in statements of their own, where that is so. */
  #explainsCalls(loop: Loop, before: readonly Statement[]): boolean {
    const { remarks } = this.#context;
    if (remarks === null || !hasCalls(loop.body)) return false;
    const trial = new Jamming(this.#fn, this.#program, { ...this.#context, remarks: null }, this.#canPack);
    trial.#locals = [...this.#locals];
    const lifted = liftCalls(loop, { addLocal: (local) => trial.#locals.push(local) - 1, mayLift: () => true });
    if (lifted === null || this.#refused.has(placeKey(lifted.call))) return false;
    if (trial.#withCallees(lifted.loop, before, loop) === null) return false;
    this.#refused.add(placeKey(lifted.call));
    remarkCallInside(remarks, loop, lifted.call);
    return true;
  }

  /** The nest with this loop outermost, in front of itself in its new form; null where it is none, or gains nothing. */
  #loop(loop: Loop, before: readonly Statement[]): readonly Statement[] | null {
    this.#refusal = null;
    this.#calleeRefusal = null;
    const nest = this.#nest(loop, before, this.#reads);
    const other = nest === null ? (this.#rotated(loop, before, this.#reads) ?? this.#withCallees(loop, before)) : null;
    if (nest === null && other === null) return null;
    [this.#refusal, this.#hasChanged] = [null, true];
    this.#found += 1;
    const exits = this.#exits;
    // Of a few steps the loop as it was may do all.
    const written = loop.unpeeled ?? loop;
    const isWhole = loop.unpeeled === undefined && (nest === null || this.#hasRest);
    const last = isWhole ? this.#inside(loop) : asCold(written);
    return exits === null ? [...(nest ?? other!), last] : withExits(exits, nest ?? other!, last, loop.span);
  }

  /** The nest with the bodies of functions in the place of their calls. */
  #withCallees(loop: Loop, before: readonly Statement[], written = loop): readonly Statement[] | null {
    const { analyses, settings, remarks } = this.#context;
    const { functions, registry } = this.#program;
    const [known, refusal] = [this.#locals.length, this.#refusal];
    const inlined = withCallees(loop, {
      functions,
      recursive: analyses.get('recursion').recursive(),
      registry,
      counts: settings.countsFuel,
      addLocal: (local) => this.#locals.push(local) - 1,
    });
    if (inlined === null) return null;
    const reads = readsWith(this.#reads, written, inlined);
    this.#refusal = null;
    const statements = this.#nest(inlined, before, reads) ?? this.#rotated(inlined, before, reads);
    if (statements === null) {
      const found: Refusal | null = this.#refusal;
      if (found !== null) this.#calleeRefusal = { ...(found as Refusal), loop: inlined, locals: [...this.#locals] };
      this.#locals.length = known;
      this.#refusal = refusal;
    } else if (remarks !== null) remarkCalls(remarks, loop);
    return statements;
  }

  #inside(node: Statement, before: readonly Statement[] = []): Statement {
    return withBlocks(
      node,
      blocksOf(node).map((block) => this.#block(block, before)),
    );
  }

  #nest(loop: Loop, before: readonly Statement[], reads: ReadonlyMap<LocalId, number>): readonly Statement[] | null {
    const known = this.#locals.length;
    const nest = this.#read(loop, before, reads);
    const statements = nest === null || !hasSmallExtremes(nest) ? null : this.#jam(nest, reads);
    if (statements === null) this.#locals.length = known;
    return statements;
  }

  /** The nest of several iterations in one, behind which arrays are where they were before. */
  #rotated(loop: Loop, before: readonly Statement[], reads: ReadonlyMap<LocalId, number>): readonly Statement[] | null {
    const { remarks, settings } = this.#context;
    const known = this.#locals.length;
    const rotation = unrollRotation(loop, {
      live: () => (this.#liveness ??= findLoopLiveness(this.#fn)).get(loop.id)!,
      copyLocal: this.#copyLocal,
      countsFuel: settings.countsFuel,
    });
    if (rotation === null) return null;
    const refusal = this.#refusal;
    const { loop: unrolled, iterations, arrays } = rotation;
    this.#isRotated = true;
    const statements = this.#nest(unrolled, before, readsWith(reads, loop, unrolled));
    this.#isRotated = false;
    if (statements === null) {
      this.#locals.length = known;
      this.#refusal = refusal;
      return null;
    }
    for (const array of arrays)
      remarks?.add('rotated', loop.span, { iterations: String(iterations), what: array.span });
    return statements;
  }

  #read(loop: Loop, before: readonly Statement[], reads: ReadonlyMap<LocalId, number>): Nest | null {
    const { analyses, remarks, thresholds } = this.#context;
    const refuse = (kind: Refusal['kind'], node: Node): void => void (this.#refusal = { kind, node });
    const nest = readNest(loop, before, {
      ...(remarks === null ? {} : { refuse }),
      fn: this.#fn,
      modRef: analyses.get('mod-ref'),
      matrices: () => analyses.get('fixed-matrices'),
      registry: this.#program.registry,
      reads,
      takesAll: thresholds.takesAll,
      newLocal: this.#newLocal,
      typeOf: (local) => this.#locals[local]!.type,
      countsFuel: this.#context.settings.countsFuel,
      isSteady: this.#isSteady,
    });
    if (nest !== null) this.#refusal = null;
    return nest;
  }

  #readsIn(loop: Loop): ReadonlyMap<LocalId, number> {
    const known = this.#readsInside.get(loop) ?? count([loop], localsRead);
    this.#readsInside.set(loop, known);
    return known;
  }

  readonly #newLocal = (name: string, type: Type): LocalId =>
    this.#locals.push({ name, type, origin: 'temporary' }) - 1;

  #jam(nest: Nest, reads: ReadonlyMap<LocalId, number>): readonly Statement[] | null {
    const { accesses, span } = nest;
    const { remarks, thresholds } = this.#context;
    const { takesAll } = thresholds;
    const log = remarks === null ? null : newNestLog();
    const distinct: Distinct = new Map();
    const required: AffineForm[] = [];
    // Of the nest as it was: the accesses of the copies are between these.
    const first = listFirstConditions(nest, thresholds);
    const original = new Map(accesses);
    const plan = this.#canPack ? planPacking(nest, this.#program, thresholds, this.#newLocal, this.#isSteady) : null;
    const jammed = jamNest(nest.root, {
      accesses,
      distinct,
      takesAll,
      required,
      isLiveBehind: (local, { source }) =>
        local === nest.spent || (reads.get(local) ?? 0) > (this.#readsIn(source).get(local) ?? 0),
      copyLocal: this.#copyLocal,
      newInt: (name) => this.#newLocal(name, intType),
      newVector: plan === null ? null : this.#newVector,
      rangeOf: (node) => this.#context.analyses.get('ranges').of(this.#fn, node),
      newMask: () => this.#newLocal('mask', vectorOf(booleanType)),
      log,
    });
    const isChanged = jammed !== nest.root || takesAll;
    const sparesChecks = isChanged || looksForElements(nest) || handsOn(jammed, accesses);
    const packing = isChanged ? plan : sparesChecks ? planWithinCaches(plan) : null;
    const unpacked = packing === null ? (needsCopies(nest) ?? findRowAnywhere(nest)) : null;
    if (packing === null && nest.swap !== null) {
      if (remarks !== null) this.#refusal = { kind: 'statement', node: nest.swap };
      return null;
    }
    if (unpacked !== null) {
      if (remarks !== null) this.#refusal = { kind: 'rows', node: unpacked.base };
      return null;
    }
    for (const [key, pair] of packing?.distinct ?? []) distinct.set(key, pair);
    const isRootJammed = jammed.step !== nest.root.step;
    const newVector = (type: Type): LocalId => this.#newLocal('rows', type);
    const inRows = transposeLanes(jammed, { accesses, distinct, newVector, log });
    const unrolled = packing === null || isRootJammed ? inRows : unrollLoops(inRows, accesses, log);
    const parts = promoteParts(unrolled.parts, [unrolled], {
      accesses,
      distinct,
      newScalar: ({ type }) => this.#newLocal('scalar', type),
      carries: packing !== null,
      carrying: [],
      log,
    });
    const promoted = { ...unrolled, parts: nest.spent === null ? parts : [...parts, chargeOf(nest.spent, span)] };
    if (remarks !== null && log !== null && log.jams.length === 0 && !this.#isRotated)
      remarkObstacles(remarks, nest, this.#locals, log);
    if (!isChanged && packing === null && !needsNest(nest, this.#isCounted)) return null;
    const asWritten: Nest = { ...nest, accesses: original };
    const worked = this.#newLocal('work', intType);
    const work = (): Expression => getLocal(worked, intType, span);
    const conditions = [...listConditions(asWritten, distinct, required, thresholds), ...listEvenRows(asWritten, work)];
    // Of constant sides that are too small: loops inside may be nests by themselves, and all are as fast as others.
    const isShort = first.some(neverHolds);
    if (isShort || conditions.some(neverHolds)) {
      if (remarks !== null) remarkUnused(remarks, asWritten, thresholds, isShort);
      return null;
    }
    if (remarks !== null && log !== null) remarkNest(remarks, asWritten, log, packing, this.#fn);
    this.#exits = nest.exits;
    this.#hasRest = packing !== null && packing.mostBytes !== null;
    const newLoop = (): LoopId => (this.#lastLoop += 1);
    const { countsFuel } = this.#context.settings;
    const loops = emitNest(promoted, {
      accesses,
      newLocal: this.#newLocal,
      newLoop,
      countsFuel,
      assertsBounds: this.#context.assertsBounds,
      packing,
    });
    const emitted = copyStatements([...makeEmpty(nest, countsFuel), ...loops], ownNames(nest, reads, this.#copyLocal));
    const inScratch =
      packing === null
        ? emitted
        : packAround(nest, packing, emitted, listDistinctRows(asWritten, packing), work, thresholds, this.#newLocal);
    const inFront = (tests: readonly Expression[], then: readonly Statement[]): Statement => ({
      kind: 'if',
      arms: [{ condition: all(tests as Conditions), then }],
      otherwise: [],
      span,
    });
    const arrays = [...nest.arrays.values()];
    const lookUp = (isMeasured: boolean): readonly Statement[] =>
      lookUpArrays(
        arrays.filter((array) => nest.measured.has(array) === isMeasured),
        span,
      );
    return [
      ...lookUp(true),
      // Lengths may be in them.
      ...nest.invariants.flatMap((invariant) => setInvariant(invariant, span)),
      inFront(first, [
        // It does not wrap where the conditions hold.
        setWork(worked, nest, 'in front of scans'),
        ...lookUp(false),
        ...behindScans(nest, [inFront(conditions, charged(nest, inScratch))], {
          work,
          isPaid: (length) => isPaid(nest, packing, length, work(), thresholds),
          setWork: setWork(worked, nest, 'behind'),
          newLocal: this.#newLocal,
          newLoop,
        }),
      ]),
    ];
  }

  /** Whether bounds-check elimination can see how a loop counts. */
  readonly #isCounted = (loop: Loop): boolean =>
    findCount(loop, this.#context.analyses.get('mod-ref').of([loop], this.#fn), [], this.#program.registry) !== null;

  /** Whether no loop of the function sets a local; what the nest has added is set somewhere in front of it. */
  readonly #isSteady = (local: LocalId): boolean => {
    this.#setInLoops ??= new Set(count(loopsIn(this.#fn.body), localsSet).keys());
    return local < this.#fn.locals.length && !this.#setInLoops.has(local);
  };

  readonly #newVector = (local: LocalId, isOfSmall: boolean): LocalId =>
    this.#newLocal(this.#locals[local]!.name, vectorOf(this.#locals[local]!.type, isOfSmall));

  readonly #copyLocal = (local: LocalId): LocalId =>
    this.#newLocal(this.#locals[local]!.name, this.#locals[local]!.type);
}

function placeKey({ span: { file, start, end } }: Node): string {
  return `${start} ${end} ${file.name}`;
}

/** Whether nothing but conditions, which set nothing, stands between what is in front of a statement and its blocks. */
function isOfConditions(node: Statement): boolean {
  return (
    node.kind === 'if' &&
    count(
      node.arms.map(({ condition }) => condition),
      localsSet,
    ).size === 0
  );
}

/** Whether a condition is known not to hold. */
function neverHolds(condition: Expression): boolean {
  const [node] = withConstantsFolded(
    [{ kind: 'evaluate', expression: condition, span: condition.span }],
    (part) => part,
  );
  return node?.kind === 'evaluate' && node.expression.kind === 'boolean' && !node.expression.value;
}

/** The outermost loops. */
function loopsIn(nodes: readonly Statement[]): readonly Loop[] {
  return nodes.flatMap((node) => (node.kind === 'loop' ? [node] : blocksOf(node).flatMap(loopsIn)));
}

type Conditions = readonly [Expression, ...(readonly Expression[])];
