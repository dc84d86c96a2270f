// The calls of a loop in statements of their own, in front of the statement in which they stand, where they become part of
// a nest (nests/calls.ts):
//
//   near[i] = (near[i] + distance(p, i))     $called = distance(p, i)
//                                            near[i] = (near[i] + $called)
//
// Nothing fails in a nest, so that the order is seen by nobody but a function that sets what the statement reads. Does
// not apply to calls that are not always made.

import { blocksOf, operandsOf, visitAll, withBlocks, withOperands } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { getLocal } from '../../mir/builders.ts';
import { effectsOf } from '../../mir/effects.ts';
import type { Call, Expression, If, LocalId, Loop, Statement } from '../../mir/mir.ts';
import type { Local, MirFunction } from '../../mir/program.ts';
import type { LibraryRegistry } from '../../library/registry.ts';

export interface LiftedCalls {
  readonly loop: Loop;
  /** The first one that was in the middle of a statement. */
  readonly call: Call;
}

interface LiftingContext {
  readonly addLocal: (local: Local) => LocalId;
  /** Whether a call may be made before what stands in front of it in its statement. */
  readonly mayLift: (call: Call) => boolean;
}

/** Null where no call is in the middle of a statement, or one has to stay there. */
export function liftCalls(loop: Loop, context: LiftingContext): LiftedCalls | null {
  const lifting = new Lifting(context);
  const body = lifting.block(loop.body);
  const [call] = lifting.calls;
  return body === null || call === undefined ? null : { loop: { ...loop, body }, call };
}

/** Whether a function sets nothing but its own variables, and calls nothing. */
export function isQuiet({ body }: MirFunction, registry: LibraryRegistry): boolean {
  let is = true;
  visitAll(body, (node) => {
    const { writes, calls, waits, isExternal } = effectsOf(node, registry);
    is &&= calls === null && !waits && !isExternal && writes.every(({ kind }) => kind === 'local');
  });
  return is;
}

export function hasCalls(nodes: readonly Node[]): boolean {
  let has = false;
  visitAll(nodes, ({ kind }) => void (has ||= kind === 'call'));
  return has;
}

class Lifting {
  readonly #context: LiftingContext;
  readonly calls: Call[] = [];

  constructor(context: LiftingContext) {
    this.#context = context;
  }

  block(nodes: readonly Statement[]): readonly Statement[] | null {
    return allOf(nodes, (node) => this.#statement(node))?.flat() ?? null;
  }

  #statement(node: Statement): readonly Statement[] | null {
    if (!hasCalls([node])) return [node];
    const isAlone =
      (node.kind === 'evaluate' && node.expression.kind === 'call') ||
      (node.kind === 'set-local' && node.value.kind === 'call');
    if (isAlone) return [node];
    if (node.kind === 'set-local' || node.kind === 'set-element') return this.#simple(node);
    if (node.kind === 'if') return this.#if(node);
    if (node.kind !== 'loop' && node.kind !== 'block') return null;
    const blocks = allOf(blocksOf(node), (block) => this.block(block));
    return blocks === null ? null : [withBlocks(node, blocks)];
  }

  #simple(node: Statement & { readonly kind: 'set-local' | 'set-element' }): readonly Statement[] | null {
    const inFront: Statement[] = [];
    if (node.kind === 'set-local') {
      const value = this.#value(node.value, inFront);
      return value === null ? null : [...inFront, { ...node, value }];
    }
    const parts = allOf([node.array, node.index, node.value], (part) => this.#value(part, inFront));
    if (parts === null) return null;
    const [array, index, value] = parts as readonly [Expression, Expression, Expression];
    return [...inFront, { ...node, array, index, value }];
  }

  /** The first condition is always worked out; what comes behind it is not. */
  #if(node: If): readonly Statement[] | null {
    const [first, ...others] = node.arms as readonly [If['arms'][number], ...If['arms']];
    if (hasCalls([...others.map(({ condition }) => condition), ...blocksOf(node).flat()])) return null;
    const inFront: Statement[] = [];
    const condition = this.#value(first.condition, inFront);
    return condition === null ? null : [...inFront, { ...node, arms: [{ ...first, condition }, ...others] }];
  }

  /** A value with locals in the place of its calls, which are put in front. */
  #value(node: Expression, inFront: Statement[]): Expression | null {
    if (!hasCalls([node])) return node;
    if (node.kind === 'conditional' || node.kind === 'logical' || node.kind === 'sequence') return null;
    const operands = allOf(operandsOf(node), (operand) => this.#value(operand, inFront));
    if (operands === null) return null;
    const rest = withOperands(node, operands);
    if (node.kind !== 'call' || rest.kind !== 'call') return rest;
    if (!this.#context.mayLift(node)) return null;
    const { type, span } = node;
    this.calls.push(node);
    const local = this.#context.addLocal({ name: 'called', type, origin: 'temporary' });
    inFront.push({ kind: 'set-local', local, value: rest, span });
    return getLocal(local, type, span);
  }
}

/** What all become; null where one of them becomes nothing. */
function allOf<Item, Made>(items: readonly Item[], make: (item: Item) => Made | null): readonly Made[] | null {
  const made = items.map(make).filter((one) => one !== null);
  return made.length < items.length ? null : made;
}
