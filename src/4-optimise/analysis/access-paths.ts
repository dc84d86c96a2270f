// Access paths: expressions that lead to a value through locals, globals, fields and elements. Their indices are ints
// computed from such paths. Evaluated twice while nothing that they read has changed, they give the same.

import { isInPaths } from '../../mir/kinds.ts';
import type { Expression } from '../../mir/mir.ts';
import { operators } from '../../language/operators.ts';
import { fieldKey } from './assignments.ts';
import type { Changes } from './mod-ref.ts';

/** Operators that make an int of two, have no effect and cannot fail. */
const plainOperators: ReadonlySet<string> = new Set(
  operators
    .filter(({ operands, result, effects: { throws, allocates, charges } }) => {
      const isOfInts = operands.length === 2 && [...operands, result].every(({ kind }) => kind === 'int');
      return isOfInts && !throws && !allocates && !charges;
    })
    .map(({ id }) => id),
);

/** Longer ones are no paths: nobody writes them, and walks of paths can recurse. */
const deepest = 32;

/** A key: two paths have the same key exactly if they are equal. Null for an expression that is no path. */
export function pathKey(node: Expression, depth = 0): string | null {
  if (depth > deepest || !isInPaths(node)) return null;
  switch (node.kind) {
    case 'int':
      return String(node.value);
    case 'string':
      return JSON.stringify(node.value);
    case 'get-local':
      return `local ${node.local}`;
    case 'get-global':
      return `global ${node.global}`;
    case 'get-field':
      return combine(`field ${node.field}`, [node.object], depth);
    case 'get-element':
      return combine('element', [node.array, node.index], depth);
    case 'operate':
      return plainOperators.has(node.operator) ? combine(node.operator, node.operands, depth) : null;
  }
}

function combine(name: string, parts: readonly Expression[], depth: number): string | null {
  const keys = parts.map((part) => pathKey(part, depth + 1));
  return keys.includes(null) ? null : `${name} [${keys.join('; ')}]`;
}

/** Whether a path gives the same value as long as nothing changes but this. */
export function isUnchanged(node: Expression, changes: Changes, depth = 0): boolean {
  if (depth > deepest || !isInPaths(node)) return false;
  switch (node.kind) {
    case 'int':
    case 'string':
      return true;
    case 'get-local':
      return !changes.locals.has(node.local);
    case 'get-global':
      return !changes.everything && !changes.globals.has(node.global);
    case 'get-field':
      return (
        !changes.everything &&
        !changes.fields.has(fieldKey(node.struct, node.field)) &&
        isUnchanged(node.object, changes, depth + 1)
      );
    case 'get-element':
      return (
        !changes.mayStore(node.array) &&
        isUnchanged(node.array, changes, depth + 1) &&
        isUnchanged(node.index, changes, depth + 1)
      );
    case 'operate':
      return (
        plainOperators.has(node.operator) && node.operands.every((operand) => isUnchanged(operand, changes, depth + 1))
      );
  }
}
