// The numbers in memory that a loop works on: elements, fields and globals, each with the places in the loop where it is
// read or set, and whether it stays the same one in all iterations.

import type { CountedLoop, Expression, LocalId, Loop, Statement } from '../../mir/mir.ts';
import type { MirFunction } from '../../mir/program.ts';
import type { Type } from '../../language/types.ts';
import { typeKey, valueOf } from '../../language/types.ts';
import { visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { effectsOf } from '../../mir/effects.ts';
import type { LibraryRegistry } from '../../library/registry.ts';
import { isUnchanged, pathKey } from './access-paths.ts';
import type { Place } from './dependences.ts';
import type { FixedMatrices } from './fixed-matrices.ts';
import { isRowElement } from './induction-variables.ts';
import { PathWalk } from './local-paths.ts';
import { localsIn } from './loop-nests.ts';
import type { NestFacts } from './loop-nests.ts';
import { fieldKey } from './assignments.ts';
import type { Changes } from './mod-ref.ts';

/** A place in a loop that reads or sets a value in memory. */
export interface Occurrence {
  readonly node: Node;
  /** Shared by what is the same in all iterations by its text; null for what may move. */
  readonly key: string | null;
  /** Values of different kinds are never the same: of elements the type, the field of a struct, or the global. */
  readonly kind: string;
  readonly type: Type;
  readonly isWrite: boolean;
  /** Of an element: what it is compared by; null where nothing is known of it. */
  readonly place: (() => Place) | null;
  /** Of an element its subscript, by names that the loop does not set. */
  readonly subscript: Expression | null;
  /** Of a field, the object. */
  readonly object: Expression | null;
}

export interface LoopContext {
  readonly fn: MirFunction;
  readonly changes: Changes;
  readonly registry: LibraryRegistry;
  readonly matrices: () => FixedMatrices;
  readonly facts: () => NestFacts;
}

/** What the loop reads and sets in memory; null where that cannot be told, or an access may fail. */
export function findOccurrences(
  loop: Loop & { readonly counted: CountedLoop },
  context: LoopContext,
): readonly Occurrence[] | null {
  const { changes, registry } = context;
  const found: Occurrence[] = [];
  let isKnown = true;
  const enter = (node: Node, walk: PathWalk): void => {
    if (!isKnown) return;
    const resolve = (part: Expression): Expression => walk.paths.resolve(part, changes);
    if (node.kind === 'get-hoisted' || node.kind === 'set-hoisted') {
      isKnown &&= !node.checked;
      walk.nodes([node.index]);
      const subscript = resolve(node.index);
      if (node.kind === 'set-hoisted') walk.nodes([node.value]);
      if (node.hoisted.window === null) found.push(ofElement(node, subscript, context));
      return;
    }
    walk.inside(node);
    if (node.kind === 'get-element') {
      isKnown &&= !node.checked;
      found.push(ofRow(node, resolve, context));
    } else if (node.kind === 'get-field' || node.kind === 'set-field')
      found.push(ofField(node, resolve(node.object), changes));
    else if (node.kind === 'get-global' || node.kind === 'set-global') found.push(ofGlobal(node));
    else isKnown &&= node === loop || isPlain(node, registry);
  };
  const walk = new PathWalk(findNames(loop, loop.counted.variable, changes), { enter });
  walk.nodes([loop]);
  // Where the variable has moved already, the same subscript means another element.
  const inStep = new Set<Node>();
  visitAll([...(loop.condition === null ? [] : [loop.condition]), ...loop.step], (node) => void inStep.add(node));
  return isKnown && !found.some(({ node, subscript }) => subscript !== null && inStep.has(node)) ? found : null;
}

/** Reads and sets locals alone, or the length of an array. */
function isPlain(node: Node, registry: LibraryRegistry): boolean {
  if (node.kind === 'try' || node.kind === 'loop' || node.kind === 'hoist-array') return false;
  if (node.kind === 'library-call' && node.function === 'T[].length') return true;
  const { reads, writes, calls } = effectsOf(node, registry);
  return calls === null && [...reads, ...writes].every(({ kind }) => kind === 'local');
}

/**
 * The locals that the loop sets once, to what is worked out from the variable, from what it does not change and from
 * others of these: in the same iteration behind that they are names of it.
 */
function findNames(loop: Loop, variable: LocalId, changes: Changes): ReadonlyMap<LocalId, number> {
  const sets = new Map<LocalId, number>();
  const settings: SetLocal[] = [];
  visitAll([loop], (node) => {
    if (node.kind !== 'set-local') return;
    sets.set(node.local, (sets.get(node.local) ?? 0) + 1);
    settings.push(node);
  });
  const names = new Map<LocalId, number>();
  const isKnown = (local: LocalId): boolean => local === variable || names.has(local) || !changes.locals.has(local);
  let size = -1;
  while (names.size > size) {
    size = names.size;
    for (const { local, value } of settings)
      if (local !== variable && sets.get(local) === 1 && localsIn(value).every(isKnown)) names.set(local, 1);
  }
  return names;
}

type SetLocal = Statement & { readonly kind: 'set-local' };

function ofElement(
  node: Node & { readonly kind: 'get-hoisted' | 'set-hoisted' },
  subscript: Expression,
  { fn, changes, matrices, facts }: LoopContext,
): Occurrence {
  const { array, elements } = node.hoisted;
  const type = valueOf((array.type as Type & { readonly kind: 'array' }).element);
  const place = (): Place => {
    const row = facts().rowOf(elements);
    const isKnownRow = row !== null && matrices().isFixed(fn, row.matrix);
    return { class: matrices().classOf(fn, elements), elements, row: isKnownRow ? row : null, subscript };
  };
  const stays = !changes.locals.has(elements) && isOfLocals(subscript, changes) && !hasSettings(node.index);
  const key = stays ? `${elements} ${pathKey(subscript)}` : null;
  const isWrite = node.kind === 'set-hoisted';
  return { node, key, kind: typeKey(type), type, isWrite, place, subscript, object: null };
}

function ofRow(
  node: Expression & { readonly kind: 'get-element' },
  resolve: (part: Expression) => Expression,
  { fn, matrices }: LoopContext,
): Occurrence {
  const subscript = resolve(node.index);
  const common = { node, key: null, kind: typeKey(node.type), type: node.type, isWrite: false, object: null };
  if (!isRowElement(node)) return { ...common, place: null, subscript };
  const matrix = node.array.hoisted.elements;
  const row = { matrix, subscript: resolve(node.array.index) };
  const place = (): Place => ({
    class: matrices().classOfRows(fn, matrix),
    elements: null,
    row: matrices().isFixed(fn, matrix) ? row : null,
    subscript,
  });
  return { ...common, place, subscript };
}

function ofField(
  node: Node & { readonly kind: 'get-field' | 'set-field' },
  object: Expression,
  changes: Changes,
): Occurrence {
  const { struct, field } = node;
  const kind = fieldKey(struct, field);
  const stays = object.kind === 'get-local' && !changes.locals.has(object.local) && !hasSettings(node.object);
  const key = stays ? `${kind} of ${object.local}` : null;
  const isWrite = node.kind === 'set-field';
  const { type } = node.kind === 'set-field' ? node.value : node;
  return { node, key, kind, type, isWrite, place: null, subscript: null, object };
}

function ofGlobal(node: Node & { readonly kind: 'get-global' | 'set-global' }): Occurrence {
  const key = `global ${node.global}`;
  const isWrite = node.kind === 'set-global';
  const { type } = node.kind === 'set-global' ? node.value : node;
  return { node, key, kind: key, type, isWrite, place: null, subscript: null, object: null };
}

/** Worked out from locals that stay as they are: without an error, anywhere. */
function isOfLocals(subscript: Expression, changes: Changes): boolean {
  if (pathKey(subscript) === null || !isUnchanged(subscript, changes)) return false;
  let isOf = true;
  visitAll([subscript], ({ kind }) => (isOf &&= kind === 'int' || kind === 'get-local' || kind === 'operate'));
  return isOf;
}

/** What is left out of the loop with the access must not set anything. */
function hasSettings(index: Expression): boolean {
  let has = false;
  visitAll([index], ({ kind }) => (has ||= kind === 'sequence'));
  return has;
}
