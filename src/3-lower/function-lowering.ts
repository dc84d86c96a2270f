// One function being lowered: its locals with the temporaries that lowering adds, and the dispatch, which the files of
// the topics call.

import type { CheckedFunction, Expression, Statement } from '../2-check/typed-tree.ts';
import type { Type } from '../language/types.ts';
import type * as mir from '../mir/mir.ts';
import type { Local } from '../mir/program.ts';
import { isOfEntryFile } from './collector.ts';
import type { Collector } from './collector.ts';

/** The dispatch of this room: a parameter, so that the files of the topics need not import it. */
export interface Dispatch {
  readonly expression: (lowering: FunctionLowering, node: Expression) => mir.Expression;
  readonly statements: (lowering: FunctionLowering, nodes: readonly Statement[]) => readonly mir.Statement[];
}

export class FunctionLowering {
  /** Those of the function, and temporaries. */
  readonly locals: Local[];
  /** A function of the runtime: its operands are never null where null is an error. */
  readonly isRuntime: boolean;
  /** Takes what this function yields; null where that goes to the host. */
  readonly collector: Collector | null;
  readonly #dispatch: Dispatch;
  #depth = 0;

  constructor(fn: CheckedFunction, isRuntime: boolean, dispatch: Dispatch, collector: Collector | null) {
    this.locals = [...fn.locals];
    this.isRuntime = isRuntime;
    this.collector = isOfEntryFile(fn.id) ? null : collector;
    this.#dispatch = dispatch;
  }

  expression(node: Expression): mir.Expression {
    return this.below(1, () => this.#dispatch.expression(this, node));
  }

  /** How deep the node that is being lowered lies in its statement. */
  get depth(): number {
    return this.#depth;
  }

  /** Lowers nodes that lie so many levels deeper. */
  below<Result>(levels: number, lower: () => Result): Result {
    this.#depth += levels;
    const result = lower();
    this.#depth -= levels;
    return result;
  }

  expressions(nodes: readonly Expression[]): readonly mir.Expression[] {
    return nodes.map((node) => this.expression(node));
  }

  statements(nodes: readonly Statement[]): readonly mir.Statement[] {
    return this.#dispatch.statements(this, nodes);
  }

  temporary(purpose: string, type: Type): mir.LocalId {
    return this.locals.push({ name: purpose, type, origin: 'temporary' }) - 1;
  }
}
