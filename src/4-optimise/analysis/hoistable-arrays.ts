// Which arrays and texts can be hoisted in front of a loop: the loop neither replaces nor resizes them, and their path
// can be evaluated there without an error.

import type { Expression } from '../../mir/mir.ts';
import { visitAll } from '../../mir/children.ts';
import { isSpeculatable } from '../../mir/effects.ts';
import type { LibraryRegistry } from '../../library/registry.ts';
import { isInPaths } from '../../mir/kinds.ts';
import { isUnchanged } from './access-paths.ts';
import { isSizeUnchanged } from './counted-loops.ts';
import type { Changes } from './mod-ref.ts';

/** Paths with more steps than this are not followed: each of them costs a test. */
const longestPath = 3;

/** Whether the elements of such an array can be in a local at all, whatever the loop does. */
export function hasHoistableElements(array: Expression): boolean {
  // Arrays of json are seen from values of json too.
  if (array.type.kind === 'array' ? array.type.element.kind === 'json' : array.type.kind !== 'string') return false;
  // Other expressions would be evaluated once, or not at all.
  let hasSequence = false;
  visitAll([array], ({ kind }) => (hasSequence ||= kind === 'sequence'));
  return !hasSequence;
}

/**
 * Whether the path leads to the same array, of the same length, in all of the loop, and every array on the way can be
 * hoisted.
 */
export function isHoistable(path: Expression, changes: Changes, registry: LibraryRegistry, length = 1): boolean {
  if (length > longestPath || !isUnchanged(path, changes) || !isSizeUnchanged(path, changes)) return false;
  return isReachable(path, changes, registry, length);
}

function isReachable(path: Expression, changes: Changes, registry: LibraryRegistry, length: number): boolean {
  if (!isInPaths(path)) return false;
  switch (path.kind) {
    case 'get-local':
    case 'get-global':
    case 'string':
      return true;
    case 'get-field':
      return length < longestPath && isReachable(path.object, changes, registry, length + 1);
    case 'get-element':
      return (
        isHoistable(path.array, changes, registry, length + 1) &&
        isKnownIndex(path.index, changes, registry, length + 1)
      );
    case 'int':
    case 'operate':
      return false;
  }
}

/** Whether the index can be evaluated in front of the loop: an error of the loop must not happen there already. */
function isKnownIndex(index: Expression, changes: Changes, registry: LibraryRegistry, length: number): boolean {
  if (index.kind === 'get-element')
    return isHoistable(index.array, changes, registry, length) && isKnownIndex(index.index, changes, registry, length);
  if (index.kind === 'get-field') return length < longestPath && isReachable(index.object, changes, registry, length);
  return isSpeculatable(index, registry);
}
