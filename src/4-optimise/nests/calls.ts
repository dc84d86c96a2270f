// Calls, in a loop, of functions that have loops themselves: `for (…) step(now, next);`. With the bodies of the functions
// in the place of the calls the loop may be a nest. Inlining (transform/inlining.ts) has left these functions, which take
// longer than a call; where the loop is no nest the calls stay.
//
// Source: procedure integration; Muchnick, "Advanced Compiler Design and Implementation", section 15.2.

import { blocksOf, visitAll, withBlocks } from '../../mir/children.ts';
import type { Call, FunctionId, Loop, Statement } from '../../mir/mir.ts';
import type { MirFunction } from '../../mir/program.ts';
import { readStatements } from '../analysis/inlinable.ts';
import { inlineCall } from '../inlined-calls.ts';
import { hasCalls, isQuiet, liftCalls } from './lifted-calls.ts';
import type { InliningContext } from '../inlined-calls.ts';

/** Nests of more nodes, in all bodies together, are not worth their code. */
const mostNodes = 400;

export interface CallContext extends InliningContext {
  readonly functions: ReadonlyMap<FunctionId, MirFunction>;
  readonly recursive: ReadonlySet<FunctionId>;
}

/** The loop with the bodies of all functions that it calls; null where it calls none, or one that has to be called. */
export function withCallees(loop: Loop, context: CallContext): Loop | null {
  if (!hasCalls([loop])) return null;
  const { functions, registry, addLocal } = context;
  const mayLift = (call: Call): boolean => {
    const fn = functions.get(call.function);
    return fn !== undefined && isQuiet(fn, registry);
  };
  const lifted = liftCalls(loop, { addLocal, mayLift })?.loop ?? loop;
  const body = new Inliner(context).block(lifted.body);
  return body === null ? null : { ...loop, body };
}

class Inliner {
  readonly #context: CallContext;
  #nodes = 0;

  constructor(context: CallContext) {
    this.#context = context;
  }

  /** Null where a call has to stay. */
  block(nodes: readonly Statement[]): readonly Statement[] | null {
    const made: Statement[] = [];
    for (const node of nodes) {
      const statements = this.#statement(node);
      if (statements === null) return null;
      made.push(...statements);
    }
    return made;
  }

  #statement(node: Statement): readonly Statement[] | null {
    if (node.kind === 'evaluate' && node.expression.kind === 'call') return this.#body(node.expression, null);
    if (node.kind === 'set-local' && node.value.kind === 'call') return this.#body(node.value, node);
    if (!hasCalls([node])) return [node];
    if (node.kind !== 'loop' && node.kind !== 'block') return null;
    const blocks: (readonly Statement[])[] = [];
    for (const block of blocksOf(node)) {
      const inside = this.block(block);
      if (inside === null) return null;
      blocks.push(inside);
    }
    return [withBlocks(node, blocks)];
  }

  /** The body of a function, behind which the local is set to what it gives. */
  #body(call: Call, set: (Statement & { readonly kind: 'set-local' }) | null): readonly Statement[] | null {
    const { functions, recursive } = this.#context;
    const fn = functions.get(call.function);
    if (fn === undefined || fn.generic || recursive.has(call.function) || hasCalls(call.arguments)) return null;
    visitAll(fn.body, () => void (this.#nodes += 1));
    const callee = this.#nodes > mostNodes ? null : readStatements(fn);
    if (callee === null || (callee.value !== null && hasCalls([callee.value]))) return null;
    const { statements, value } = inlineCall(callee, call, this.#context);
    const inside = this.block(statements);
    if (inside === null) return null;
    if (set === null) return value === null || value.kind === 'get-local' ? inside : null;
    return value === null ? null : [...inside, { ...set, value }];
  }
}
