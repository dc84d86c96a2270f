// A loop as somebody could write it: with its calls in statements of their own, where they become part of a nest
// (nests/calls.ts). It is made to see whether that would help, and never runs.

import { blocksOf, operandsOf, withBlocks, withOperands } from '../../mir/children.ts';
import { getLocal } from '../../mir/builders.ts';
import type { Call, Expression, If, LocalId, Loop, Statement } from '../../mir/mir.ts';
import type { Local } from '../../mir/program.ts';
import { hasCalls } from '../nests/calls.ts';

export interface LiftedCalls {
  readonly loop: Loop;
  /** The first one that was in the middle of a statement. */
  readonly call: Call;
}

/** Null where no call is in the middle of a statement, or one is where it is not always done. */
export function liftCalls(loop: Loop, addLocal: (local: Local) => LocalId): LiftedCalls | null {
  const lifting = new Lifting(addLocal);
  const body = lifting.block(loop.body);
  const [call] = lifting.calls;
  return body === null || call === undefined ? null : { loop: { ...loop, body }, call };
}

class Lifting {
  readonly #addLocal: (local: Local) => LocalId;
  readonly calls: Call[] = [];

  constructor(addLocal: (local: Local) => LocalId) {
    this.#addLocal = addLocal;
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
    const { type, span } = node;
    this.calls.push(node);
    const local = this.#addLocal({ name: 'called', type, origin: 'temporary' });
    inFront.push({ kind: 'set-local', local, value: rest, span });
    return getLocal(local, type, span);
  }
}

/** What all become; null where one of them becomes nothing. */
function allOf<Item, Made>(items: readonly Item[], make: (item: Item) => Made | null): readonly Made[] | null {
  const made = items.map(make).filter((one) => one !== null);
  return made.length < items.length ? null : made;
}
