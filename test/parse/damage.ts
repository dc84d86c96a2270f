// Scripts with a mistake that somebody makes while typing: cut off somewhere, or with a token less. What the mistake
// is not in stays what it was.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Item, SyntaxFile } from '../../src/1-parse/syntax-tree.ts';
import { checkSource } from '../../src/compile.ts';
import { memoryReader } from '../../src/memory-reader.ts';
import { analyse, definitionAt, hoverAt } from '../../src/queries/index.ts';
import type { Analysis } from '../../src/queries/index.ts';
import { createSourceFile } from '../../src/source.ts';
import type { Span } from '../../src/source.ts';
import { parseText } from './parsed.ts';

const root = join(import.meta.dirname, '../..');

function scriptsIn(folder: string): readonly (readonly [path: string, text: string])[] {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.slu'))
    .map((name) => [`${folder}/${name}`, readFileSync(join(root, folder, name), 'utf8')] as const)
    .filter(([, text]) => !text.includes('import "') && checkSource('a.slu', text).diagnostics.length === 0);
}

/** Scripts without a mistake that read no others. */
export const examples = scriptsIn('examples');
export const cases = ['functions', 'loops', 'templates'].flatMap((topic) => scriptsIn(`test/conformance/${topic}`));

/** The file of a text without damage, of which many are made. */
function whole(text: string): SyntaxFile {
  if (last?.text !== text) last = { text, file: parseText(text).file };
  return last.file;
}

let last: { readonly text: string; readonly file: SyntaxFile } | null = null;

/** A text with a mistake, and what of the text before it the mistake is not in. */
interface Damage {
  readonly damaged: string;
  readonly untouched: readonly Item[];
}

function cut(text: string, end: number): Damage {
  return { damaged: text.slice(0, end), untouched: declarations(whole(text), 0, end) };
}

/** Blanks in the place of a token. */
function lose(text: string, at: number): Damage {
  const file = whole(text);
  const { kind, start, end } = file.tokens[at]!;
  // From a backtick on, text is code and code is text.
  const isTemplate = kind === 'template-start' || kind === 'template-end' || kind.startsWith('expression');
  return {
    damaged: text.slice(0, start) + ' '.repeat(end - start) + text.slice(end),
    untouched: [...declarations(file, 0, start), ...(isTemplate ? [] : declarations(file, end, text.length))],
  };
}

/** What is wrong with the tree of a script that ends at an offset; null for nothing. */
export function faultOfCut(text: string, end: number): string | null {
  const { damaged, untouched } = cut(text, end);
  return missing(untouched, parseText(damaged).file);
}

/** As faultOfCut, for a script with blanks in the place of one of its tokens, with what is said of other items. */
export function faultOfLoss(text: string, at: number): string | null {
  const { damaged, untouched } = lose(text, at);
  const { file: found, diagnostics: mistakes } = parseText(damaged);
  // What parses all the same may mean something else.
  if (mistakes.length === 0) return null;
  const fault = missing(untouched, found);
  if (fault !== null) return fault;
  const { start, end } = whole(text).tokens[at]!;
  const name = `'${text.slice(start, end)}'`;
  const said = checkSource('a.slu', damaged).diagnostics.find(
    ({ span, message, type }) =>
      (type !== 'SyntaxError' || mistakes.length > 1) &&
      !message.includes(name) &&
      untouched.some((item) => span.start >= item.span.start && span.end <= item.span.end),
  );
  return said === undefined ? null : `of another item: ${said.message}`;
}

/** Which name says something else of itself than without the cut; null for none. */
export function hoverFaultOfCut(text: string, end: number): string | null {
  return hoverFault(text, cut(text, end));
}

/** As hoverFaultOfCut, for a script with blanks in the place of one of its tokens. */
export function hoverFaultOfLoss(text: string, at: number): string | null {
  const damage = lose(text, at);
  return parseText(damage.damaged).diagnostics.length === 0 ? null : hoverFault(text, damage);
}

/** Asks about some names in what the mistake is not in, if it is not in what they stand for either. */
function hoverFault(text: string, { damaged, untouched }: Damage): string | null {
  const before = analysisOf(text);
  const after = analysisOf(damaged);
  const isUntouched = ({ start, end }: Span): boolean =>
    untouched.some(({ span }) => start >= span.start && end <= span.end);
  const names = before.entry.index.names.filter(({ name, role }) => {
    // What a member is depends on the type of what is in front of it.
    if (role === 'member' || role === 'key' || !isUntouched(name.span)) return false;
    const definition = definitionAt(before, fileName, name.span.start);
    return definition !== null && isUntouched(definition.target.name);
  });
  const step = Math.ceil(names.length / mostAsked);
  for (let at = 0; at < names.length; at += step) {
    const { start } = names[at]!.name.span;
    const [wanted, found] = [before, after].map((analysis) => hoverAt(analysis, fileName, start)?.markdown);
    if (wanted === undefined || wanted !== found) return `${names[at]!.name.text} at ${start}: ${found}`;
  }
  return null;
}

/** Names of a script. */
const mostAsked = 20;
const fileName = 'a.slu';

function analysisOf(text: string): Analysis {
  return analyse(createSourceFile(fileName, text), memoryReader({}));
}

/** Types and functions in a range. */
function declarations({ items }: SyntaxFile, start: number, end: number): readonly Item[] {
  return items.filter(
    ({ kind, span }) =>
      kind.endsWith('-declaration') && kind !== 'variable-declaration' && span.start >= start && span.end <= end,
  );
}

/** The whole of each, places too, is in the file. */
function missing(wanted: readonly Item[], file: SyntaxFile): string | null {
  const found = new Set(file.items.map(write));
  const lost = wanted.find((item) => !found.has(write(item)));
  return lost === undefined ? null : `lost: ${write(lost).slice(0, 80)}`;
}

function write(item: Item): string {
  return JSON.stringify(item, (field, value: unknown) =>
    field === 'file' ? undefined : typeof value === 'bigint' ? String(value) : value,
  );
}
