// Which names occur in functions. The names are not resolved.

import type { FunctionDeclaration } from '../1-parse/syntax-tree.ts';

/** Every name that stands as an expression in the bodies and defaults of the functions. */
export function findMentionedNames(functions: readonly FunctionDeclaration[]): ReadonlySet<string> {
  const names = new Set<string>();
  const pending: unknown[] = functions.flatMap(({ body, parameters }) => [
    body,
    ...parameters.map(({ initialiser }) => initialiser),
  ]);
  while (pending.length > 0) {
    const node = pending.pop();
    // Spans are skipped: each of them refers to the file and all of its lines.
    if (typeof node !== 'object' || node === null || 'file' in node) continue;
    if ('kind' in node && node.kind === 'name' && 'text' in node) names.add(node.text as string);
    for (const part of Object.values(node)) pending.push(part);
  }
  return names;
}
