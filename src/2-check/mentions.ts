// Which names occur in functions and are no parameters or variables of theirs. Nothing else is resolved.

import type { FunctionDeclaration, Statement } from '../1-parse/syntax-tree.ts';

/** The variables of a block, by their names the statement that declares each; only those in front of one are known. */
interface Scope {
  readonly around: Scope | null;
  readonly declared: ReadonlyMap<string, number>;
  readonly at: number;
}

/** Every name that stands as an expression in the bodies and defaults of the functions, and is not declared there. */
export function findMentionedNames(functions: readonly FunctionDeclaration[]): ReadonlySet<string> {
  const names = new Set<string>();
  const pending: (readonly [node: unknown, scope: Scope | null])[] = [];
  const pushBlock = (statements: readonly Statement[], around: Scope | null): Scope => {
    const declared = new Map<string, number>();
    statements.forEach((node, at) => {
      if (node.kind !== 'variable-declaration') return;
      for (const { name } of node.declarators) if (!declared.has(name.text)) declared.set(name.text, at);
    });
    statements.forEach((node, at) => pending.push([node, { around, declared, at }]));
    return { around, declared, at: statements.length };
  };
  for (const { body, parameters } of functions) {
    const own = new Map(parameters.map(({ name }) => [name.text, -1]));
    pending.push([body, { around: null, declared: own, at: 0 }]);
    pending.push([parameters.map(({ initialiser }) => initialiser), null]);
  }
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [node, scope] = next;
    // Spans are skipped: each of them refers to the file and all of its lines.
    if (typeof node !== 'object' || node === null || 'file' in node) continue;
    if (!('kind' in node)) {
      for (const part of Object.values(node)) pending.push([part, scope]);
      continue;
    }
    if (node.kind === 'name' && 'text' in node && !isKnown(node.text as string, scope)) names.add(node.text as string);
    const { statements, initialisers, ...parts } = node as { readonly [part: string]: unknown };
    const block = (statements ?? initialisers) as readonly Statement[] | undefined;
    const inside = block === undefined ? scope : pushBlock(block, scope);
    for (const part of Object.values(parts)) pending.push([part, inside]);
  }
  return names;
}

function isKnown(name: string, scope: Scope | null): boolean {
  for (let one = scope; one !== null; one = one.around) {
    const at = one.declared.get(name);
    if (at !== undefined && at < one.at) return true;
  }
  return false;
}
