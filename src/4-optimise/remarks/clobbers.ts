// What stands in the way of an array being the same one, of the same length, in all of a loop: the first part of its
// path that may change, and the statement or call in the loop that may change it.
// Source: "clobber" as in LLVM's MemorySSA: the access that a value depends on.

import { partsOf, visitAll } from '../../mir/children.ts';
import type { Node } from '../../mir/children.ts';
import { isInPaths } from '../../mir/kinds.ts';
import { localsSet } from '../../mir/locals.ts';
import type { Expression, LocalId, Loop } from '../../mir/mir.ts';
import type { MirFunction } from '../../mir/program.ts';
import type { Span } from '../../source.ts';
import { isSizeUnchanged } from '../analysis/counted-loops.ts';
import { fieldKey } from '../analysis/assignments.ts';
import type { Changes, ProgramChanges } from '../analysis/mod-ref.ts';
import { sourceText } from './source-text.ts';

/** Something that a path goes through, and what may happen to it. */
export interface Change {
  readonly part: Expression;
  /** Its value is replaced, or its array gets longer or shorter. */
  readonly kind: 'set' | 'resized';
  /** Whether it is part of an index: another element, not another array in its place. */
  readonly isIndex: boolean;
  readonly mayHappen: (changes: Changes) => boolean;
}

/** The first part of the path of an array that may change; null where the array stays as it is. */
export function findChange(path: Expression, changes: Changes): Change | null {
  return (
    findSetting(path, changes, false) ??
    (path.type.kind === 'array' && !isSizeUnchanged(path, changes)
      ? { part: path, kind: 'resized', isIndex: false, mayHappen: (some) => !isSizeUnchanged(path, some) }
      : null)
  );
}

function findSetting(node: Expression, changes: Changes, isIndex: boolean): Change | null {
  const itself = (mayHappen: Change['mayHappen']): Change | null =>
    mayHappen(changes) ? { part: node, kind: 'set', isIndex, mayHappen } : null;
  if (node.kind === 'check-null') return findSetting(node.operand, changes, isIndex);
  if (!isInPaths(node)) return null;
  switch (node.kind) {
    case 'int':
    case 'string':
      return null;
    case 'get-local':
      return itself(({ locals }) => locals.has(node.local));
    case 'get-global':
      return itself(({ everything, globals }) => everything || globals.has(node.global));
    case 'get-field':
      return (
        findSetting(node.object, changes, isIndex) ??
        itself(({ everything, fields }) => everything || fields.has(fieldKey(node.struct, node.field)))
      );
    case 'get-element':
      return (
        findSetting(node.array, changes, isIndex) ??
        findSetting(node.index, changes, true) ??
        itself((some) => some.mayStore(node.array))
      );
    case 'operate':
      return node.operands.reduce<Change | null>((found, part) => found ?? findSetting(part, changes, isIndex), null);
  }
}

/** Who may change something: `before` at a place `behind`. */
export interface Clobber {
  readonly before: string;
  readonly at: Span;
  readonly behind: string;
}

/** The first place in a loop that may make a change. */
export function findClobber(
  { part, kind, mayHappen }: Change,
  loop: Loop,
  fn: MirFunction,
  modRef: ProgramChanges,
): Clobber {
  let node: Node = loop;
  for (;;) {
    const inner: Node | undefined = partsOf(node).find((one) => mayHappen(modRef.of([one], fn)));
    if (inner === undefined) break;
    node = inner;
  }
  const at = node.span;
  const what = sourceText(at);
  const waits = node.kind === 'yield' || (node.kind === 'library-call' && modRef.of([node], fn).everything);
  if (waits)
    return {
      before: node.kind === 'yield' ? 'yield' : `'${what}'`,
      at,
      behind: ` lets the host run, which may change ${named(part)}`,
    };
  if (node.kind === 'call' || node.kind === 'library-call') {
    const verb = kind === 'set' ? 'replace' : 'resize';
    return { before: `'${what}'`, at, behind: ` may ${verb} ${named(part)}` };
  }
  if (node.kind === 'set-element') {
    const element = node.value.type.kind === 'array' ? 'a row' : 'an element';
    return { before: `${element} of ${named(node.array)} is stored`, at, behind: '' };
  }
  if (node.kind === 'set-global' || (!('type' in node) && localsSet(node).length > 0))
    return { before: `${named(part)} is set`, at, behind: '' };
  return { before: `'${what}'`, at, behind: ` may change ${named(part)}` };
}

function named(part: Expression): string {
  return `'${sourceText(part.span)}'`;
}

/** Whether a local is set in a loop alone: each iteration has one of its own. */
export function isOfIteration(fn: MirFunction, loop: Loop, local: LocalId): boolean {
  const count = (nodes: readonly Node[]): number => {
    let sets = 0;
    visitAll(nodes, (node) => void (sets += localsSet(node).includes(local) ? 1 : 0));
    return sets;
  };
  const isParameter = fn.parameters.some((parameter) => parameter.local === local);
  return !isParameter && count([loop]) === count(fn.body);
}

/** What a variable of a function is called. */
export function nameOf(fn: MirFunction, local: LocalId): string {
  return fn.locals[local]!.name;
}
