// Invariant arithmetic: a division or a root of doubles, or another function of numbers that takes long, moves in front of
// the outermost `for` loop that leaves alone what it is worked out from, with the arithmetic around it.
//
//   loop 1 while (x < n)                       $invariant = (widen(y) / widen(n))
//     sum = (sum + (widen(y) / widen(n)))      loop 1 while (x < n)
//                                                sum = (sum + $invariant)
//
// Engines move such values out of innermost loops alone, and out of none that calls a function. Nothing that moves can
// fail, and each value is worked out as it was written, so it is the same to the last bit. Does not apply to what runs
// sometimes only (an arm of an `if`, a choice, a `while` loop), to cheap arithmetic, which would only hold a
// register, and to what reads memory.
// Source: Aho, Lam, Sethi, Ullman, "Compilers", section 9.5.

import { getLocal } from '../../mir/builders.ts';
import { hasLoop, operandsOf, visitAll } from '../../mir/children.ts';
import { isSpeculatable } from '../../mir/effects.ts';
import type { Expression, LocalId, Loop, LoopId, Statement } from '../../mir/mir.ts';
import type { Local, MirFunction } from '../../mir/program.ts';
import { rewriteBlocks, rewriteExpressions } from '../../mir/rewrite.ts';
import type { LibraryRegistry } from '../../library/registry.ts';
import { visitEachIteration } from '../analysis/each-iteration.ts';
import { isInvariant, localsSetIn } from '../analysis/invariance.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass } from '../pass.ts';
import type { Remarks } from '../remarks/remarks.ts';
import { placeOf } from '../remarks/source-text.ts';

export const invariantArithmetic: Pass = {
  name: 'invariant-arithmetic',
  summary: 'divisions and roots that a loop leaves alone are worked out in front of it',
  isRequired: false,
  keeps: ['mod-ref', 'recursion', 'fixed-matrices'],
  run: (program, context) =>
    mapFunctions(program, context, (fn) =>
      hasLoop(fn.body) ? hoist(fn, new Plan(fn, program.registry, context.remarks)) : fn,
    ),
};

/** The function with the values of the plan in front of their loops. */
function hoist(fn: MirFunction, { locals, preheaders }: Plan): MirFunction {
  if (preheaders.size === 0) return fn;
  const body = rewriteBlocks(fn.body, (block) =>
    block.flatMap((node) => {
      const moved = node.kind === 'loop' ? preheaders.get(node.id) : undefined;
      if (moved === undefined) return [node];
      const inFront = [...moved].map(([value, local]): Statement => ({
        kind: 'set-local',
        local,
        value,
        span: value.span,
      }));
      const read = (part: Expression): Expression => {
        const local = moved.get(part);
        return local === undefined ? part : getLocal(local, part.type, part.span);
      };
      return [...inFront, ...rewriteExpressions([node], read)];
    }),
  );
  return { ...fn, locals, body };
}

/** A `for` loop around the node that the walk visits, which runs in each of its iterations. */
interface LoopScope {
  readonly loop: Loop;
  readonly changed: ReadonlySet<LocalId>;
}

/** The plan: which values move in front of which loops. The walk that makes it changes no node. */
class Plan {
  /** The locals of the function, and the new ones. */
  readonly locals: Local[];
  readonly preheaders = new Map<LoopId, Map<Expression, LocalId>>();
  readonly #registry: LibraryRegistry;
  readonly #remarks: Remarks | null;

  constructor(fn: MirFunction, registry: LibraryRegistry, remarks: Remarks | null) {
    this.locals = [...fn.locals];
    this.#registry = registry;
    this.#remarks = remarks;
    visitEachIteration(
      fn.body,
      (loop): LoopScope => ({ loop, changed: localsSetIn(loop) }),
      (node, scopes) => {
        const scope = this.#isWorthIt(node) ? scopes.find(({ changed }) => isInvariant(node, changed)) : undefined;
        if (scope !== undefined) this.#move(node, scope.loop);
        return scope !== undefined;
      },
    );
  }

  #move(value: Expression, { id, span }: Loop): void {
    const moved = this.preheaders.get(id) ?? new Map<Expression, LocalId>();
    this.preheaders.set(id, moved);
    if (moved.has(value)) return;
    this.#remarks?.add('workedOutInFront', span, { what: placeOf(value) });
    moved.set(value, this.locals.push({ name: 'invariant', type: value.type, origin: 'temporary' }) - 1);
  }

  /** Whether it is arithmetic on locals that cannot fail, and takes long. */
  #isWorthIt(node: Expression): boolean {
    if (node.type.kind !== 'double' || !isArithmetic(node)) return false;
    let takesLong = false;
    visitAll([node], (part) => {
      takesLong ||= part.kind === 'operate' && part.operator === '/(double,double)';
      takesLong ||= part.kind === 'library-call' && !this.#isCheap(part.function);
    });
    return takesLong && isSpeculatable(node, this.#registry);
  }

  /** Whether a function is one quick instruction. */
  #isCheap(name: string): boolean {
    const { implementation } = this.#registry.byId(name);
    return implementation.kind === 'instruction' && implementation.op !== 'f64.sqrt';
  }
}

/** What numbers are worked out with, beside constants and locals. */
const arithmetic: ReadonlySet<Expression['kind']> = new Set([
  'int',
  'double',
  'get-local',
  'operate',
  'widen',
  'library-call',
]);

/** Whether all in it are numbers, worked out from constants and locals. */
function isArithmetic(node: Expression): boolean {
  if (node.type.kind !== 'double' && node.type.kind !== 'int') return false;
  return arithmetic.has(node.kind) && operandsOf(node).every(isArithmetic);
}
