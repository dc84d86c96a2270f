// Statements as a function. Its result is the one local that they set and that is used later, or what they return if
// they return in any case.

import { isValueType, sameType, voidType } from '../../language/types.ts';
import type { Type } from '../../language/types.ts';
import { lineBreakOf, step } from './layout.ts';
import { freeName, typeIn } from './names.ts';
import { callOf, inBody, indentationOf, itemBehind, withFunction } from './new-function.ts';
import type { OffsetRange } from './nodes.ts';
import { isUsedLater, localsIn } from './passed-locals.ts';
import type { PassedLocal } from './passed-locals.ts';
import type { Refactoring, RefactoringContext } from './refactoring.ts';
import { exitsOf } from './selected-statements.ts';
import type { Exits, SelectedStatements } from './selected-statements.ts';

/** The locals of selected statements. */
interface Locals {
  /** Declared outside of them. */
  readonly outer: readonly PassedLocal[];
  readonly inner: readonly PassedLocal[];
  /** Those whose values are used later. */
  readonly results: readonly PassedLocal[];
}

export function extractStatements(context: RefactoringContext, selected: SelectedStatements): Refactoring | null {
  const { analysis, file } = context;
  const { statements, range, around } = selected;
  const exits = exitsOf(statements);
  const locals = localsOf(context, selected, exits);
  const fault = faultOf(context, selected, exits, locals);
  if (fault !== null) return { disabled: fault };
  const [result] = locals.results;
  const type = result?.variable.type ?? returnedType(context, selected, exits);
  const returns = type === null ? null : type.kind === 'void' ? 'void' : typeIn(analysis, file, type);
  if (returns === null) return { disabled: 'What it returns has no type with a name here.' };
  const fresh = locals.outer.filter(
    (local) => isSetFirst(local, selected) && typeIn(analysis, file, local.variable.type) !== null,
  );
  const parameters = locals.outer.filter((local) => !fresh.includes(local));
  const name = freeName(analysis, file, 'extracted');
  const call = callOf({ name, parameters });
  const written = bodyOf(context, range, fresh);
  const lineBreak = lineBreakOf(file.source.text);
  const body = result === undefined ? written : `${written}${lineBreak}${step}return ${result.variable.name};`;
  return withFunction(
    context,
    { name, returns, parameters, body },
    itemBehind(file, around),
    range,
    statementOf(context, call, result, locals, exits, returns, selected),
  );
}

function localsOf({ file }: RefactoringContext, selected: SelectedStatements, exits: Exits): Locals {
  const { range, around } = selected;
  const locals = localsIn(file, range);
  const isInner = ({ declaration: { name } }: PassedLocal): boolean =>
    range.start <= name.span.start && name.span.end <= range.end;
  const outer = locals.filter((local) => !isInner(local));
  const inner = locals.filter(isInner);
  const isSet = ({ inside }: PassedLocal): boolean => inside.some(({ use }) => use === 'write');
  const results = [
    ...outer.filter((local) => isSet(local) && isUsedLater(local, range, around, isSetFirst(local, selected))),
    ...inner.filter(({ outside }) => outside.length > 0),
  ];
  // What never reaches its end leaves nothing behind.
  return { outer, inner, results: exits.isClosed ? [] : results };
}

function faultOf(
  { file, effects }: RefactoringContext,
  { statements, around }: SelectedStatements,
  { returns, hasJump, isClosed }: Exits,
  { outer, inner, results }: Locals,
): string | null {
  if (hasJump) return 'It leaves a loop around it, or goes on with its next turn.';
  if (returns.length > 0 && !isClosed) return 'It returns in some cases only.';
  if (returns.length === 0 && isClosed) return 'It never reaches its end.';
  if (around.length === 0) {
    const fault = faultOfItems(file, statements);
    if (fault !== null) return fault;
  }
  if (results.length > 1)
    return `It sets several variables that are used later: ${results.map(({ variable }) => variable.name).join(', ')}.`;
  const [result] = results;
  const isGuarded = around.some(
    (node) => node.kind === 'try' && !isWithin(result?.declaration.name.span, node.body.span),
  );
  const setOutside = result !== undefined && outer.includes(result) ? result : null;
  if (setOutside !== null && isGuarded && statements.some((node) => effects.of(file, node).fails))
    return `If it fails, ${setOutside.variable.name} would not have been set.`;
  const names = new Set(outer.map(({ variable }) => variable.name));
  const hidden = inner.find(({ variable }) => names.has(variable.name));
  return hidden === undefined ? null : `It declares ${hidden.variable.name}, which is also the name of a parameter.`;
}

function isWithin(part: OffsetRange | undefined, { start, end }: OffsetRange): boolean {
  return part !== undefined && start <= part.start && part.end <= end;
}

/** Variables at the top of a file belong to all of it. */
function faultOfItems(file: RefactoringContext['file'], statements: SelectedStatements['statements']): string | null {
  const { items } = file.syntax;
  if (items.some(({ kind }) => kind === 'main-declaration')) return 'Beside main there are no statements.';
  return statements.some(({ kind }) => kind === 'variable-declaration') ? 'It declares variables of the file.' : null;
}

/** The type of all that they return; void for nothing, null for several types. */
function returnedType(
  { analysis, file }: RefactoringContext,
  { around: [container] }: SelectedStatements,
  { returns }: Exits,
): Type | null {
  if (returns.length === 0) return voidType;
  if (container?.kind === 'function-declaration')
    return file.notes?.names.functions.get(container.name.text)?.returns ?? null;
  const types = returns.map(({ value }) => (value === null ? voidType : analysis.notes.typeOf(value)));
  const [first] = types;
  const isSame = first !== undefined && types.every((type) => type !== undefined && sameType(type, first));
  return isSame && (first === voidType || isValueType(first)) ? first : null;
}

/** Whether a local is given a value before anything reads it, by a statement of the row. */
function isSetFirst({ inside: [first, second] }: PassedLocal, { statements }: SelectedStatements): boolean {
  return statements.some(
    (node) =>
      node.kind === 'assignment' &&
      node.operator === '=' &&
      node.target === first?.node &&
      !isWithin(second?.name.span, node.value.span),
  );
}

/** The statements, with a type in front of what is set first in them. */
function bodyOf(context: RefactoringContext, range: OffsetRange, fresh: readonly PassedLocal[]): string {
  const from = indentationOf(context, range);
  let [body, start] = ['', range.start];
  for (const { inside, variable } of fresh.toSorted((a, b) => startOf(a) - startOf(b))) {
    const { span } = inside[0]!.name;
    body += `${inBody(context, { start, end: span.start }, from)}${typeIn(context.analysis, context.file, variable.type)} `;
    start = span.start;
  }
  return body + inBody(context, { start, end: range.end }, from);
}

function startOf({ inside }: PassedLocal): number {
  return inside[0]!.name.span.start;
}

/** What stands in place of the statements. */
function statementOf(
  context: RefactoringContext,
  call: string,
  result: PassedLocal | undefined,
  { outer }: Locals,
  { returns }: Exits,
  type: string,
  { range, around }: SelectedStatements,
): string {
  if (returns.length > 0 && type === 'void') {
    const parent = around.at(-1);
    const isBody = parent !== undefined && parent.kind !== 'block';
    const lineBreak = `${lineBreakOf(context.file.source.text)}${indentationOf(context, range)}`;
    return isBody ? `{ ${call}; return; }` : `${call};${lineBreak}return;`;
  }
  if (returns.length > 0) return `return ${call};`;
  if (result === undefined) return `${call};`;
  const { name, constant } = result.variable;
  return outer.includes(result) ? `${name} = ${call};` : `${constant ? 'const ' : ''}${type} ${name} = ${call};`;
}
