// Extract function: selected statements, or a selected expression, as a function behind the present one. Parameters are
// the locals that stand in them: numbers and texts as values, arrays, structs and json as the same objects.

import { extractStatements } from './extract-statements.ts';
import { freeName, typeIn } from './names.ts';
import { expressionIn, pathInFile, withParentheses } from './nodes.ts';
import type { OffsetRange } from './nodes.ts';
import { callOf, inBody, indentationOf, itemBehind, withFunction } from './new-function.ts';
import { isTarget } from './order.ts';
import { localsIn } from './passed-locals.ts';
import type { Refactoring, RefactoringContext } from './refactoring.ts';
import { statementsIn } from './selected-statements.ts';

export function extractFunction(context: RefactoringContext, range: OffsetRange): Refactoring | null {
  if (range.start === range.end) return null;
  const selected = statementsIn(context.file, range);
  return selected === null ? extractExpression(context, range) : extractStatements(context, selected);
}

/** It is evaluated where it was, so that its order does not matter. */
function extractExpression(context: RefactoringContext, range: OffsetRange): Refactoring | null {
  const { analysis, file, effects } = context;
  const node = expressionIn(file, range);
  // The compiler knows where a loop on `true` ends, and would not of a call.
  if (node === null || node.kind === 'name' || node.kind === 'boolean-literal') return null;
  const path = pathInFile(file, node);
  const parent = path.at(-2);
  const type = analysis.notes.typeOf(node);
  const returns = type === undefined ? null : typeIn(analysis, file, type);
  if (parent === undefined || isTarget(parent, node) || returns === null) return null;
  const changed = effects.of(file, node).writes;
  const parameters = localsIn(file, node.span);
  const set = parameters.find(({ declaration }) => changed.has(declaration.name.span.start));
  if (set !== undefined) return { disabled: `It changes ${set.variable.name}.` };
  const name = freeName(analysis, file, 'extracted');
  const body = `return ${inBody(context, node.span, indentationOf(context, node.span))};`;
  return withFunction(
    context,
    { name, returns, parameters, body },
    itemBehind(file, path),
    withParentheses(file, node, parent),
    callOf({ name, parameters }),
  );
}
