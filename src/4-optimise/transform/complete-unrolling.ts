// Complete unrolling: a loop of a few iterations becomes its iterations, one behind the other, where it would begin anew
// again and again: in a loop around it, and in a function that calls itself. What stands in front of a loop costs more
// than so few iterations; and the loop around it can be worked on as an innermost one.
//
//   loop 1 while (x < (w - 1))                loop 1 while (x < (w - 1))
//     k = 0                                     sum = (sum + (a[(x + -1)] * f[0]))
//     loop 2 while (k < 3)                      sum = (sum + (a[x] * f[1]))
//       sum = (sum + (a[((x + k) - 1)] * f[k])) sum = (sum + (a[(x + 1)] * f[2]))
//     step                                      k = 3
//       k = (k + 1)
//
// Applies to counted loops with a constant begin, limit and step that are not left by break, from the innermost ones on;
// a `continue` under a condition becomes the other branch, and conditions that are constants then are decided. Does not
// apply to what allocates, waits or calls, but for functions that call themselves. The iterations together have a bounded
// number of nodes. If fuel is counted, each of them uses a unit as before.
// Source: complete unrolling; Muchnick, "Advanced Compiler Design and Implementation", section 17.4.3.

import type { CountedLoop, Expression, LocalId, Loop, LoopId, Statement } from '../../mir/mir.ts';
import type { Local, MirFunction } from '../../mir/program.ts';
import { int, not } from '../../mir/builders.ts';
import { blocksOf, hasLoop, visitAll, visitStatements, withBlocks } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { copyStatements } from '../../mir/clone.ts';
import { effectsOf, every } from '../../mir/effects.ts';
import { asTemporary, localsRead, localsSet } from '../../mir/locals.ts';
import type { LibraryRegistry } from '../../library/registry.ts';
import { findCount, plainLimit } from '../analysis/counted-loops.ts';
import { findLoopLiveness } from '../analysis/liveness.ts';
import type { LoopLiveness } from '../analysis/liveness.ts';
import { everythingChanges } from '../analysis/mod-ref.ts';
import { withConstantsFolded } from '../constant-folding.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass, PassContext } from '../pass.ts';
import { withStepApart } from './loop-canonicalisation.ts';

const mostIterations = 8n;

/** Why a loop is unrolled, and how many nodes its iterations have together at most. */
const mostNodes = { recursion: 768, loop: 384 } as const;
type Cause = keyof typeof mostNodes;

export const completeUnrolling: Pass = {
  name: 'complete-unrolling',
  summary: 'loops of few iterations in loops and in recursive functions become these iterations',
  isRequired: false,
  keeps: ['recursion', 'fixed-matrices'],
  run: (program, context) => {
    const recursive = context.analyses.get('recursion').recursive();
    return mapFunctions(program, context, (fn, id) =>
      hasLoop(fn.body) ? unrolled(fn, recursive.has(id), false, program.registry, context) : fn,
    );
  },
};

/** A function that loops call, with the loops of few iterations unrolled; the function itself if there is none. */
export function unrolledInLoop(fn: MirFunction, registry: LibraryRegistry, context: PassContext): MirFunction {
  return unrolled(fn, false, true, registry, context);
}

/** What is known of the function around the loops. */
interface Around {
  /** How often each local is read in the whole function. */
  readonly reads: ReadonlyMap<LocalId, number>;
  readonly renaming: Renaming;
  readonly registry: LibraryRegistry;
  readonly context: PassContext;
}

/** The function with its loops unrolled, the innermost ones first; the function itself if there is none. */
function unrolled(
  fn: MirFunction,
  isRecursive: boolean,
  isInLoop: boolean,
  registry: LibraryRegistry,
  context: PassContext,
): MirFunction {
  const locals = [...fn.locals];
  const renaming = new Renaming(fn, locals);
  const around: Around = { reads: readsOf(fn.body), renaming, registry, context };
  let applies = false;
  const within = (block: readonly Statement[], isRepeated: boolean): readonly Statement[] =>
    block.flatMap((written, at): readonly Statement[] => {
      const blocks = blocksOf(written);
      const inside = blocks.map((one) => within(one, isRepeated || written.kind === 'loop'));
      const node = inside.some((one, index) => one !== blocks[index]) ? withBlocks(written, inside) : written;
      const cause = isRecursive ? 'recursion' : isRepeated ? 'loop' : null;
      const iterations =
        node.kind === 'loop' && cause !== null ? unroll(node, written, block.slice(0, at), cause, around) : null;
      applies ||= iterations !== null;
      return iterations ?? [node];
    });
  const body = within(fn.body, isInLoop);
  return applies ? { ...fn, locals, body } : fn;
}

/** Its iterations; null if it stays a loop. `original` is the loop before those in it were unrolled. */
function unroll(
  written: Loop,
  original: Statement,
  before: readonly Statement[],
  cause: Cause,
  { reads, renaming, registry, context }: Around,
): readonly Statement[] | null {
  const loop = withStepApart(written);
  if (hasLoop([...loop.body, ...loop.step])) return null;
  const counted = findCount(loop, everythingChanges, before, registry);
  const values = counted === null ? null : valuesOf(loop, counted);
  if (counted === null || values === null || values.length === 0) return null;
  let size = 0;
  visitAll([...loop.body, ...loop.step], () => void (size += 1));
  if (size * values.length > mostNodes[cause]) return null;
  if (cause === 'loop' && !every([...loop.body, ...loop.step], (node) => isShort(node, registry))) return null;
  const body = withoutContinue(loop.body, loop.id);
  if (body === null || leaves([...body, ...loop.step], loop.id)) return null;
  const { span } = loop;
  const { settings, remarks } = context;
  const charge: readonly Statement[] = settings.countsFuel ? [{ kind: 'charge', units: int(1n, span), span }] : [];
  remarks?.add(cause === 'loop' ? 'unrolledInLoop' : 'unrolledInRecursion', span, {
    iterations: String(values.length),
  });
  // Where the variable is read in the loop alone, its value is known wherever it is read.
  const { variable } = counted;
  const isOwn = loop.step.length === 1 && reads.get(variable) === readsOf([original]).get(variable);
  // The step may read the variable before and behind its own setting of it.
  const step = isOwn ? [] : loop.step;
  return values.flatMap((value, index) => {
    const iteration = [...withValue(body, counted, value), ...step];
    return [...(index === 0 ? iteration : renaming.renamed(iteration, loop)), ...charge];
  });
}

/**
 * Renaming: what each iteration has for itself is another local in each of them, which is set once, as the analyses of
 * loops around want it. Source: Allen, Kennedy, "Optimizing Compilers for Modern Architectures" (2002), section 5.6.
 */
class Renaming {
  readonly #fn: MirFunction;
  readonly #locals: Local[];
  #liveness: ReadonlyMap<LoopId, LoopLiveness> | null = null;

  /** `locals` are those of the function; new ones come behind them. */
  constructor(fn: MirFunction, locals: Local[]) {
    this.#fn = fn;
    this.#locals = locals;
  }

  /** The statements of an iteration with locals of its own. */
  renamed(iteration: readonly Statement[], { id }: Loop): readonly Statement[] {
    this.#liveness ??= findLoopLiveness(this.#fn);
    const { atIteration, behind } = this.#liveness.get(id)!;
    const own = new Map<LocalId, LocalId>();
    visitAll(iteration, (node) => {
      for (const local of localsSet(node))
        if (!own.has(local) && !atIteration.includes(local) && !behind.includes(local))
          own.set(local, this.#locals.push(asTemporary(this.#locals[local]!)) - 1);
    });
    // No two iterations share a read: each has a version of its own (analysis/local-versions.ts).
    return copyStatements(iteration, (local) => own.get(local) ?? local);
  }
}

/** Whether a node is as short as it looks: it neither calls nor waits, and makes no object. */
export function isShort(node: Node, registry: LibraryRegistry): boolean {
  const { calls, waits, allocates, isExternal, polls } = effectsOf(node, registry);
  return calls === null && !waits && !allocates && !isExternal && !polls && node.kind !== 'try';
}

/** The statements where the variable of a loop is known. */
function withValue(body: readonly Statement[], { variable }: CountedLoop, value: bigint): readonly Statement[] {
  return withConstantsFolded(body, (node) =>
    node.kind === 'get-local' && node.local === variable ? int(value, node.span) : node,
  );
}

function readsOf(nodes: readonly Node[]): ReadonlyMap<LocalId, number> {
  const found = new Map<LocalId, number>();
  visitAll(nodes, (node) => {
    for (const local of localsRead(node)) found.set(local, (found.get(local) ?? 0) + 1);
  });
  return found;
}

/** What the variable is in each iteration; null if they are too many, or not known. */
function valuesOf({ condition, testFirst }: Loop, counted: CountedLoop): readonly bigint[] | null {
  const { comparison, start, step, limitStep } = counted;
  const plain = plainLimit(counted);
  const limit = plain?.kind === 'int' ? plain.value : undefined;
  const isPlain = condition?.kind === 'operate' && condition.operator === `${comparison}(int,int)`;
  if (start === null || limit === undefined || step.kind !== 'int' || limitStep !== 0n) return null;
  if (!isPlain || !testFirst || step.value === 0n) return null;
  const holds: Readonly<Record<CountedLoop['comparison'], (value: bigint) => boolean>> = {
    '<': (value) => value < limit,
    '<=': (value) => value <= limit,
    '>': (value) => value > limit,
    '>=': (value) => value >= limit,
  };
  const values: bigint[] = [];
  for (let value = start; holds[comparison](value); value += step.value) {
    if (values.length >= mostIterations || BigInt.asIntN(64, value + step.value) !== value + step.value) return null;
    values.push(value);
  }
  return values;
}

/** The body with what stands behind `if (…) continue` in the other branch; null if it goes on in another way. */
function withoutContinue(nodes: readonly Statement[], loop: LoopId): readonly Statement[] | null {
  const at = nodes.findIndex((node) => leaves([node], loop));
  const node = nodes[at];
  if (node === undefined) return nodes;
  if (node.kind !== 'if' || node.arms.length > 1 || leaves(node.otherwise, loop)) return null;
  const [arm] = node.arms as readonly [(typeof node.arms)[number]];
  const last = arm.then.at(-1);
  const then = arm.then.slice(0, -1);
  const behind = withoutContinue(nodes.slice(at + 1), loop);
  if (last?.kind !== 'continue' || last.loop !== loop || leaves(then, loop) || behind === null) return null;
  const otherwise = [...node.otherwise, ...behind];
  const choice: Statement =
    then.length === 0
      ? { ...node, arms: [{ ...arm, condition: inverse(arm.condition), then: otherwise }], otherwise: [] }
      : { ...node, arms: [{ ...arm, then }], otherwise };
  return [...nodes.slice(0, at), choice];
}

function inverse(condition: Expression): Expression {
  return condition.kind === 'operate' && condition.operator === '!(boolean)' ? condition.operands[0]! : not(condition);
}

/** Whether a statement goes to the end of an iteration of the loop, or of the loop. */
function leaves(nodes: readonly Statement[], loop: LoopId): boolean {
  let found = false;
  visitStatements(nodes, (node) => {
    found ||= (node.kind === 'break' || node.kind === 'continue') && node.loop === loop;
  });
  return found;
}
