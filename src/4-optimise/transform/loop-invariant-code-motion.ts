// The loops around a place, and the arrays and texts that they hold. An array that a loop neither replaces nor resizes
// is looked up once, in front of the outermost such loop: its elements and its length go into locals. Nothing is tested
// there; a null array has no elements, so that every index into it is out of range, and what is wrong is found out
// then.

import type { Expression, HoistedArray, Local, LocalId, Statement } from '../../mir/mir.ts';
import { intType, codeUnitsType } from '../../language/types.ts';
import type { Type } from '../../language/types.ts';
import type { Changes } from '../analysis/mod-ref.ts';
import { isSizeUnchanged } from '../analysis/counted-loops.ts';
import type { Induction } from '../analysis/induction-variables.ts';
import { arithmetic, fits, getLocal, int } from '../../mir/builders.ts';
import { isPlain, isUnchanged, pathKey } from '../analysis/access-paths.ts';
import { visitAll } from '../../mir/children.ts';
import { rewriteExpression } from '../../mir/rewrite.ts';

/** A loop that is being rewritten. */
interface LoopScope {
  readonly changes: Changes;
  /** What is to be done in front of the loop. */
  readonly before: Statement[];
  readonly hoisted: Map<string, HoistedArray>;
}

/** Paths with more steps than this are not followed: each of them costs a test. */
const longestPath = 3;

/** A local that stands for a path of more nodes, other names in it counted as what they stand for, is no name of it. */
const largestAlias = 64;

/** A path that a local stands for. */
interface Alias {
  readonly path: Expression;
  /** Nodes, once all other names are written out: `x2 = x1 + x1; x3 = x2 + x2 …` doubles with every line. */
  readonly size: number;
}

export class LoopScopes {
  /** Those of the function, and what is added. */
  readonly locals: Local[];
  readonly #scopes: LoopScope[] = [];
  /** Locals that are set once, from where they are: what they were set to. */
  readonly #aliases = new Map<LocalId, Alias>();
  /** What the variables that go along with the counted one of the innermost loop are at this place of a turn. */
  readonly #inductions = new Map<LocalId, Expression>();

  constructor(locals: readonly Local[]) {
    this.locals = [...locals];
  }

  get isInLoop(): boolean {
    return this.#scopes.length > 0;
  }

  /** How many loops are around. */
  get depth(): number {
    return this.#scopes.length;
  }

  newLocal(name: string, type: Type): LocalId {
    return this.locals.push({ name: `$${name}`, type }) - 1;
  }

  /** Rewrites a loop; `rewrite` gives what becomes of it, behind what is to be done before. */
  inLoop(changes: Changes, rewrite: () => readonly Statement[]): readonly Statement[] {
    const scope: LoopScope = { changes, before: [], hoisted: new Map() };
    this.#scopes.push(scope);
    const loop = rewrite();
    this.#scopes.pop();
    return [...scope.before, ...loop];
  }

  /** From here on a local, which is set nowhere else, is another name of a path. */
  addAlias(local: LocalId, path: Expression): void {
    if (pathKey(path) === null) return;
    const moved =
      this.#inductions.size === 0
        ? path
        : rewriteExpression(path, (node) =>
            node.kind === 'get-local' ? (this.#inductions.get(node.local) ?? node) : node,
          );
    const size = this.#sizeOf(moved);
    if (size <= largestAlias) this.#aliases.set(local, { path: moved, size });
  }

  #sizeOf(path: Expression): number {
    let size = 0;
    visitAll([path], (node) => {
      size += node.kind === 'get-local' ? (this.#aliases.get(node.local)?.size ?? 1) : 1;
    });
    return size;
  }

  /** At the beginning of the turns of the innermost loop: what goes along with the variable that it counts. */
  beginInductions(inductions: readonly Induction[], variable: Expression): void {
    for (const { local, factor } of inductions) {
      const { span } = variable;
      const origin = this.newLocal('origin', intType);
      const moved = arithmetic('*', variable, int(factor, span));
      this.#scopes.at(-1)!.before.push({
        kind: 'set-local',
        local: origin,
        value: arithmetic('-', getLocal(local, intType, span), moved),
        span,
      });
      this.#inductions.set(local, arithmetic('+', moved, getLocal(origin, intType, span)));
    }
  }

  /** Behind what moves an induction variable. */
  moveInduction({ local, steps }: Induction, set: Statement): void {
    this.#inductions.set(local, arithmetic('+', this.#inductions.get(local)!, int(steps.get(set)!, set.span)));
  }

  endInductions(): void {
    this.#inductions.clear();
  }

  removeAlias(local: LocalId): void {
    this.#aliases.delete(local);
  }

  /**
   * The path without other names that the loop of these changes gives to parts of it: what stands for such a name is
   * worked out in the loop, so it means the same in front of it if the loop does not change it.
   */
  resolve(node: Expression, changes: Changes): Expression {
    switch (node.kind) {
      case 'get-local': {
        const moving = this.#inductions.get(node.local);
        if (moving !== undefined) return moving;
        const path = changes.locals.has(node.local) ? this.#aliases.get(node.local)?.path : undefined;
        return path === undefined ? node : this.resolve(path, changes);
      }
      case 'get-field':
        return { ...node, object: this.resolve(node.object, changes) };
      case 'get-element':
        return { ...node, array: this.resolve(node.array, changes), index: this.resolve(node.index, changes) };
      // What it sets is known under the names that it sets.
      case 'sequence':
        return this.resolve(node.value, changes);
      case 'operate':
        return pathKey(node) === null
          ? node
          : { ...node, operands: node.operands.map((operand) => this.resolve(operand, changes)) };
      default:
        return node;
    }
  }

  /** An index as it is worked out in the innermost loop, without the names that the loop gives to parts of it. */
  resolveIndex(index: Expression): Expression {
    return this.resolve(index, this.#scopes.at(-1)!.changes);
  }

  /** Where the elements of the array are; null where they cannot be hoisted. */
  hold(array: Expression): HoistedArray | null {
    // Arrays of json are seen from values of json too.
    if (array.type.kind === 'array' ? array.type.element.kind === 'json' : array.type.kind !== 'string') return null;
    // What is done on the way to it would be done once, or not at all.
    if (hasSequence(array)) return null;
    for (const scope of this.#scopes) {
      const path = this.resolve(array, scope.changes);
      if (isHoldable(path, scope.changes)) return { ...this.#holdIn(scope, path), array };
    }
    return null;
  }

  #holdIn(scope: LoopScope, path: Expression): HoistedArray {
    const key = pathKey(path)!;
    const known = scope.hoisted.get(key);
    if (known !== undefined) return known;
    const array = this.#lookUp(scope, path);
    const { span } = path;
    const hoisted: HoistedArray = {
      array,
      elements: this.newLocal('elements', elementsOf(path.type)),
      length: this.newLocal('length', intType),
      window:
        path.type.kind === 'string'
          ? { start: this.newLocal('start', intType), size: this.newLocal('size', intType) }
          : null,
    };
    scope.before.push({ kind: 'hoist-array', ...hoisted, span });
    scope.hoisted.set(key, hoisted);
    return hoisted;
  }

  /** The value of a path in front of a loop, without an error: null where there is none. */
  #lookUp(scope: LoopScope, path: Expression): Expression {
    const { span, type } = path;
    const nothing: Expression = { kind: 'null', type, span };
    if (path.kind === 'get-field') {
      const object = this.#keep(scope, this.#lookUp(scope, path.object));
      const isNull: Expression = { kind: 'is-null', operand: object, type: { kind: 'boolean' }, span };
      return this.#keep(scope, {
        kind: 'conditional',
        condition: isNull,
        then: nothing,
        otherwise: { ...path, object },
        type,
        span,
      });
    }
    if (path.kind === 'get-element') {
      return this.#lookUpElement(scope, path.array, this.#lookUpIndex(scope, path.index), nothing);
    }
    return path;
  }

  /** `index fits array ? array[index] : otherwise` */
  #lookUpElement(scope: LoopScope, array: Expression, index: Expression, otherwise: Expression): Expression {
    const { type, span } = otherwise;
    const hoisted = this.hold(array)!;
    const value: Expression = { kind: 'get-hoisted', hoisted, index, checked: false, type, span };
    return this.#keep(scope, {
      kind: 'conditional',
      condition: fits(index, getLocal(hoisted.length, intType, span)),
      then: value,
      otherwise,
      type,
      span,
    });
  }

  /** An index in front of a loop, without an error: none at all where it cannot be worked out. */
  #lookUpIndex(scope: LoopScope, index: Expression): Expression {
    const { span } = index;
    const nothing = int(-1n, span);
    if (index.kind === 'get-element')
      return this.#lookUpElement(scope, index.array, this.#lookUpIndex(scope, index.index), nothing);
    if (index.kind !== 'get-field') return index;
    const object = this.#keep(scope, this.#lookUp(scope, index.object));
    const isNull: Expression = { kind: 'is-null', operand: object, type: { kind: 'boolean' }, span };
    return this.#keep(scope, {
      kind: 'conditional',
      condition: isNull,
      then: nothing,
      otherwise: { ...index, object },
      type: intType,
      span,
    });
  }

  #keep(scope: LoopScope, value: Expression): Expression {
    if (value.kind === 'get-local' || value.kind === 'get-global') return value;
    const local = this.newLocal('path', value.type);
    scope.before.push({ kind: 'set-local', local, value, span: value.span });
    return getLocal(local, value.type, value.span);
  }
}

function hasSequence(path: Expression): boolean {
  let has = false;
  visitAll([path], ({ kind }) => (has ||= kind === 'sequence'));
  return has;
}

/**
 * Whether the path leads to the same array, of the same length, in all of the loop, and every array on the way can be
 * hoisted.
 */
function isHoldable(path: Expression, changes: Changes, length = 1): boolean {
  if (length > longestPath || !isUnchanged(path, changes) || !isSizeUnchanged(path, changes)) return false;
  return isReachable(path, changes, length);
}

function isReachable(path: Expression, changes: Changes, length: number): boolean {
  switch (path.kind) {
    case 'get-local':
    case 'get-global':
      return true;
    case 'get-field':
      return length < longestPath && isReachable(path.object, changes, length + 1);
    case 'get-element':
      return isHoldable(path.array, changes, length + 1) && isKnownIndex(path.index, changes, length + 1);
    default:
      return false;
  }
}

/** Whether the index can be worked out in front of the loop, where what fails in the loop must not fail yet. */
function isKnownIndex(index: Expression, changes: Changes, length: number): boolean {
  if (index.kind === 'get-element')
    return isHoldable(index.array, changes, length) && isKnownIndex(index.index, changes, length);
  if (index.kind === 'get-field') return length < longestPath && isReachable(index.object, changes, length);
  return isPlain(index);
}

function elementsOf(type: Type): Type {
  return type.kind === 'array' ? { kind: 'elements', element: type.element } : codeUnitsType;
}
