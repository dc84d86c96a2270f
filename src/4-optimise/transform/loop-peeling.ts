// Loop peeling: the first and the last iterations of a loop come by themselves where positions go around at its ends,
// or conditions tell these iterations from all others. What is left has neither, and its subscripts are affine.
//
//   loop j while (j < n)                      left = n - 1, right = 1          (j is 0)
//     left = ((j - 1) + n) % n                …
//     right = (j + 1) % n                     loop j from 1 while (j < n - 1)
//     …                                         left = j - 1, right = j + 1    …
//                                             left = n - 2, right = 0          (j is n - 1)
//
// Applies to loops, of nests and by themselves, that count up by one to a limit and call nothing, with at most two iterations
// at each end. Where the limit is no constant the nest as it was stays beside the new one, for few iterations. Which
// iterations: nests/loop-ends.ts.
// Source: Wolfe, "High Performance Compilers for Parallel Computing" (1996), section 9.1 (loop peeling).

import type { Expression, LocalId, Loop, Statement } from '../../mir/mir.ts';
import type { MirFunction } from '../../mir/program.ts';
import { all, getLocal, int } from '../../mir/builders.ts';
import { flatten, hasLoop, visitAll } from '../../mir/children.ts';
import { localsRead, localsSet } from '../../mir/locals.ts';
import { asCold, rewriteExpressions } from '../../mir/rewrite.ts';
import type { LibraryRegistry } from '../../library/registry.ts';
import { booleanType, intType } from '../../language/types.ts';
import { readStep } from '../analysis/counted-loops.ts';
import type { ProgramChanges } from '../analysis/mod-ref.ts';
import { conditionsFor, endsOf, headOf, resolved, valueIn } from '../nests/loop-ends.ts';
import type { Ends, Head, IsInvariant, Iteration } from '../nests/loop-ends.ts';
import { plus, toExpression } from '../nests/affine-forms.ts';
import { substitutePositions } from '../nests/forward-substitution.ts';
import { count } from '../nests/reading.ts';
import { withConstantsFolded } from '../constant-folding.ts';
import { LoopCopies, replaceLoops } from '../loop-copies.ts';
import { mapFunctions } from '../pass.ts';
import { isShort } from './complete-unrolling.ts';
import type { Pass, PassContext } from '../pass.ts';

/** The length of an array in a local. */
interface ArrayLength {
  readonly read: Expression;
  readonly array: Expression;
  readonly local: LocalId;
}

function arrayOfLength(node: Expression): ArrayLength | null {
  if (node.kind !== 'library-call' || node.function !== 'T[].length') return null;
  const [array] = node.arguments;
  return array?.kind === 'get-local' ? { read: node, array, local: array.local } : null;
}

/** The length with which a loop compares its variable. */
function lengthIn({ condition }: Loop): ArrayLength | null {
  if (condition?.kind !== 'operate') return null;
  return condition.operands.map(arrayOfLength).find((length) => length !== null) ?? null;
}

/** The copies of a loop's body have no more nodes together. */
const mostNodes = 2400n;

export const loopPeeling: Pass = {
  name: 'loop-peeling',
  summary: 'iterations at the ends of loops, in which positions go around or conditions differ, come by themselves',
  isRequired: false,
  keeps: ['recursion', 'fixed-matrices'],
  run: (program, context) =>
    mapFunctions(program, context, (fn) =>
      hasLoop(fn.body) ? new Peeling(fn, program.registry, context).rewritten() : fn,
    ),
};

/** A loop with iterations peeled off. */
interface Peeled {
  readonly head: Head;
  readonly ends: Ends;
}

class Peeling {
  readonly #fn: MirFunction;
  readonly #context: PassContext;
  readonly #modRef: ProgramChanges;
  readonly #registry: LibraryRegistry;
  readonly #copies: LoopCopies;

  constructor(fn: MirFunction, registry: LibraryRegistry, context: PassContext) {
    this.#fn = fn;
    this.#registry = registry;
    this.#context = context;
    this.#modRef = context.analyses.get('mod-ref');
    this.#copies = new LoopCopies(fn);
  }

  rewritten(): MirFunction {
    const body = replaceLoops(
      this.#fn.body,
      (loop, before) => this.#nest(loop, before) ?? this.#nestToLength(loop, before) ?? [loop],
    );
    return body === this.#fn.body ? this.#fn : { ...this.#fn, locals: this.#copies.locals, body };
  }

  /** A loop to the length of an array that it leaves alone: the length is read once, where its first test is. */
  #nestToLength(root: Loop, before: readonly Statement[]): readonly Statement[] | null {
    const length = lengthIn(root);
    if (length === null || !root.testFirst) return null;
    const changes = this.#modRef.of([root], this.#fn);
    if (changes.locals.has(length.local) || changes.mayResize(length.array)) return null;
    const known = this.#copies.locals.length;
    const local = this.#copies.newLocal('length', intType);
    const read = (node: Expression): Expression =>
      arrayOfLength(node)?.local === length.local ? getLocal(local, intType, node.span) : node;
    const [within] = rewriteExpressions([root], read) as readonly [Loop];
    const peeled = this.#nest(within, before);
    if (peeled === null) this.#copies.locals.length = known;
    const { read: value } = length;
    return peeled === null ? null : [{ kind: 'set-local', local, value, span: value.span }, ...peeled];
  }

  /** The outermost loop with all loops peeled that may be, beside itself if that depends on their limits. */
  #nest(root: Loop, before: readonly Statement[]): readonly Statement[] | null {
    const set = new Set<LocalId>();
    visitAll([root], (node) => localsSet(node).forEach((local) => set.add(local)));
    const guards: Peeled[] = [];
    const found = this.#loop(substitutePositions(root), before, (local) => !set.has(local), guards);
    if (found === null) return null;
    const peeled = found.isOwn ? found.statements : this.#withUnpeeled(found.statements, root);
    const conditions = conditionsFor(guards, root.span);
    const [first, ...others] = conditions;
    if (first === undefined) return peeled;
    const condition = all([first, ...others]);
    // The two share nothing.
    const own = this.#copies.of([root], root);
    return [{ kind: 'if', arms: [{ condition, then: peeled }], otherwise: own.map(asCold), span: root.span }];
  }

  /** A loop in which others are peeled, with itself as it was. */
  #withUnpeeled(peeled: readonly Statement[], root: Loop): readonly Statement[] {
    const [unpeeled] = this.#copies.of([root], root) as readonly [Loop];
    return peeled.map((node) => (node.kind === 'loop' ? { ...node, unpeeled } : node));
  }

  /** A loop with those in it peeled, and its own ends; null where nothing is peeled. */
  #loop(
    loop: Loop,
    before: readonly Statement[],
    isInvariant: IsInvariant,
    guards: Peeled[],
  ): { readonly statements: readonly Statement[]; readonly isOwn: boolean } | null {
    const written = flatten(loop.body);
    const body: Statement[] = [];
    let changes = false;
    for (const [at, node] of written.entries()) {
      const peeled = node.kind === 'loop' ? this.#loop(node, written.slice(0, at), isInvariant, guards) : null;
      changes ||= peeled !== null;
      if (node.kind === 'loop' && peeled?.isOwn === true) takeStart(body, node);
      body.push(...(peeled?.statements ?? [node]));
    }
    const within: Loop = changes ? { ...loop, body } : loop;
    const head = headOf(loop, before, isInvariant);
    const ends = head === null || !this.#isPeelable(loop, head) ? null : endsOf(within, head, isInvariant);
    if (head === null || ends === null) return changes ? { statements: [within], isOwn: false } : null;
    const known = this.#copies.locals.length;
    // What is resolved in the copies is gone: before that they may be larger.
    const isSmall = countNodes(within.body) * (ends.first + ends.last + 1n) <= 2n * mostNodes;
    const made = isSmall ? this.#peeled(within, head, ends, isInvariant) : null;
    if (made === null || countNodes(made) > mostNodes) {
      this.#copies.locals.length = known;
      return changes ? { statements: [within], isOwn: false } : null;
    }
    guards.push({ head, ends });
    const iterations = (end: 'first' | 'last', many: bigint): string => (many === 1n ? end : `${end} ${many}`);
    const peeled = [iterations('first', ends.first), iterations('last', ends.last)];
    const at = peeled.filter((_, index) => [ends.first, ends.last][index]! > 0n);
    this.#context.remarks?.add('peeled', loop.span, { ends: at.join(' and its ') });
    return { statements: made, isOwn: true };
  }

  /** Whether nothing goes on from an iteration but at its end, its counter is its own, and all that it does is short. */
  #isPeelable(loop: Loop, { variable }: Head): boolean {
    let is = !this.#copies.liveOf(loop).behind.includes(variable);
    visitAll(loop.body, (node) => {
      const leaves = (node.kind === 'break' || node.kind === 'continue') && node.loop === loop.id;
      is &&= !leaves && (node.kind === 'loop' || isShort(node, this.#registry));
    });
    return is;
  }

  #peeled(loop: Loop, head: Head, ends: Ends, isInvariant: IsInvariant): readonly Statement[] {
    const { variable, first, end } = head;
    const { span } = loop;
    const copy = (at: Iteration): readonly Statement[] => {
      const nodes = this.#copies.of(loop.body, loop);
      const known = withConstantsFolded(nodes, (node) => resolved(node, head, ends, at, isInvariant));
      if (at === 'other') return known;
      const value = valueIn(head, at, span);
      return withConstantsFolded(known, (node) =>
        node.kind === 'get-local' && node.local === variable ? value : node,
      );
    };
    const charge: readonly Statement[] = this.#context.settings.countsFuel
      ? [{ kind: 'charge', units: int(1n, span), span }]
      : [];
    const firsts = Array.from({ length: Number(ends.first) }, (_, at) => copy({ from: 'first', by: BigInt(at) }));
    const lasts = Array.from({ length: Number(ends.last) }, (_, at) =>
      copy({ from: 'end', by: ends.last - BigInt(at) }),
    );
    const isVariable = (side: Expression): boolean => side.kind === 'get-local' && side.local === variable;
    const written =
      loop.condition?.kind === 'operate' ? loop.condition.operands.find((side) => !isVariable(side)) : null;
    const limit = toExpression(plus(end, -ends.last), written?.span ?? span);
    const condition: Expression = {
      kind: 'operate',
      operator: '<(int,int)',
      operands: [getLocal(variable, intType, span), limit],
      type: booleanType,
      span,
    };
    return [
      ...firsts.flatMap((nodes) => [...nodes, ...charge]),
      { kind: 'set-local', local: variable, value: int(first + ends.first, span), span },
      { ...loop, condition, body: copy('other') },
      ...lasts.flatMap((nodes) => [...nodes, ...charge]),
    ];
  }
}

function countNodes(nodes: readonly Statement[]): bigint {
  let count = 0n;
  visitAll(nodes, () => void (count += 1n));
  return count;
}

/** Takes away what sets the variable of a loop in front of it: the peeled loop begins elsewhere. */
function takeStart(before: Statement[], { step }: Loop): void {
  const [move] = flatten(step).flatMap((node) => readStep(node) ?? []);
  const at = before.findLastIndex((node) => node.kind === 'set-local' && node.local === move?.[0]);
  const isRead = before.slice(at + 1).some((node) => count([node], localsRead).has(move![0]));
  if (at >= 0 && !isRead) before.splice(at, 1);
}
