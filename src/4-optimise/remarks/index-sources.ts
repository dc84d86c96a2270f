// Where an index comes from that is not known in front of a loop: what was read for it, what could be worked out in
// front, and what the loop sets.

import { operandsOf, visitAll } from '../../mir/children.ts';
import type { Expression, GetHoisted, LocalId, Loop } from '../../mir/mir.ts';
import type { MirFunction } from '../../mir/program.ts';
import { isUnchanged, pathKey } from '../analysis/access-paths.ts';
import { findMoves } from '../analysis/induction-variables.ts';
import type { Changes } from '../analysis/mod-ref.ts';
import { isOfIteration } from './clobbers.ts';
import { sourceText } from './source-text.ts';

export interface IndexPlace {
  readonly fn: MirFunction;
  readonly loop: Loop;
  readonly changes: Changes;
  /** The variable that the loop counts, where that is known. */
  readonly variable: LocalId | null;
  /** Those of the loops in it. */
  readonly inner?: ReadonlySet<LocalId>;
}

export type IndexSource =
  /** It is worked out from the variable of a foreach. */
  | { readonly kind: 'element'; readonly variable: string; readonly array: string }
  | { readonly kind: 'read'; readonly source: string }
  /** A part of it stays the same, and is worked out each time. */
  | { readonly kind: 'part'; readonly part: string }
  /** A variable of the function, or a global or a field, that the loop sets. */
  | { readonly kind: 'varies' | 'memory'; readonly name: string }
  /** A variable that goes along, but not by a multiple of the step of the loop. */
  | { readonly kind: 'step'; readonly name: string };

/** What an index is worked out from; null where that is the variable of the loop and what stays the same. */
export function sourceOf(index: Expression, place: IndexPlace): IndexSource | null {
  if (isLong(index)) return null;
  return (
    dataOf(index, place, new Set()) ??
    partOf(index, place, new Set()) ??
    settingOf(index, place, new Set(), pathKey(index) !== null)
  );
}

/** Nobody writes longer indices, nor more names for one, and these walks recurse. */
const mostNodes = 64;
const mostNames = 32;

function isLong(node: Expression): boolean {
  let nodes = 0;
  visitAll([node], () => void (nodes += 1));
  return nodes > mostNodes;
}

/** What comes out of arrays, texts and json, through variables that the loop sets too. */
function dataOf(node: Expression, place: IndexPlace, seen: Set<LocalId>): IndexSource | null {
  const { fn, loop, changes, variable } = place;
  if (isUnchanged(node, changes)) return null;
  const source = whereRead(node);
  if (source !== null) return { kind: 'read', source };
  if (node.kind !== 'get-local') return firstOf(valuesIn(node), (part) => dataOf(part, place, seen));
  const values = node.local === variable ? [] : valuesOf(node.local, loop, seen);
  const element = values.length === 1 ? elementOf(values[0]!, place) : null;
  const { name } = fn.locals[node.local]!;
  if (element !== null) return { kind: 'element', variable: name, array: sourceText(element.hoisted.array.span) };
  return firstOf(values, (value) => dataOf(value, place, seen));
}

/** The parts of a value that it may be; what decides between two is none. */
function valuesIn(node: Expression): readonly Expression[] {
  return node.kind === 'conditional' || node.kind === 'select' ? [node.then, node.otherwise] : operandsOf(node);
}

/** What an expression reads from, if that is no variable. */
function whereRead(node: Expression): string | null {
  if (node.kind === 'get-hoisted') return node.hoisted.window === null ? 'an array' : 'a text';
  if (node.kind === 'get-element') return 'an array';
  if (node.kind === 'get-member' || node.kind === 'get-item') return 'json';
  return node.kind === 'library-call' && textReads.has(node.function) ? 'a text' : null;
}

/** What gives a number of a text. */
const textReads: ReadonlySet<string> = new Set(['string.codeAt', 'string.indexOf', 'string.lastIndexOf']);

/** The element that a foreach has come to: nobody has written its index. */
function elementOf(value: Expression, { fn, variable }: IndexPlace): GetHoisted | null {
  if (value.kind !== 'get-hoisted' || value.index.kind !== 'get-local') return null;
  const isHidden = value.index.local === variable && fn.locals[variable]!.origin === 'temporary';
  return isHidden ? value : null;
}

/** A part that stays the same, but is no path; what decides between two values is none of the index. */
function partOf(node: Expression, place: IndexPlace, seen: Set<LocalId>): IndexSource | null {
  const { changes } = place;
  if (isUnchanged(node, changes)) return null;
  if (staysSame(node, changes)) return { kind: 'part', part: sourceText(node.span) };
  const parts = node.kind === 'get-local' ? namedBy(node.local, place, seen) : valuesIn(node);
  return firstOf(parts, (part) => partOf(part, place, seen));
}

/** What a local is a name of that each iteration sets once, without itself. */
function namedBy(local: LocalId, { fn, loop, variable }: IndexPlace, seen: Set<LocalId>): readonly Expression[] {
  const values = local === variable || !isOfIteration(fn, loop, local) ? [] : valuesOf(local, loop, seen);
  return values.length === 1 && !readsLocal(values[0]!, local) ? values : [];
}

function readsLocal(node: Expression, local: LocalId): boolean {
  let does = false;
  visitAll([node], (part) => void (does ||= part.kind === 'get-local' && part.local === local));
  return does;
}

function staysSame(node: Expression, changes: Changes): boolean {
  if (isUnchanged(node, changes)) return true;
  const isLength = node.kind === 'library-call' && node.function.endsWith('.length');
  return (isLength || node.kind === 'operate') && operandsOf(node).every((part) => staysSame(part, changes));
}

/** What the loop sets otherwise than to count; `isPlain` where the index is made of it by simple operators alone. */
function settingOf(node: Expression, place: IndexPlace, seen: Set<LocalId>, isPlain: boolean): IndexSource | null {
  const { fn, loop, changes, variable, inner } = place;
  if (node.kind === 'get-global' || node.kind === 'get-field')
    return isUnchanged(node, changes) ? null : { kind: 'memory', name: sourceText(node.span) };
  if (node.kind !== 'get-local') return firstOf(operandsOf(node), (part) => settingOf(part, place, seen, isPlain));
  if (node.local === variable || inner?.has(node.local) === true || !changes.locals.has(node.local)) return null;
  const named = namedBy(node.local, place, seen);
  if (named.length > 0)
    return firstOf(named, (value) => settingOf(value, place, seen, isPlain && pathKey(value) !== null));
  const { name, origin } = fn.locals[node.local]!;
  if (origin !== 'source') return null;
  if (!goesAlong(node.local, loop)) return { kind: 'varies', name };
  return isPlain ? { kind: 'step', name } : null;
}

/** Whether each iteration changes a local by the same amount. */
function goesAlong(local: LocalId, loop: Loop): boolean {
  let isPassedOver = false;
  visitAll(loop.body, (node) => void (isPassedOver ||= node.kind === 'continue' && node.loop === loop.id));
  return !isPassedOver && findMoves(loop).get(local)?.size === settingsOf(local, loop).length;
}

/** What a loop sets a local to that was not seen yet. */
function valuesOf(local: LocalId, loop: Loop, seen: Set<LocalId>): readonly Expression[] {
  if (seen.has(local) || seen.size >= mostNames) return [];
  seen.add(local);
  const values = settingsOf(local, loop);
  return values.some(isLong) ? [] : values;
}

/** What a loop sets a local to. */
export function settingsOf(local: LocalId, loop: Loop): readonly Expression[] {
  const values: Expression[] = [];
  visitAll([loop], (node) => void (node.kind === 'set-local' && node.local === local && values.push(node.value)));
  return values;
}

function firstOf<Item, Found>(items: readonly Item[], find: (item: Item) => Found | null): Found | null {
  for (const item of items) {
    const found = find(item);
    if (found !== null) return found;
  }
  return null;
}
