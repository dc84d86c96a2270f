// Extract variable: `yield f(a + b);` becomes `int value = a + b;` and `yield f(value);`. The value is evaluated in
// front of its statement then, so it must be evaluated there in any case, and nothing before it may notice.

import type { Expression, Statement } from '../../1-parse/syntax-tree.ts';
import type { AnalysedFile } from '../analysis.ts';
import type { SyntaxNode } from '../syntax-nodes.ts';
import { commute, isInert } from './effects.ts';
import { beginsLine, indentationAt, keptApart, lineBreakOf, reindented, step } from './layout.ts';
import { freeName, keepsNames, nameOfValue, typeIn } from './names.ts';
import { expressionIn, isStatement, pathInFile, withParentheses } from './nodes.ts';
import type { OffsetRange } from './nodes.ts';
import { isTarget, momentIn } from './order.ts';
import { edit } from './refactoring.ts';
import type { Refactoring, RefactoringContext } from './refactoring.ts';

export function extractVariable(context: RefactoringContext, range: OffsetRange): Refactoring | null {
  const { analysis, file, effects } = context;
  const node = expressionIn(file, range);
  if (node === null || node.kind === 'name') return null;
  const path = pathInFile(file, node);
  const place = placeOf(path);
  const parent = path.at(-2);
  if (place === null || isTarget(parent, node)) return null;
  // It is in a variable already.
  if (parent?.kind === 'declarator' && place.statement.kind === 'variable-declaration') return null;
  const type = analysis.notes.typeOf(node);
  const written = type === undefined ? null : typeIn(analysis, file, type);
  if (type === undefined || written === null) return null;
  const moment = momentIn(effects, file, place.statement, node);
  if (moment === null) return null;
  if (moment.isRepeated) return { disabled: 'The loop evaluates it again in each turn.' };
  if (moment.isConditional) return { disabled: 'It is not evaluated each time.' };
  if (!keepsNames(file, node, place.statement.span.start) || usesDeclarationOf(context, node, place.statement))
    return { disabled: 'It uses a variable of the same declaration.' };
  const own = effects.of(file, node);
  if (!commute(own, moment.before)) return { disabled: 'What is evaluated before it could fail, or change it.' };
  if (place.isTopLevel && parent?.kind === 'expression-statement' && isOnlyStatement(context, place.statement))
    return { disabled: 'Nothing would be left to run.' };
  if (place.isTopLevel && !isInert(own) && hasOtherStarts(context, place.statement))
    return { disabled: 'A call of an exported function would evaluate it too.' };
  const declaration = { type: written, name: freeName(analysis, file, nameOfValue(node, type)) };
  return parent?.kind === 'expression-statement'
    ? declareInstead(context, node, declaration)
    : declareBefore(context, node, parent, place, declaration);
}

/** The statement in front of which a value can be put in a variable. */
interface PlaceBefore {
  readonly statement: Statement;
  readonly isTopLevel: boolean;
  /** It is the whole body of a loop or a branch, which needs braces to hold two. */
  readonly isBody: boolean;
}

function placeOf(path: readonly SyntaxNode[]): PlaceBefore | null {
  let at = path.findLastIndex(isStatement);
  // The head of a `for` has statements in it.
  if (path[at - 1]?.kind === 'for' && (path[at - 1] as { body?: SyntaxNode }).body !== path[at]) at -= 1;
  const statement = path[at];
  if (statement === undefined || !isStatement(statement) || statement.kind === 'broken') return null;
  const parent = path[at - 1];
  if (parent?.kind === 'broken') return null;
  return { statement, isTopLevel: parent === undefined, isBody: parent !== undefined && parent.kind !== 'block' };
}

function usesDeclarationOf({ file: { index } }: RefactoringContext, node: Expression, statement: Statement): boolean {
  return index
    .nodesIn(node.span)
    .some((part) => part.kind === 'name' && index.resolve(part.text, part.span.start)?.whole === statement);
}

/** Declarations alone are no script. */
function isOnlyStatement({ file: { syntax } }: RefactoringContext, statement: Statement): boolean {
  return syntax.items.every((item) => item === statement || !isStatement(item) || item.kind === 'variable-declaration');
}

/** Variables of a file are also set where it is imported, or one of its exports is called; statements are not. */
function hasOtherStarts({ analysis, file }: RefactoringContext, statement: Statement): boolean {
  if (statement.kind === 'variable-declaration') return false;
  const { items } = file.syntax;
  return file !== analysis.entry || items.some((item) => item.kind === 'function-declaration' && item.exported);
}

interface NewVariable {
  readonly type: string;
  readonly name: string;
}

/** `f(x);` becomes `int value = f(x);`. */
function declareInstead(context: RefactoringContext, { span }: Expression, { type, name }: NewVariable): Refactoring {
  const { start } = span;
  return {
    edits: [edit(context, { start, end: start }, `${type} ${name} = `)],
    name: { text: name, at: start + type.length + 1 },
  };
}

function declareBefore(
  context: RefactoringContext,
  node: Expression,
  parent: SyntaxNode | undefined,
  { statement, isBody }: PlaceBefore,
  { type, name }: NewVariable,
): Refactoring {
  const { file } = context;
  const { text } = file.source;
  const { start, end } = statement.span;
  const declaration = `${type} ${name} = ${text.slice(node.span.start, node.span.end)};`;
  const used = withParentheses(file, node, parent);
  const read = keptApart(text, used, name);
  const lineBreak = lineBreakOf(text);
  const indentation = indentationAt(text, start);
  if (!isBody) {
    const gap = beginsLine(text, start) ? `${lineBreak}${indentation}` : ' ';
    return {
      edits: [edit(context, { start, end: start }, `${declaration}${gap}`), edit(context, used, read)],
      name: { text: name, at: start + type.length + 1 },
    };
  }
  // The brace stands behind the head, also where the body is on a line of its own.
  const isBelow = beginsLine(text, start);
  const inner = isBelow ? indentation : `${indentation}${step}`;
  const outer = isBelow ? indentationAbove(text, start) : indentation;
  const opening = `{${lineBreak}${inner}`;
  const first = reindented(file, { start, end: used.start }, indentation, inner);
  const last = reindented(file, { start: used.end, end }, indentation, inner);
  const block = `${opening}${declaration}${lineBreak}${inner}${first}${read}${last}${lineBreak}${outer}}`;
  const head = text.slice(0, start).trimEnd().length;
  const isBehindHead = isBelow && !isInComment(file, head);
  const from = isBehindHead ? head : start;
  return {
    edits: [edit(context, { start: from, end }, isBehindHead ? ` ${block}` : block)],
    name: { text: name, at: from + (isBehindHead ? 1 : 0) + opening.length + type.length + 1 },
  };
}

/** The indentation of the last line above with anything on it. */
function indentationAbove(text: string, offset: number): string {
  const above = text.slice(0, text.lastIndexOf('\n', offset - 1) + 1).trimEnd().length;
  return indentationAt(text, above);
}

function isInComment({ syntax }: AnalysedFile, offset: number): boolean {
  return syntax.comments.some(({ span: { start, end } }) => start < offset && offset <= end);
}
