// Copies: a local that is set once, to a path, is another name of that path up to the end of the block. The walk visits
// statements in their order and knows the names at each place.

import { isInPaths, isStructured } from '../../mir/kinds.ts';
import type { Expression, LocalId, Statement } from '../../mir/mir.ts';
import type { MirFunction } from '../../mir/program.ts';
import { partsOf, visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { localsSet } from '../../mir/locals.ts';
import { rewriteExpression } from '../../mir/rewrite.ts';
import { pathKey } from './access-paths.ts';
import type { Changes } from './mod-ref.ts';

/** A local that stands for a path of more nodes, other names in it counted as what they stand for, is no name of it. */
export const largestPath = 64;

/** A path that a local stands for. */
interface NamedPath {
  readonly path: Expression;
  /** Nodes, once all other names are written out: `x2 = x1 + x1; x3 = x2 + x2 …` doubles with every line. */
  readonly size: number;
}

export class LocalPaths {
  readonly #paths = new Map<LocalId, NamedPath>();
  /** What locals that are set again and again are at this place. */
  readonly #moving = new Map<LocalId, Expression>();

  /** From here on a local, which is set nowhere else, is another name of a path. */
  define(local: LocalId, value: Expression): void {
    if (pathKey(value) === null) return;
    const path =
      this.#moving.size === 0
        ? value
        : rewriteExpression(value, (node) =>
            node.kind === 'get-local' ? (this.#moving.get(node.local) ?? node) : node,
          );
    const size = this.#sizeOf(path);
    if (size <= largestPath) this.#paths.set(local, { path, size });
  }

  forget(local: LocalId): void {
    this.#paths.delete(local);
  }

  /** From here on a local is this, until it is moved again. */
  move(local: LocalId, value: (before: Expression | undefined) => Expression): void {
    this.#moving.set(local, value(this.#moving.get(local)));
  }

  #sizeOf(path: Expression): number {
    let size = 0;
    visitAll([path], (node) => {
      size += node.kind === 'get-local' ? (this.#paths.get(node.local)?.size ?? 1) : 1;
    });
    return size;
  }

  /**
   * The path without other names that the loop of these changes gives to parts of it: what stands for such a name is
   * worked out in the loop, so it means the same in front of it if the loop does not change it.
   */
  resolve(node: Expression, changes: Changes): Expression {
    // What it sets is known under the names that it sets.
    if (node.kind === 'sequence') return this.resolve(node.value, changes);
    if (!isInPaths(node)) return node;
    switch (node.kind) {
      case 'get-local': {
        const moving = this.#moving.get(node.local);
        if (moving !== undefined) return moving;
        const path = changes.locals.has(node.local) ? this.#paths.get(node.local)?.path : undefined;
        return path === undefined ? node : this.resolve(path, changes);
      }
      case 'get-field':
        return { ...node, object: this.resolve(node.object, changes) };
      case 'get-element':
        return { ...node, array: this.resolve(node.array, changes), index: this.resolve(node.index, changes) };
      case 'operate':
        return pathKey(node) === null
          ? node
          : { ...node, operands: node.operands.map((operand) => this.resolve(operand, changes)) };
      case 'int':
      case 'string':
      case 'get-global':
        return node;
    }
  }
}

/** What is done at the nodes of a walk. */
interface Visitor {
  /** At each node, before what is in it; has the walk go on into it. */
  readonly enter: (node: Node, walk: PathWalk) => void;
  /** Behind a statement. */
  readonly leave?: (node: Statement, walk: PathWalk) => void;
}

export class PathWalk {
  readonly paths = new LocalPaths();
  readonly #sets: ReadonlyMap<LocalId, number>;
  readonly #visitor: Visitor;

  /** `sets` is how often the function sets each local. */
  constructor(sets: ReadonlyMap<LocalId, number>, visitor: Visitor) {
    this.#sets = sets;
    this.#visitor = visitor;
  }

  nodes(nodes: readonly Node[]): void {
    for (const node of nodes) this.#visitor.enter(node, this);
  }

  /** What is in a node. */
  inside(node: Node): void {
    if (node.kind === 'sequence') {
      // What it sets is read in it alone, or behind it.
      this.#inOrder(node.statements);
      return this.nodes([node.value]);
    }
    if ('type' in node || !isStructured(node)) return this.nodes(partsOf(node));
    switch (node.kind) {
      case 'if':
        for (const { condition, then } of node.arms) {
          this.nodes([condition]);
          this.statements(then);
        }
        return this.statements(node.otherwise);
      case 'loop':
        if (node.condition !== null) this.nodes([node.condition]);
        this.statements(node.body);
        return this.statements(node.step);
      case 'try':
        this.statements(node.body);
        for (const { body } of node.clauses) this.statements(body);
        return;
      case 'block':
        return this.statements(node.statements);
    }
  }

  /** A block: the names that it gives end with it. */
  statements(nodes: readonly Statement[]): void {
    for (const local of this.#inOrder(nodes)) this.paths.forget(local);
  }

  #inOrder(nodes: readonly Statement[]): readonly LocalId[] {
    const named: LocalId[] = [];
    for (const node of nodes) {
      this.nodes([node]);
      if (node.kind === 'set-local' && this.#sets.get(node.local) === 1) {
        this.paths.define(node.local, node.value);
        named.push(node.local);
      }
      this.#visitor.leave?.(node, this);
    }
    return named;
  }
}

/** How often a function sets each local; its caller sets parameters, and a failure the locals of clauses. */
export function countSets(fn: MirFunction): ReadonlyMap<LocalId, number> {
  const sets = new Map<LocalId, number>(fn.parameters.map(({ local }) => [local, 1]));
  visitAll(fn.body, (node) => {
    const times = node.kind === 'try' ? 2 : 1;
    for (const local of localsSet(node)) sets.set(local, (sets.get(local) ?? 0) + times);
  });
  return sets;
}
