// A function that a refactoring makes, behind the one that it was taken from.

import type { AnalysedFile } from '../analysis.ts';
import type { SyntaxNode } from '../syntax-nodes.ts';
import { edit } from './refactoring.ts';
import type { Refactoring, RefactoringContext } from './refactoring.ts';
import { indentationAt, keptApart, lineBreakOf, reindented, step } from './layout.ts';
import type { OffsetRange } from './nodes.ts';
import { typeIn } from './names.ts';
import type { PassedLocal } from './passed-locals.ts';

export interface NewFunction {
  readonly name: string;
  readonly returns: string;
  readonly parameters: readonly PassedLocal[];
  /** Its statements, without indentation on their first line. */
  readonly body: string;
}

export function callOf({ name, parameters }: Pick<NewFunction, 'name' | 'parameters'>): string {
  return `${name}(${parameters.map(({ variable }) => variable.name).join(', ')})`;
}

/** The text of a range as it stands in a function's body; `from` is the indentation of its first line. */
export function inBody(context: RefactoringContext, range: OffsetRange, from: string): string {
  return reindented(context.file, range, from, step);
}

export function indentationOf({ file }: RefactoringContext, { start }: OffsetRange): string {
  return indentationAt(file.source.text, start);
}

/** The function around something; for what stands at the top of a file the last item of that. */
export function itemBehind({ syntax }: AnalysedFile, around: readonly SyntaxNode[]): OffsetRange {
  const [item] = around;
  const isFunction = item?.kind === 'function-declaration' || item?.kind === 'main-declaration';
  return (isFunction ? item : syntax.items.at(-1)!).span;
}

/** Puts the function behind an item of the file, and `call` in place of a range in front of that. */
export function withFunction(
  context: RefactoringContext,
  fn: NewFunction,
  behind: OffsetRange,
  range: OffsetRange,
  call: string,
): Refactoring {
  const { analysis, file } = context;
  const { text } = file.source;
  const parameters: string[] = [];
  for (const { variable } of fn.parameters) {
    const type = typeIn(analysis, file, variable.type);
    if (type === null) return { disabled: `The type of ${variable.name} has no name here.` };
    parameters.push(`${type} ${variable.name}`);
  }
  const placedCall = keptApart(text, range, call);
  const lineBreak = lineBreakOf(text);
  const head = `${fn.returns} ${fn.name}(${parameters.join(', ')}) {`;
  const written = `${lineBreak}${lineBreak}${head}${lineBreak}${step}${fn.body}${lineBreak}}`;
  // A comment behind the item stays with it.
  const start = Math.max(behind.end, range.end);
  const end = start + /^(?:[ \t]*\/\/[^\r\n]*)?/.exec(text.slice(start))![0].length;
  return {
    edits: [edit(context, range, placedCall), edit(context, { start: end, end }, written)],
    name: { text: fn.name, at: range.start + placedCall.indexOf(fn.name) },
  };
}
