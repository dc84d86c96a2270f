// Invariant division: an int divided by a constant, or shifted right, moves in front of the outermost loop that sets none
// of the variables that it is worked out from. Indices and limits with it become sums of variables, which loops can be
// counted by, checks be made by in front of loops, and nests be made of.
//
//   loop 1 while (len <= n)                         loop 1 while (len <= n)
//     loop 2 while (i < n)                            $quotient = (len / 2)
//       k = 0                                         loop 2 while (i < n)
//       loop 3 while (k < (len / 2))                    k = 0
//         sum = (sum + a[((i + k) + (len / 2))])        loop 3 while (k < $quotient)
//                                                         sum = (sum + a[((i + k) + $quotient)])
//
// It cannot fail, and is cheap: it moves out of conditions, too, though they may not be met. The sums around it stay, since
// what is known of an index is known by its terms. What is no part of an index and of a limit moves in front of all loops
// or stays, since between two loops it would keep them from being a nest. Does not apply to remainders, which are positions
// that go around, and to what reads memory.
// Source: loop-invariant code motion, Aho, Lam, Sethi, Ullman, "Compilers", section 9.5.

import { intType } from '../../language/types.ts';
import { getLocal } from '../../mir/builders.ts';
import { hasLoop, operandsOf, partsOf } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { isDivisionByConstant } from '../../mir/effects.ts';
import { expressionKey } from '../../mir/expression-keys.ts';
import type { Expression, LocalId, Loop, LoopId, Statement } from '../../mir/mir.ts';
import type { Local, MirFunction } from '../../mir/program.ts';
import { rewriteBlocks, rewriteExpressions } from '../../mir/rewrite.ts';
import { isInvariant, localsSetIn } from '../analysis/invariance.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass } from '../pass.ts';
import type { Remarks } from '../remarks/remarks.ts';
import { placeOf } from '../remarks/source-text.ts';

export const invariantDivision: Pass = {
  name: 'invariant-division',
  summary: 'ints that a loop leaves alone are divided by constants in front of it',
  isRequired: false,
  keeps: ['recursion', 'fixed-matrices'],
  run: (program, context) =>
    mapFunctions(program, context, (fn) => (hasLoop(fn.body) ? hoist(fn, new Plan(fn, context.remarks)) : fn)),
};

/** The function with the quotients of the plan in front of their loops. */
function hoist(fn: MirFunction, { locals, preheaders }: Plan): MirFunction {
  if (preheaders.size === 0) return fn;
  const body = rewriteBlocks(fn.body, (block) => {
    const made: Statement[] = [];
    for (const node of block) {
      const found = node.kind === 'loop' ? preheaders.get(node.id) : undefined;
      if (found === undefined) {
        made.push(node);
        continue;
      }
      const read = (part: Expression): Expression => {
        const local = found.quotients.get(part);
        return local === undefined ? part : getLocal(local, intType, part.span);
      };
      const starts = made.length - 1 - made.findLastIndex((before) => !isStart(before, found));
      made.splice(made.length - starts, 0, ...found.statements);
      made.push(...rewriteExpressions([node], read));
    }
    return made;
  });
  return { ...fn, locals, body };
}

/** Whether it gives a variable of the loop its first value: that stays right in front of it, where passes look for it. */
function isStart(node: Statement, { changed }: Preheader): boolean {
  return node.kind === 'set-local' && changed.has(node.local) && localsSetIn(node.value).size === 0;
}

/** What moves in front of a loop: what sets the locals, and the local of each expression. */
interface Preheader {
  readonly changed: ReadonlySet<LocalId>;
  readonly statements: Statement[];
  readonly quotients: Map<Expression, LocalId>;
  /** The locals by what they hold. */
  readonly known: Map<string, LocalId>;
}

/** A loop around the node that the walk visits. */
interface LoopScope {
  readonly loop: Loop;
  readonly changed: ReadonlySet<LocalId>;
}

/** Nobody writes longer ones. */
const mostNodes = 16;

/** The plan: which quotients move in front of which loops. The walk that makes it changes no node. */
class Plan {
  /** The locals of the function, and the new ones. */
  readonly locals: Local[];
  readonly preheaders = new Map<LoopId, Preheader>();
  readonly #remarks: Remarks | null;

  constructor(fn: MirFunction, remarks: Remarks | null) {
    this.locals = [...fn.locals];
    this.#remarks = remarks;
    for (const node of fn.body) this.#find(node, []);
  }

  /** `isPlace` in an index and in the condition of a loop: what is read there stands in the way of all loops around it. */
  #find(node: Node, scopes: readonly LoopScope[], isPlace = false): void {
    if (node.kind === 'loop') {
      const inside = [...scopes, { loop: node, changed: localsSetIn(node) }];
      for (const part of partsOf(node)) this.#find(part, inside, part === node.condition);
      return;
    }
    if (scopes.length > 0 && node.kind === 'operate' && isQuotient(node)) {
      const scope = scopes.find(({ changed }) => isInvariant(node, changed));
      // Between two loops it would keep them from being a nest.
      const isMoved = scope !== undefined && (isPlace || scope === scopes[0]);
      if (isMoved && this.#move(node, scope)) return;
    }
    const index = node.kind === 'get-element' || node.kind === 'set-element' ? node.index : null;
    for (const part of partsOf(node)) this.#find(part, scopes, isPlace || part === index);
  }

  #move(value: Expression, scope: LoopScope): boolean {
    const key = expressionKey(value, mostNodes);
    if (key === null) return false;
    const { statements, quotients, known } = this.#preheader(scope);
    let local = known.get(key);
    if (local === undefined) {
      local = this.locals.push({ name: 'quotient', type: intType, origin: 'temporary' }) - 1;
      statements.push({ kind: 'set-local', local, value, span: value.span });
      known.set(key, local);
      this.#remarks?.add('dividedInFront', scope.loop.span, { what: placeOf(value) });
    }
    quotients.set(value, local);
    return true;
  }

  #preheader({ loop, changed }: LoopScope): Preheader {
    const made = this.preheaders.get(loop.id) ?? { changed, statements: [], quotients: new Map(), known: new Map() };
    this.preheaders.set(loop.id, made);
    return made;
  }
}

const operators: ReadonlySet<string> = new Set(['+(int,int)', '-(int,int)', '*(int,int)', '-(int)']);

/** Whether it divides what is worked out from locals by a constant, be it by a shift. */
function isQuotient(node: Expression & { readonly kind: 'operate' }): boolean {
  const { operator, operands } = node;
  const divides = operator === '/(int,int)' && isDivisionByConstant(node);
  const shifts = operator === '>>(int,int)' && operands[1]!.kind === 'int';
  return (divides || shifts) && isOfLocals(operands[0]!);
}

function isOfLocals(node: Expression): boolean {
  if (node.kind === 'int') return true;
  if (node.kind === 'get-local') return node.type.kind === 'int';
  if (node.kind !== 'operate') return false;
  return operators.has(node.operator) ? operandsOf(node).every(isOfLocals) : isQuotient(node);
}
