// Reads a loop with others in it as a loop nest. It is none where something in it could fail besides a subscript that is
// out of range, where a subscript or a bound is not affine, where a loop is left but at its end, where a matrix is not
// fixed, and where a loop has its variable read by others.

import type { CountedLoop, Expression, If, LocalId, Loop, Statement } from '../../mir/mir.ts';
import { countsUp } from '../../mir/mir.ts';
import type { MirFunction } from '../../mir/program.ts';
import { operandsOf, visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { effectsOf, isPure, isSpeculatable } from '../../mir/effects.ts';
import { localsRead, localsSet } from '../../mir/locals.ts';
import type { LibraryRegistry } from '../../library/registry.ts';
import { intType } from '../../language/types.ts';
import type { Type } from '../../language/types.ts';
import { isUnchanged, pathKey } from '../analysis/access-paths.ts';
import { elementsOf } from '../analysis/alias-classes.ts';
import { flipped, largestStep, readComparison, readStep, startOf } from '../analysis/counted-loops.ts';
import type { FixedMatrices } from '../analysis/fixed-matrices.ts';
import type { Changes, ProgramChanges } from '../analysis/mod-ref.ts';
import { add, constantForm, isSmall, localForm, plus, toExpression } from './affine-forms.ts';
import type { AffineForm } from './affine-forms.ts';
import type { Access, Accesses, Nest, NestArray, NestLoop, Part, Reference } from './tree.ts';

export interface ReaderContext {
  readonly fn: MirFunction;
  readonly modRef: ProgramChanges;
  readonly matrices: () => FixedMatrices;
  readonly registry: LibraryRegistry;
  /** How often the function reads each local. */
  readonly reads: ReadonlyMap<LocalId, number>;
  readonly newLocal: (name: string, type: Type) => LocalId;
  /** Told of what has no place in a nest: where the loop is none, the last one is why. */
  readonly refuse?: (kind: Refusal['kind'], node: Node) => void;
}

/** Why a loop is no nest. */
export interface Refusal {
  /**
   * An effect on everything, the head of a loop, its limit or start, its variable, which others read, a statement, a
   * value, an index, an array, or rows that may differ.
   */
  readonly kind: 'everything' | 'head' | 'limit' | 'variable' | 'statement' | 'value' | 'index' | 'array' | 'rows';
  readonly node: Node;
}

/** More loops in one another are not read together: what is outermost is the place at which a function can stop. */
const deepest = 3;

/** The nest with this loop as its outermost; null where it is none. */
export function readNest(root: Loop, before: readonly Statement[], context: ReaderContext): Nest | null {
  if (heightOf(root) < 2 || heightOf(root) > deepest) return null;
  const changes = context.modRef.of([root]);
  if (changes.everything) {
    context.refuse?.('everything', root);
    return null;
  }
  return new NestReader(root, changes, context).nest(before);
}

/** How many loops are in one another, this one included. */
export function heightOf(loop: Loop): number {
  return 1 + Math.max(0, ...loop.body.map(heightIn));
}

function heightIn(node: Statement): number {
  if (node.kind === 'loop') return heightOf(node);
  return node.kind === 'block' ? Math.max(0, ...node.statements.map(heightIn)) : 0;
}

/** What the names mean at a place. */
interface Names {
  /** Variables of the loops around. */
  readonly variables: ReadonlySet<LocalId>;
  /** Locals that are set once, to something affine. */
  readonly ints: Map<LocalId, AffineForm>;
  /** Locals that are set once, to an array or a row. */
  readonly rows: Map<LocalId, Reference>;
}

/** How a loop counts. */
interface Head {
  readonly variable: LocalId;
  readonly comparison: CountedLoop['comparison'];
  readonly end: AffineForm;
  /** With its sign. */
  readonly step: bigint;
}

class NestReader {
  readonly #root: Loop;
  readonly #changes: Changes;
  readonly #context: ReaderContext;
  readonly #sets: ReadonlyMap<LocalId, number>;
  readonly #reads: ReadonlyMap<LocalId, number>;
  readonly #accesses: Accesses = new Map();
  readonly #rows = new Map<Node, Reference>();
  /** Rows whose lengths the bounds of a loop ask for; elsewhere lengths are none of a nest. */
  #asked: Reference[] | null = null;
  readonly #arrays = new Map<string, NestArray>();
  readonly #measured = new Set<NestArray>();
  readonly #invariants = new Map<string, { readonly local: LocalId; readonly value: Expression }>();

  constructor(root: Loop, changes: Changes, context: ReaderContext) {
    this.#root = root;
    this.#changes = changes;
    this.#context = context;
    this.#sets = count([root], localsSet);
    this.#reads = count([root], localsRead);
  }

  nest(before: readonly Statement[]): Nest | null {
    const names: Names = { variables: new Set(), ints: new Map(), rows: new Map() };
    const root = this.#loop(this.#root, null, before, names);
    if (root === null) return null;
    return {
      root,
      accesses: this.#accesses,
      rows: this.#rows,
      arrays: this.#arrays,
      measured: this.#measured,
      invariants: [...this.#invariants.values()],
      span: this.#root.span,
    };
  }

  #refuse(kind: Refusal['kind'], node: Node): null {
    this.#context.refuse?.(kind, node);
    return null;
  }

  /** `first` is null for the outermost loop, whose variable begins with the value that it has. */
  #loop(loop: Loop, first: AffineForm | null, before: readonly Statement[], names: Names): NestLoop | null {
    const { reads } = this.#context;
    const rows: Reference[] = [];
    this.#asked = rows;
    const head = this.#head(loop, names);
    this.#asked = null;
    if (head === null) return null;
    const { variable, comparison, end } = head;
    if (first !== null && reads.get(variable) !== count([loop], localsRead).get(variable))
      return this.#refuse('variable', loop);
    const inside: Names = {
      variables: new Set([...names.variables, variable]),
      ints: new Map(names.ints),
      rows: new Map(names.rows),
    };
    const parts = this.#parts(loop.body, inside);
    if (parts === null) return null;
    const step = head.step < 0n ? -head.step : head.step;
    const goesUp = countsUp(comparison);
    const start = first === null ? startOf(head, before) : null;
    const from = first ?? (start === null ? this.#valueInFront(variable, loop) : constantForm(start));
    return isSmall(from)
      ? { kind: 'loop', variable, goesUp, step, first: from, end, parts, rows, weight: 1, source: loop }
      : this.#refuse('head', loop);
  }

  #valueInFront(variable: LocalId, { span }: Loop): AffineForm {
    const local = this.#context.newLocal('first', intType);
    this.#invariants.set(`first ${local}`, {
      local,
      value: { kind: 'get-local', local: variable, type: intType, span },
    });
    return localForm(local);
  }

  /** How the loop counts, up or down to a limit that is affine in what does not change in it. */
  #head(loop: Loop, names: Names): Head | null {
    const { condition, testFirst, step } = loop;
    const [only, ...others] = flatten(step);
    const [move] = only === undefined || others.length > 0 ? [] : (readStep(only) ?? []);
    if (move === undefined || !testFirst || condition?.kind !== 'operate') return this.#refuse('head', loop);
    const [variable, by] = move;
    const comparison = readComparison(condition.operator);
    if (comparison === null || by.kind !== 'int' || this.#sets.get(variable) !== this.#timesSet(variable))
      return this.#refuse('head', loop);
    const [left, right] = condition.operands as readonly [Expression, Expression];
    const isFirst = left.kind === 'get-local' && left.local === variable;
    const other = isFirst ? right : left;
    if (!isFirst && (right.kind !== 'get-local' || right.local !== variable)) return this.#refuse('head', loop);
    const direction = isFirst ? comparison : flipped[comparison];
    const towards = countsUp(direction) ? by.value : -by.value;
    const limit = this.#affine(other, names);
    if (limit === null) return this.#refuse('limit', other);
    if (towards <= 0n || towards > largestStep) return this.#refuse('head', loop);
    const isOpen = direction === '<' || direction === '>';
    const end = isOpen ? limit : plus(limit, direction === '<=' ? 1n : -1n);
    return { variable, comparison: direction, end, step: by.value };
  }

  /** How often a variable of a loop is set: by its step, and in front of it if the loop is inside another. */
  #timesSet(variable: LocalId): number {
    return count(this.#root.step, localsSet).has(variable) ? 1 : 2;
  }

  #parts(nodes: readonly Statement[], names: Names): readonly Part[] | null {
    const parts: Part[] = [];
    let straight: Statement[] = [];
    const close = (): void => {
      if (straight.length > 0) parts.push({ kind: 'straight', statements: straight });
      straight = [];
    };
    for (const node of flatten(nodes)) {
      if (node.kind === 'loop') {
        const last = straight.at(-1);
        const first = this.#takeFirst(node, straight, names);
        close();
        const loop = first === null ? this.#refuseStart(node, last) : this.#loop(node, first, [], names);
        if (loop === null) return null;
        parts.push(loop);
        continue;
      }
      const kept = this.#statement(node, names);
      if (kept === null) return null;
      straight.push(...kept);
    }
    close();
    return parts;
  }

  /** `last` is in front of a loop inside: what its variable begins with, or its limit. */
  #refuseStart(loop: Loop, last: Statement | undefined): null {
    const isBound = last?.kind === 'set-local' && loop.condition !== null && isReadIn(loop.condition, last.local);
    return isBound ? this.#refuse('limit', last.value) : this.#refuse('head', loop);
  }

  /** With what the variable of a loop begins: it is set right in front of the loop, by a statement that is taken away. */
  #takeFirst(loop: Loop, straight: Statement[], names: Names): AffineForm | null {
    const at = straight.findLastIndex((node) => node.kind === 'set-local' && isStep(loop.step, node.local));
    const start = straight[at];
    if (start?.kind !== 'set-local') return null;
    // A limit may have been worked out in between.
    const isBetween = (node: Statement): boolean =>
      node.kind === 'set-local' && !count([node], localsRead).has(start.local) && names.ints.has(node.local);
    if (!straight.slice(at + 1).every(isBetween)) return null;
    const first = this.#affine(start.value, names);
    if (first !== null) straight.splice(at, 1);
    return first;
  }

  /** What stays of a statement; null where it has no place in a nest. */
  #statement(node: Statement, names: Names): readonly Statement[] | null {
    if (node.kind === 'set-local') return this.#setLocal(node, names);
    if (node.kind === 'set-element') {
      const access = this.#access(node.array, node.index, names);
      if (access === null || !this.#isPlain(node.value, names)) return null;
      this.#accesses.set(node, { ...access, isWrite: true, type: node.value.type });
      return isNumber(node.value.type) ? [node] : this.#refuse('value', node.value);
    }
    if (node.kind !== 'if') return this.#refuse('statement', node);
    const block = (nodes: readonly Statement[]): readonly Statement[] | null => {
      const inside: Names = { ...names, ints: new Map(names.ints), rows: new Map(names.rows) };
      const kept: Statement[] = [];
      for (const part of flatten(nodes)) {
        const some = this.#statement(part, inside);
        if (some === null) return null;
        kept.push(...some);
      }
      return kept;
    };
    const arms: If['arms'][number][] = [];
    for (const arm of node.arms) {
      const then = block(arm.then);
      if (then === null) return null;
      arms.push({ ...arm, then });
    }
    const otherwise = block(node.otherwise);
    const isKnown = otherwise !== null && arms.every(({ condition }) => this.#isPlain(condition, names));
    return isKnown ? [{ ...node, arms, otherwise }] : null;
  }

  #setLocal(node: Statement & { readonly kind: 'set-local' }, names: Names): readonly Statement[] | null {
    const { local, value } = node;
    const isOnly = this.#sets.get(local) === 1;
    if (value.type.kind === 'array') {
      const reference = isOnly ? this.#reference(value, names) : null;
      // A row in a variable that is read behind the nest would have to be set.
      if (reference === null) return isOnly ? null : this.#refuse('statement', node);
      if (this.#isReadOutside(local)) return this.#refuse('statement', node);
      names.rows.set(local, reference);
      this.#rows.set(node, reference);
      return [node];
    }
    if (!isNumber(value.type)) return this.#refuse('value', value);
    const length = isOnly && hasLength(value) ? this.#setLength(node, names) : null;
    if (length !== null) return [length];
    if (!this.#isPlain(value, names)) return null;
    if (value.type.kind === 'int' && isOnly) {
      const form = this.#affine(value, names);
      if (form !== null) names.ints.set(local, form);
    }
    return [node];
  }

  /** `$limit = a[i].length() - 1`, for which the row must be there. */
  #setLength(node: Statement & { readonly kind: 'set-local' }, names: Names): Statement | null {
    const rows: Reference[] = [];
    this.#asked = rows;
    const form = this.#affine(node.value, names);
    this.#asked = null;
    const [row, ...others] = rows;
    if (form === null || others.length > 0) return null;
    const set: Statement = { ...node, value: toExpression(form, node.span) };
    if (row !== undefined) this.#rows.set(set, row);
    names.ints.set(node.local, form);
    return set;
  }

  #isReadOutside(local: LocalId): boolean {
    return this.#context.reads.get(local) !== this.#reads.get(local);
  }

  /** Whether a value can neither fail nor do anything. Its accesses are noted. */
  #isPlain(node: Expression, names: Names): boolean {
    if (node.kind === 'get-element') {
      const access = isNumber(node.type) ? this.#access(node.array, node.index, names) : this.#refuse('value', node);
      if (access !== null) this.#accesses.set(node, { ...access, isWrite: false, type: node.type });
      return access !== null;
    }
    const effects = effectsOf(node, this.#context.registry);
    const isItself = isNumber(node.type) && node.kind !== 'sequence' && isPure(effects) && !effects.isGuarded;
    if (!isItself) this.#refuse('value', node);
    return isItself && operandsOf(node).every((part) => this.#isPlain(part, names));
  }

  #access(array: Expression, index: Expression, names: Names): Pick<Access, 'array' | 'subscripts'> | null {
    const row = this.#reference(array, names);
    if (row === null) return null;
    const last = this.#affine(index, names);
    if (last === null) return this.#refuse('index', index);
    const subscripts = [...row.subscripts, last];
    return subscripts.length === row.array.dimensions ? { array: row.array, subscripts } : this.#refuse('value', array);
  }

  #reference(node: Expression, names: Names): Reference | null {
    if (node.kind === 'get-local') {
      const known = names.rows.get(node.local);
      if (known !== undefined) return known;
    }
    if (node.kind === 'get-element') {
      const matrix = this.#reference(node.array, names);
      if (matrix === null) return null;
      const subscript = this.#affine(node.index, names);
      return subscript === null
        ? this.#refuse('index', node.index)
        : { array: matrix.array, subscripts: [...matrix.subscripts, subscript] };
    }
    const array = this.#arrayAt(node);
    return array === null ? null : { array, subscripts: [] };
  }

  /** An array that the nest leaves where it is. */
  #arrayAt(base: Expression): NestArray | null {
    const key = pathKey(base);
    if (key === null || base.type.kind !== 'array' || !isLookedUp(base) || !isUnchanged(base, this.#changes))
      return this.#refuse('array', base);
    const known = this.#arrays.get(key);
    if (known !== undefined) return known;
    const { fn, matrices, newLocal } = this.#context;
    const types = elementTypes(base.type);
    if (!isNumber(types.at(-1)!)) return this.#refuse('value', base);
    let rows = matrices().classOfArray(fn, base);
    for (let rest = types.length; rest > 1; rest--) {
      if (!matrices().isFixedClass(rows)) return this.#refuse('rows', base);
      rows = elementsOf(rows);
    }
    const array: NestArray = {
      key,
      base,
      class: rows,
      dimensions: types.length,
      elements: types.map((element) => newLocal('elements', { kind: 'elements', element })),
      lengths: types.map(() => newLocal('length', intType)),
    };
    this.#arrays.set(key, array);
    return array;
  }

  #affine(node: Expression, names: Names): AffineForm | null {
    const form = this.#sumOf(node, names);
    return form !== null && isSmall(form) ? form : null;
  }

  #sumOf(node: Expression, names: Names): AffineForm | null {
    if (node.kind === 'int') return constantForm(node.value);
    if (node.kind === 'get-local') {
      if (names.variables.has(node.local)) return localForm(node.local);
      const known = names.ints.get(node.local);
      if (known !== undefined) return known;
      return this.#changes.locals.has(node.local) ? null : localForm(node.local);
    }
    if (node.kind === 'library-call' && node.function === 'T[].length')
      return this.#lengthOf(node.arguments[0]!, names);
    if (node.kind === 'operate') {
      const sum = this.#operation(node, names);
      if (sum !== null) return sum;
    }
    return this.#invariant(node);
  }

  #operation({ operator, operands }: Expression & { readonly kind: 'operate' }, names: Names): AffineForm | null {
    if (operator !== '+(int,int)' && operator !== '-(int,int)' && operator !== '*(int,int)') return null;
    const [left, right] = operands.map((operand) => this.#affine(operand, names));
    if (left === null || left === undefined || right === null || right === undefined) return null;
    if (operator !== '*(int,int)') return add(left, right, operator === '+(int,int)' ? 1n : -1n);
    if (left.terms.size === 0) return add(constantForm(0n), right, left.constant);
    return right.terms.size === 0 ? add(constantForm(0n), left, right.constant) : null;
  }

  /** The length of an array, or of the rows of a fixed matrix. */
  #lengthOf(array: Expression, names: Names): AffineForm | null {
    const reference = this.#reference(array, names);
    if (reference === null || reference.subscripts.length >= reference.array.dimensions) return null;
    const { array: measured, subscripts } = reference;
    if (subscripts.length > 0 && this.#asked === null) return null;
    if (subscripts.length > 0) this.#asked!.push(reference);
    this.#measured.add(measured);
    return localForm(measured.lengths[subscripts.length]!);
  }

  /** What can be worked out in front of the nest. */
  #invariant(node: Expression): AffineForm | null {
    const key = pathKey(node);
    if (key === null || node.type.kind !== 'int' || !isUnchanged(node, this.#changes)) return null;
    if (!isSpeculatable(node, this.#context.registry)) return null;
    const known = this.#invariants.get(key);
    if (known !== undefined) return localForm(known.local);
    const local = this.#context.newLocal('invariant', intType);
    this.#invariants.set(key, { local, value: node });
    return localForm(local);
  }
}

function flatten(nodes: readonly Statement[]): readonly Statement[] {
  return nodes.flatMap((node) => (node.kind === 'block' ? flatten(node.statements) : [node]));
}

/** Whether the step of a loop does nothing but to move its variable. */
function isStep(step: readonly Statement[], variable: LocalId): boolean {
  const [only, ...others] = flatten(step);
  return only?.kind === 'set-local' && only.local === variable && others.length === 0;
}

function isReadIn(node: Expression, local: LocalId): boolean {
  return localsRead(node).includes(local) || operandsOf(node).some((operand) => isReadIn(operand, local));
}

/** Whether it can be looked up in front of a loop without an error. */
function isLookedUp(base: Expression): boolean {
  if (base.kind === 'get-local' || base.kind === 'get-global') return true;
  return base.kind === 'get-field' && (base.object.kind === 'get-local' || base.object.kind === 'get-global');
}

/** Of an array the types of its elements, of their elements, and so on. */
export function elementTypes(type: Type): readonly Type[] {
  return type.kind === 'array' ? [type.element, ...elementTypes(type.element)] : [];
}

function isNumber({ kind }: Type): boolean {
  return kind === 'int' || kind === 'double' || kind === 'boolean';
}

/** How often the nodes do something to each local. */
export function count(nodes: readonly Node[], localsIn: (node: Node) => readonly LocalId[]): Map<LocalId, number> {
  const found = new Map<LocalId, number>();
  visitAll(nodes, (node) => {
    for (const local of localsIn(node)) found.set(local, (found.get(local) ?? 0) + 1);
  });
  return found;
}

function hasLength(value: Expression): boolean {
  let has = false;
  visitAll([value], (node) => void (has ||= node.kind === 'library-call' && node.function === 'T[].length'));
  return has;
}
