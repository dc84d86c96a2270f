// Predictive commoning: an element that one iteration of a loop reads or sets, and that the next one reads at the place
// before, is handed on in a local. A recurrence as that of `a[i] = a[i - 1] + b[i]` then need not wait for memory.
//
//   loop 1 until not (i < n)                      $carried = $elements[(i - 1)] unchecked
//     $elements[i] = ($elements[(i - 1)] + x)     loop 1 until not (i < n)
//   step                                            $next = ($carried + x)
//     i = (i + 1)                                   $elements[i] = $next
//                                                 step
//                                                   $carried = $next
//                                                   i = (i + 1)
//
// What one iteration reads several times it reads once, and what all of them read from one place of an array or a text that
// nothing sets is read in front. Everything is still set where it was, so that nobody sees a difference. Where another array is set in the loop, a
// comparison in front of it tells whether it is the same one, and the loop as it was stays beside it.
//
// Applies to the unchecked reads of innermost counted loops that nothing stops. Does not apply where the next iteration
// reads what is only sometimes read or set, and to subscripts that are not the variable and what the loop does not change.
// Source: O'Brien, "Predictive commoning: a method of optimizing loops containing references to consecutive array
// elements" (IBM, 1990); Callahan, Carr, Kennedy, "Improving register allocation for subscripted variables" (PLDI 1990).

import type { CountedLoop, Expression, GetHoisted, LocalId, Loop, LoopId, Statement } from '../../mir/mir.ts';
import type { Local, MirFunction } from '../../mir/program.ts';
import type { LibraryRegistry } from '../../library/registry.ts';
import { all, areDifferent, getLocal } from '../../mir/builders.ts';
import { hasLoop, visitAll, visitStatements } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { copyLoop, copyStatements } from '../../mir/clone.ts';
import { effectsOf, every } from '../../mir/effects.ts';
import { liveOutsOf } from '../../mir/re-entry.ts';
import { rewriteBlocks, rewriteExpressions } from '../../mir/rewrite.ts';
import { findElementAccesses, isNumeric } from '../analysis/element-accesses.ts';
import type { ElementAccess } from '../analysis/element-accesses.ts';
import type { ProgramChanges } from '../analysis/mod-ref.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass } from '../pass.ts';

export const predictiveCommoning: Pass = {
  name: 'predictive-commoning',
  summary: 'elements that the next iteration reads again are handed on in locals',
  isRequired: false,
  keeps: ['recursion'],
  run: (program, context) => {
    const modRef = context.analyses.get('mod-ref');
    return mapFunctions(program, context, (fn) => new Commoning(fn, modRef, program.registry).rewritten());
  },
};

/** More in one loop would not stay in registers. */
const mostCarried = 8;

/** For more nodes than this a second version is not worth its code. */
const largestLoop = 300;

/** The reads that get what the iteration before has read or set. */
interface Carried {
  readonly local: LocalId;
  readonly reads: readonly [Read, ...(readonly Read[])];
  /** Where the iteration before reads or sets it. */
  readonly source: ElementAccess;
  readonly offset: bigint;
}

type Read = ElementAccess & { readonly node: GetHoisted };
type Counted = Loop & { readonly counted: CountedLoop };

class Commoning {
  readonly #fn: MirFunction;
  readonly #modRef: ProgramChanges;
  readonly #registry: LibraryRegistry;
  readonly #locals: Local[];
  readonly #isOutlined: boolean;
  #lastLoop: LoopId = 0;
  #hasCounted = false;

  constructor(fn: MirFunction, modRef: ProgramChanges, registry: LibraryRegistry) {
    this.#fn = fn;
    this.#modRef = modRef;
    this.#registry = registry;
    this.#locals = [...fn.locals];
    this.#isOutlined = liveOutsOf(fn) !== null;
    visitStatements(fn.body, (node) => {
      if (node.kind !== 'loop') return;
      this.#lastLoop = Math.max(this.#lastLoop, node.id);
      this.#hasCounted ||= node.counted !== undefined;
    });
  }

  rewritten(): MirFunction {
    if (!this.#hasCounted) return this.#fn;
    const body = rewriteBlocks(this.#fn.body, (block) =>
      block.flatMap((node) => (node.kind === 'loop' && this.#isCandidate(node) ? this.#rewrite(node) : [node])),
    );
    return this.#locals.length === this.#fn.locals.length ? this.#fn : { ...this.#fn, locals: this.#locals, body };
  }

  /** A function that stops in a loop, or is entered there, would have to hand on more. */
  #isCandidate(node: Loop): node is Counted {
    if (node.counted === undefined || node.osr !== undefined || node.outlined !== undefined) return false;
    if (this.#isOutlined && node.isShort !== true) return false;
    return !hasLoop([...node.body, ...node.step]);
  }

  #rewrite(loop: Counted): readonly Statement[] {
    const { step } = loop.counted;
    if (step.kind !== 'int' || !isRepeatable(loop.condition, this.#registry) || countNodes(loop) > largestLoop)
      return [loop];
    const changes = this.#modRef.of([loop], this.#fn);
    const accesses = changes.everything ? null : findElementAccesses(loop, changes, this.#registry);
    if (accesses === null) return [loop];
    const carried = this.#findCarried(accesses, step.value);
    const repeats = findRepeats(accesses, carried);
    const still = findStill(accesses);
    if (carried.length + repeats.length + still.length === 0) return [loop];
    const [first, ...others] = this.#testsOf(accesses, carried, loop);
    const fast = this.#withCarried(loop, carried, { repeats, still });
    if (first === undefined) return fast;
    this.#lastLoop += 1;
    const otherwise = [copyLoop(loop, this.#lastLoop, new Set())];
    return [{ kind: 'if', arms: [{ condition: all([first, ...others]), then: fast }], otherwise, span: loop.span }];
  }

  #findCarried(accesses: readonly ElementAccess[], step: bigint): readonly Carried[] {
    const found: Carried[] = [];
    const seen = new Set<string>();
    for (const access of accesses) {
      const { elements, base, offset } = access;
      const key = `${elements} ${base} ${offset}`;
      if (base === null || seen.has(key) || found.length === mostCarried) continue;
      seen.add(key);
      const inArray = accesses.filter((other) => other.elements === elements);
      // A subscript that moves in another way may be anything.
      if (inArray.some((other) => isWrite(other) && other.base !== base)) continue;
      const reads = readsBeforeWrites(inArray.filter((other) => other.base === base && other.offset === offset));
      const source = sourceOf(inArray.filter((other) => other.base === base && other.offset === offset + step));
      if (reads === null || source === null) continue;
      const local = this.#locals.push({ name: 'carried', type: reads[0].node.type, origin: 'temporary' }) - 1;
      found.push({ local, reads, source, offset });
    }
    // What is handed on from a place that is itself handed on is taken before that gets its next value.
    return found.toSorted((one, other) => Number(step > 0n ? one.offset - other.offset : other.offset - one.offset));
  }

  /** That no other array that is set is one of those. */
  #testsOf(accesses: readonly ElementAccess[], carried: readonly Carried[], { span }: Loop): readonly Expression[] {
    const pairs = new Map<string, Expression>();
    for (const { source } of carried) {
      for (const other of accesses) {
        if (!isWrite(other) || other.elements === source.elements || other.kind !== source.kind) continue;
        const [one, two] = [source.elements, other.elements].toSorted((a, b) => a - b) as [LocalId, LocalId];
        const [left, right] = [one, two].map((local) => getLocal(local, this.#locals[local]!.type, span)) as [
          Expression,
          Expression,
        ];
        pairs.set(`${one} ${two}`, areDifferent(left, right, span));
      }
    }
    return [...pairs.values()];
  }

  #withCarried(
    loop: Counted,
    carried: readonly Carried[],
    { repeats, still }: { readonly repeats: readonly Carried['reads'][]; readonly still: readonly Carried['reads'][] },
  ): readonly Statement[] {
    const { span, condition } = loop;
    const replaced = new Map<Node, LocalId>();
    for (const { reads, local } of carried) for (const read of reads) replaced.set(read.node, local);
    /** Where the value of a source is when the iteration ends. */
    const values = new Map<Node, LocalId>();
    const handOn: Statement[] = [];
    for (const { source, local, reads } of carried) {
      const { node } = source;
      const { type } = reads[0].node;
      const value = replaced.get(node) ?? values.get(node) ?? this.#newValue(type);
      if (!replaced.has(node)) values.set(node, value);
      handOn.push({ kind: 'set-local', local, value: getLocal(value, type, span), span });
    }
    for (const [{ node }, ...again] of repeats) {
      const value = values.get(node) ?? this.#newValue(node.type);
      values.set(node, value);
      for (const other of again) replaced.set(other.node, value);
    }
    const kept = still.map(([read, ...again]) => {
      const local = this.#locals.push({ name: 'kept', type: read.node.type, origin: 'temporary' }) - 1;
      for (const { node } of [read, ...again]) replaced.set(node, local);
      return { local, read };
    });
    const [rewritten] = rewriteExpressions(
      [loop],
      (node, original) => {
        const local = replaced.get(original);
        if (local !== undefined) return getLocal(local, node.type, node.span);
        const value = values.get(original);
        if (value === undefined) return node;
        const set: Statement = { kind: 'set-local', local: value, value: node, span: node.span };
        return {
          kind: 'sequence',
          statements: [set],
          value: getLocal(value, node.type, node.span),
          type: node.type,
          span: node.span,
        };
      },
      (node, original) => {
        const value = values.get(original);
        if (value === undefined || node.kind !== 'set-hoisted') return node;
        const set: Statement = { kind: 'set-local', local: value, value: node.value, span: node.span };
        const store = { ...node, value: getLocal(value, node.value.type, node.span) };
        return { kind: 'block', statements: [set, store], span: node.span };
      },
    ) as readonly [Loop];
    const before = [...carried.map(({ local, reads: [read] }) => ({ local, read })), ...kept].map(
      ({ local, read: { node, subscript } }): Statement => {
        const load: Statement = { kind: 'set-local', local, value: { ...node, index: subscript }, span };
        return copyStatements([load], (id) => id)[0]!;
      },
    );
    if (before.length === 0) return [rewritten];
    const whole = [...before, { ...rewritten, step: [...handOn, ...rewritten.step] }];
    // Without an iteration there may be nothing to read.
    return loop.testFirst && condition !== null
      ? [{ kind: 'if', arms: [{ condition, then: whole }], otherwise: [], span }]
      : whole;
  }

  #newValue(type: Local['type']): LocalId {
    return this.#locals.push({ name: 'next', type, origin: 'temporary' }) - 1;
  }
}

/** What an iteration reads several times from one place, and the loop does not hand on. */
function findRepeats(accesses: readonly ElementAccess[], carried: readonly Carried[]): readonly Carried['reads'][] {
  const places = Map.groupBy(
    accesses.filter(({ base }) => base !== null),
    ({ elements, base, offset }) => `${elements} ${base} ${offset}`,
  );
  const known = new Set(carried.flatMap(({ reads }) => reads.map(({ node }) => node)));
  return [...places.values()].flatMap((place) => {
    const reads = readsBeforeWrites(place);
    if (reads === null || reads.length < 2 || known.has(reads[0].node)) return [];
    const { elements, base, kind } = reads[0];
    // Of another array it is known not to be this one only where that was compared.
    const isCompared = carried.some(({ source }) => source.elements === elements);
    const mayChange = accesses.some(
      (other) =>
        isWrite(other) && other.kind === kind && (other.elements === elements ? other.base !== base : !isCompared),
    );
    return mayChange ? [] : [reads];
  });
}

/** What each iteration reads from one place that nothing sets; a text is never set. */
function findStill(accesses: readonly ElementAccess[]): readonly Carried['reads'][] {
  const reads = accesses.filter((access): access is Read => {
    const { node, still, kind } = access;
    const isFree = node.kind === 'get-hoisted' && !node.checked && isNumeric(node) && still !== null;
    return isFree && !accesses.some((other) => isWrite(other) && other.kind === kind);
  });
  return [...Map.groupBy(reads, ({ elements, still }) => `${elements} ${still}`).values()].flatMap((place) => {
    const first = place.find(({ always }) => always);
    return first === undefined ? [] : [[first, ...place.filter((read) => read !== first)] as const];
  });
}

function isWrite({ node }: ElementAccess): boolean {
  return node.kind === 'set-hoisted';
}

function isRead(access: ElementAccess): access is Read {
  const { node } = access;
  return node.kind === 'get-hoisted' && !node.checked && node.hoisted.window === null && isNumeric(node);
}

/** The reads of one element in front of what sets it, if each iteration makes the first of them; else null. */
function readsBeforeWrites(accesses: readonly ElementAccess[]): Carried['reads'] | null {
  const write = accesses.findIndex(isWrite);
  const [first, ...others] = (write < 0 ? accesses : accesses.slice(0, write)).filter(isRead);
  return first === undefined || !first.always ? null : [first, ...others];
}

/** What each iteration surely does last with one element. */
function sourceOf(accesses: readonly ElementAccess[]): ElementAccess | null {
  const [write, ...others] = accesses.filter(isWrite);
  if (write !== undefined) return others.length === 0 && write.always ? write : null;
  return accesses.find(({ always }) => always) ?? null;
}

/** Whether it may be worked out once more. The length of a text is noted with it the first time. */
function isRepeatable(node: Expression | null, registry: LibraryRegistry): boolean {
  return (
    node === null ||
    every([node], (part) => {
      if (part.kind === 'library-call' && part.function === 'string.length') return true;
      const { writes, calls, waits, allocates, charges, isExternal } = effectsOf(part, registry);
      return writes.length === 0 && calls === null && !waits && !allocates && !charges && !isExternal;
    })
  );
}

function countNodes(loop: Loop): number {
  let nodes = 0;
  visitAll([loop], () => void (nodes += 1));
  return nodes;
}
