// Limits of loops that stay the same though they are no plain numbers: sums with the length of an array, the length of a
// row, an element of an array that the loop does not set. They may fail, but at the first test of the condition or never.

import type { Expression } from '../../mir/mir.ts';
import { effectsOf } from '../../mir/effects.ts';
import type { LibraryRegistry } from '../../library/registry.ts';
import { isUnchanged } from './access-paths.ts';
import { isSizeUnchanged } from './counted-loops.ts';
import type { Changes } from './mod-ref.ts';

/** Nobody writes longer ones. */
const deepest = 8;

const lengths = new Set(['T[].length', 'string.length']);
/** Of ints alone, and never wrong. */
const choices = new Set(['int.min', 'int.max']);

/** Whether the int is the same at every test of the condition of a loop with these changes, and has no effect. */
export function isInvariant(node: Expression, changes: Changes, registry: LibraryRegistry, depth = 0): boolean {
  if (depth > deepest || changes.everything) return false;
  const stays = (part: Expression): boolean => isInvariant(part, changes, registry, depth + 1);
  if (isUnchanged(node, changes)) return true;
  if (node.kind === 'operate') {
    const { writes, calls, allocates, charges } = effectsOf(node, registry);
    const isPlain = node.type.kind === 'int' && writes.length === 0 && calls === null && !allocates && !charges;
    return isPlain && node.operands.every(stays);
  }
  if (node.kind === 'library-call') {
    if (choices.has(node.function)) return node.arguments.every(stays);
    const [array] = node.arguments;
    return lengths.has(node.function) && isSizeUnchanged(array!, changes) && stays(array!);
  }
  return node.kind === 'get-element' && stays(node.array) && stays(node.index) && !changes.mayStore(node.array);
}
