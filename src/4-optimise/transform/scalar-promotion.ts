// Scalar promotion (scalar replacement, register promotion): if an access to an element, a field or a global is to the
// same place in all iterations of a loop, and no other access in the loop may alias it, a local holds its value during
// the loop.
//
//   loop 4 while (k < n)                              $scalar = $elements[j] unchecked
//     $elements[j] = ($elements[j] + …)               loop 4 while (k < n)
//                                                       $scalar = ($scalar + …)
//                                                     $elements[j] unchecked = $scalar
//
// If the dependence test cannot prove that two accesses are to different elements, a comparison in front of the loop
// decides, and the original loop is the other version. A loop without an iteration neither loads nor stores.
//
// Applies to innermost counted loops that have one exit and in which nothing can fail: the versions without checks.
// Nothing observes the memory before the end of such a loop, except a clause that catches the error of a limit, and
// later calls of the instance by the host. In a program with one of these that counts fuel, which is how loops are
// ended, only places that the loop does not write are promoted. Does not apply to texts and arrays.
// Source: Callahan, Carr, Kennedy, "Improving register allocation for subscripted variables" (PLDI 1990); Cooper, Lu,
// "Register promotion in C programs" (PLDI 1997); docs/decisions/0045-loop-nests.md.

import type { CountedLoop, Expression, HoistedArray, If, LocalId, Loop, LoopId, Statement } from '../../mir/mir.ts';
import type { Local, MirFunction, MirProgram } from '../../mir/program.ts';
import { booleanType, intType } from '../../language/types.ts';
import type { Type } from '../../language/types.ts';
import { all, areDifferent, asNullable, getLocal, not, withoutRepeats } from '../../mir/builders.ts';
import { blocksOf, hasLoop, visitAll, visitStatements, withBlocks } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { copyLoop } from '../../mir/clone.ts';
import { arePure, effectsOf, every, isSilent } from '../../mir/effects.ts';
import { rewriteExpressions } from '../../mir/rewrite.ts';
import { plainLimit } from '../analysis/counted-loops.ts';
import { compare } from '../analysis/dependences.ts';
import type { Iterations } from '../analysis/dependences.ts';
import type { FixedMatrices } from '../analysis/fixed-matrices.ts';
import { findNests, NestFacts } from '../analysis/loop-nests.ts';
import { isUnchanged } from '../analysis/access-paths.ts';
import { findOccurrences } from '../analysis/scalars.ts';
import type { Occurrence } from '../analysis/scalars.ts';
import { limitObserverOf, seesLimits } from '../analysis/limit-observers.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass, PassContext } from '../pass.ts';
import { remarkInMemory } from '../remarks/promotions.ts';
import { placeOf, sourceText } from '../remarks/source-text.ts';
import { withoutDeadStores } from './dead-store-elimination.ts';

export const scalarPromotion: Pass = {
  name: 'scalar-promotion',
  summary: 'elements, fields and globals that loops leave in place are kept in locals',
  isRequired: false,
  keeps: ['mod-ref', 'recursion', 'fixed-matrices'],
  run: (program, context) => {
    let observed: boolean | null = null;
    const isObserved = (): boolean => (observed ??= context.settings.countsFuel && seesLimits(program));
    return mapFunctions(program, context, (fn) => {
      let hasCounted = false;
      visitStatements(fn.body, (node) => void (hasCounted ||= node.kind === 'loop' && node.counted !== undefined));
      return hasCounted ? new Promotion(fn, program, context, isObserved).rewritten() : fn;
    });
  },
};

/** The most scalars of a loop: more would not stay in registers. */
const mostScalars = 8;

/** A loop with more nodes than this is not copied: a second version is not worth its code. */
const largestLoop = 300;

/** A place in memory that becomes a local. */
interface Candidate {
  readonly occurrences: readonly [Occurrence, ...(readonly Occurrence[])];
  readonly isWritten: boolean;
  /** The test that its object is not null, otherwise the loop with checks runs; null if the object is never null. */
  readonly isThere: Expression | null;
  /** The tests that no other access in the loop aliases it. */
  readonly tests: readonly Expression[];
}

/** A loop, the statements around it, and the conditions under which it may run. */
interface Promoted {
  readonly before: readonly Statement[];
  readonly loop: Loop;
  readonly behind: readonly Statement[];
  /** The test that the loop has an iteration; empty if it always has one. */
  readonly trip: readonly Expression[];
  /** The tests that the objects of all fields are not null. */
  readonly conditions: readonly Expression[];
  /** The tests that no two places alias. */
  readonly tests: readonly Expression[];
}

class Promotion {
  readonly #fn: MirFunction;
  readonly #program: MirProgram;
  readonly #context: PassContext;
  readonly #isObserved: () => boolean;
  readonly #locals: Local[];
  #nests: ReadonlyMap<Loop, NestFacts> | null = null;
  #lastLoop: LoopId = 0;

  constructor(fn: MirFunction, program: MirProgram, context: PassContext, isObserved: () => boolean) {
    this.#fn = fn;
    this.#program = program;
    this.#context = context;
    this.#isObserved = isObserved;
    this.#locals = [...fn.locals];
    visitStatements(fn.body, (node) => {
      if (node.kind === 'loop') this.#lastLoop = Math.max(this.#lastLoop, node.id);
    });
  }

  rewritten(): MirFunction {
    const body = this.#statements(this.#fn.body);
    if (this.#locals.length === this.#fn.locals.length) return this.#fn;
    // Assignments that only computed subscripts are dead now.
    return withoutDeadStores({ ...this.#fn, locals: this.#locals, body }, this.#program.registry);
  }

  #statements(nodes: readonly Statement[]): readonly Statement[] {
    return nodes.flatMap((node) => {
      if (node.kind === 'if' && node.versions !== undefined) return [this.#versions(node)];
      if (node.kind === 'loop' && node.counted !== undefined) return this.#loop(node, node.counted);
      const blocks = blocksOf(node);
      return [
        blocks.length === 0
          ? node
          : withBlocks(
              node,
              blocks.map((block) => this.#statements(block)),
            ),
      ];
    });
  }

  /** Promotes in the version without checks. */
  #versions(node: If): If {
    const [arm] = node.arms as readonly [If['arms'][number]];
    const [loop] = arm.then;
    if (loop?.kind !== 'loop' || loop.counted === undefined) return node;
    const promoted = this.#explained(loop, this.#promote(loop, loop.counted, true));
    if (promoted === null) return node;
    const { before, behind, trip, conditions, tests } = promoted;
    const fast = [...before, promoted.loop, ...behind];
    const then = tests.length === 0 ? fast : [this.#chosen(tests, fast, loop)];
    // If there is no iteration, the loop with checks runs and does nothing.
    return { ...node, arms: [{ ...arm, condition: all([arm.condition, ...trip, ...conditions]), then }] };
  }

  /** Promotes in a loop that has one version. */
  #loop(loop: Loop, counted: CountedLoop): readonly Statement[] {
    const promoted = this.#explained(loop, this.#promote(loop, counted, false));
    if (promoted === null) return [loop];
    const { before, behind, trip, conditions } = promoted;
    const tests = [...conditions, ...promoted.tests];
    const fast = [...before, promoted.loop, ...behind];
    if (tests.length > 0) return [this.#chosen([...trip, ...tests], fast, loop)];
    if (trip.length === 0) return fast;
    // If there is no iteration, the loop only evaluates its condition, which may fail.
    const chosen = this.#chosen(trip, fast, loop);
    return [arePure([loop.condition!], this.#program.registry) ? { ...chosen, otherwise: [] } : chosen];
  }

  /** Reports what keeps globals and fields in memory. */
  #explained(loop: Loop, promoted: Promoted | null): Promoted | null {
    const { remarks } = this.#context;
    if (promoted === null && remarks !== null) remarkInMemory(remarks, loop, this.#program.registry);
    return promoted;
  }

  #chosen(tests: readonly Expression[], then: readonly Statement[], loop: Loop): If {
    const [first, ...others] = tests as readonly [Expression, ...(readonly Expression[])];
    this.#lastLoop += 1;
    const otherwise = [copyLoop(loop, this.#lastLoop, new Set())];
    return { kind: 'if', arms: [{ condition: all([first, ...others]), then }], otherwise, span: loop.span };
  }

  /** `areInRange` says whether all subscripts are known to be in range. */
  #promote(loop: Loop, counted: CountedLoop, areInRange: boolean): Promoted | null {
    if (hasLoop([...loop.body, ...loop.step]) || plainLimit(counted) === null) return null;
    // An outlined loop returns its live-outs where it stops, and the next call begins with them. The scalar would not be
    // one of them.
    if (this.#fn.body.at(-1)?.kind === 'return-live-outs' && loop.isShort !== true) return null;
    const { analyses } = this.#context;
    const { registry } = this.#program;
    const changes = analyses.get('mod-ref').of([loop], this.#fn);
    if (changes.everything) return null;
    const matrices = (): FixedMatrices => analyses.get('fixed-matrices');
    const facts = (): NestFacts => this.#factsOf(loop);
    const occurrences = findOccurrences({ ...loop, counted }, { fn: this.#fn, changes, registry, matrices, facts });
    if (occurrences === null) return null;
    const groups = groupsOf(occurrences.filter(({ subscript }) => areInRange || subscript === null));
    if (groups.length === 0) return null;
    const typeOf = (local: LocalId): Type => this.#locals[local]!.type;
    const stays = (node: Expression): boolean => isUnchanged(node, changes);
    const iterations = (): Iterations => ({ counted, facts: facts(), isUnchanged: stays, typeOf });
    const candidates = groups
      .flatMap((group) => this.#candidateOf(loop, group, occurrences, iterations) ?? [])
      .slice(0, mostScalars);
    return candidates.length === 0 ? null : this.#withScalars(loop, counted, candidates);
  }

  #factsOf(loop: Loop): NestFacts {
    this.#nests ??= findNests(this.#fn.body, ({ counted }) => counted !== undefined, this.#program.registry);
    return this.#nests.get(loop) ?? new NestFacts();
  }

  /** The candidate of a group of occurrences of one place, with its tests; null if it cannot become a local. */
  #candidateOf(
    loop: Loop,
    group: Candidate['occurrences'],
    occurrences: readonly Occurrence[],
    iterations: () => Iterations,
  ): Candidate | null {
    const [first] = group;
    const isWritten = group.some(({ isWrite }) => isWrite);
    const { remarks } = this.#context;
    const what = placeOf(first.node);
    if (isWritten && this.#isObserved()) {
      remarks?.add('limitObserved', loop.span, { what, at: limitObserverOf(this.#program)! });
      return null;
    }
    const tests: Expression[] = [];
    for (const other of occurrences) {
      if (other.kind !== first.kind || other.key === first.key || !(isWritten || other.isWrite)) continue;
      const test = first.object === null ? compareElements(first, other, iterations) : compareObjects(first, other);
      if (test === null) {
        remarks?.add('mayBeSame', loop.span, { what, other: sourceText(placeOf(other.node)), at: other.node.span });
        return null;
      }
      if (test !== 'never') tests.push(test);
    }
    return { occurrences: group, isWritten, isThere: isThere(first.object), tests };
  }

  /** The loop with locals in place of the candidates; null if something in it could still fail. */
  #withScalars(loop: Loop, counted: CountedLoop, candidates: readonly Candidate[]): Promoted | null {
    const places = new Map<Node, LocalId>();
    const before: Statement[] = [];
    const behind: Statement[] = [];
    const made: Local[] = [];
    const { span } = loop;
    for (const { occurrences, isWritten } of candidates) {
      const [{ type }] = occurrences;
      const local = this.#locals.length + made.length;
      made.push({ name: 'scalar', type, origin: 'temporary' });
      for (const { node } of occurrences) places.set(node, local);
      before.push({ kind: 'set-local', local, value: loadOf(occurrences[0]), span });
      if (isWritten) behind.push(storeOf(occurrences[0], getLocal(local, type, span)));
    }
    const [promoted] = rewriteExpressions(
      [loop],
      (node, original) => {
        const local = places.get(original);
        return local === undefined ? node : getLocal(local, node.type, node.span);
      },
      (node, original) => {
        const local = places.get(original);
        return local === undefined || !('value' in node) || node.value === null
          ? node
          : { kind: 'set-local', local, value: node.value, span: node.span };
      },
    ) as readonly [Loop];
    const parts = [...(promoted.condition === null ? [] : [promoted.condition]), ...promoted.body, ...promoted.step];
    const isUnseen = every(parts, (node) => {
      const effects = effectsOf(node, this.#program.registry);
      return isSilent(effects) && (effects.leaves === null || effects.leaves === loop.id);
    });
    if (!isUnseen) return null;
    const tests = withoutRepeats(candidates.flatMap((candidate) => candidate.tests));
    let nodes = 0;
    visitAll([loop], () => void (nodes += 1));
    if (tests.length > 0 && nodes > largestLoop) return null;
    this.#locals.push(...made);
    for (const { occurrences } of candidates)
      this.#context.remarks?.add('promoted', span, { what: placeOf(occurrences[0].node) });
    const objects = withoutRepeats(candidates.flatMap(({ isThere: test }) => test ?? []));
    return { before, loop: promoted, behind, trip: tripOf(counted), conditions: objects, tests };
  }
}

/** The occurrences of numbers whose place is the same in all iterations, by place; written places come first. */
function groupsOf(occurrences: readonly Occurrence[]): readonly Candidate['occurrences'][] {
  const groups = new Map<string, [Occurrence, ...Occurrence[]]>();
  for (const one of occurrences) {
    const isNumber = one.type.kind === 'int' || one.type.kind === 'double' || one.type.kind === 'boolean';
    if (one.key === null || !isNumber) continue;
    const group = groups.get(one.key);
    if (group === undefined) groups.set(one.key, [one]);
    else group.push(one);
  }
  const written = (group: Candidate['occurrences']): number => (group.some(({ isWrite }) => isWrite) ? 0 : 1);
  return [...groups.values()].toSorted((one, other) => written(one) - written(other));
}

function compareElements(
  one: Occurrence,
  other: Occurrence,
  iterations: () => Iterations,
): Expression | 'never' | null {
  if (one.place === null || other.place === null) return null;
  const dependence = compare(one.place(), other.place(), iterations());
  return dependence === 'same' ? null : dependence;
}

/** The test that two accesses to the same field are to different objects. */
function compareObjects(one: Occurrence, other: Occurrence): Expression | null {
  if (one.object === null || other.object === null || one.key === null || other.key === null) return null;
  const { span } = one.object;
  return areDifferent(one.object, other.object, span);
}

/** The test that the object is not null: that it is known where it is used may be due to a test in the loop. */
function isThere(object: Expression | null): Expression | null {
  if (object === null) return null;
  return not({ kind: 'is-null', operand: asNullable(object), type: booleanType, span: object.span });
}

/** The load in front of the loop, where the place is known to exist. */
function loadOf({ node, type, subscript, object }: Occurrence): Expression {
  const { span } = node;
  if (node.kind === 'get-global' || node.kind === 'set-global')
    return { kind: 'get-global', global: node.global, type, span };
  if (node.kind === 'get-field' || node.kind === 'set-field')
    return { kind: 'get-field', object: notNull(object!), struct: node.struct, field: node.field, type, span };
  return { kind: 'get-hoisted', hoisted: hoistedOf(node), index: subscript!, checked: false, type, span };
}

function storeOf({ node, subscript, object }: Occurrence, value: Expression): Statement {
  const { span } = node;
  if (node.kind === 'get-global' || node.kind === 'set-global')
    return { kind: 'set-global', global: node.global, value, span };
  if (node.kind === 'get-field' || node.kind === 'set-field')
    return { kind: 'set-field', object: notNull(object!), struct: node.struct, field: node.field, value, span };
  return { kind: 'set-hoisted', hoisted: hoistedOf(node), index: subscript!, value, checked: false, span };
}

function hoistedOf(node: Node): HoistedArray {
  if (node.kind !== 'get-hoisted' && node.kind !== 'set-hoisted') throw new Error('a place in memory is read');
  return node.hoisted;
}

function notNull(object: Expression): Expression {
  return object.kind === 'get-local' ? { ...object, nonNull: true } : object;
}

function tripOf(counted: CountedLoop): readonly Expression[] {
  const { comparison, start, variable } = counted;
  const limit = plainLimit(counted)!;
  if (start !== null && limit.kind === 'int' && comparison === '<' && start < limit.value) return [];
  const operands = [getLocal(variable, intType, limit.span), limit];
  return [{ kind: 'operate', operator: `${comparison}(int,int)`, operands, type: booleanType, span: limit.span }];
}
