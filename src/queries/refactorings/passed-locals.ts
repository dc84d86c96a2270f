// Locals across the border of a part of a function: what it reads from outside, and what it leaves behind.

import type { VariableSymbol } from '../../2-check/symbols.ts';
import type { AnalysedFile } from '../analysis.ts';
import type { Declaration, NameEntry } from '../file-index.ts';
import type { SyntaxNode } from '../syntax-nodes.ts';
import type { OffsetRange } from './nodes.ts';
import { isLoop } from './selected-statements.ts';

/** A variable of a function, with the places where it stands. */
export interface PassedLocal {
  readonly declaration: Declaration;
  readonly variable: VariableSymbol;
  readonly inside: readonly NameEntry[];
  readonly outside: readonly NameEntry[];
}

/** The locals that stand in a range, by the order of their declarations; variables of the file are left out. */
export function localsIn({ index, notes }: AnalysedFile, range: OffsetRange): readonly PassedLocal[] {
  const entries = new Map<number, NameEntry[]>();
  for (const entry of index.names) {
    const meaning = notes?.meanings.get(entry.noted);
    if (meaning?.kind !== 'variable' || meaning.span.file !== index.syntax.source) continue;
    const known = entries.get(meaning.span.start);
    if (known === undefined) entries.set(meaning.span.start, [entry]);
    else known.push(entry);
  }
  return index.declarations.flatMap((declaration) => {
    const { kind, name } = declaration;
    const variable = notes?.meanings.get(name.span.start);
    if (kind === 'global' || variable?.kind !== 'variable') return [];
    const all = entries.get(name.span.start) ?? [];
    const inside = all.filter((entry) => isIn(range, entry));
    return inside.length === 0
      ? []
      : [{ declaration, variable, inside, outside: all.filter((entry) => !inside.includes(entry)) }];
  });
}

function isIn({ start, end }: OffsetRange, { name: { span } }: { readonly name: NameEntry['name'] }): boolean {
  return start <= span.start && span.end <= end;
}

/**
 * Whether somebody reads a local behind the range, or in the next turn of a loop around it. `isSetFirst` says that the
 * range itself does not read what it was before.
 */
export function isUsedLater(
  { declaration, inside, outside }: PassedLocal,
  range: OffsetRange,
  around: readonly SyntaxNode[],
  isSetFirst: boolean,
): boolean {
  if (outside.some(({ name }) => name.span.start >= range.end)) return true;
  return around.some((loop) => {
    if (!isLoop(loop) || isMadeIn(declaration, loop)) return false;
    return outside.some((entry) => isIn(loop.span, entry)) || (!isSetFirst && inside.length > 1) || isChanged(inside);
  });
}

/** Whether a loop makes it anew in each turn. */
function isMadeIn({ name: { span } }: Declaration, loop: SyntaxNode): boolean {
  const { start, end } = 'body' in loop ? loop.body.span : loop.span;
  return start <= span.start && span.end <= end;
}

/** Whether the only place where it stands reads what it was, too: `x += 1`. */
function isChanged([only, ...others]: readonly NameEntry[]): boolean {
  if (only === undefined || others.length > 0) return false;
  const { file, end } = only.name.span;
  return only.use !== 'write' || !/^\s*=(?!=)/.test(file.text.slice(end));
}
