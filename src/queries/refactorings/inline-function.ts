// Inline function: in place of a call what its function returns, with the arguments in place of the parameters. For
// functions of one `return`, where each argument is still evaluated once, and in its order as far as one can tell.

import type { Expression, FunctionDeclaration } from '../../1-parse/syntax-tree.ts';
import type { CallSyntax } from '../../2-check/notes.ts';
import type { FunctionSymbol, ParameterSymbol } from '../../2-check/symbols.ts';
import type { SyntaxNode } from '../syntax-nodes.ts';
import { declaredAt, findName } from '../targets.ts';
import { commute, isInert, isQuiet } from './effects.ts';
import type { Effects } from './effects.ts';
import { hasComment } from './layout.ts';
import { asksFor, canBeRepeated, convertedTo, dependsOnPlace, writtenAsItIs } from './moved-values.ts';
import type { Written } from './moved-values.ts';
import { nodesOf, pathInFile, pathTo } from './nodes.ts';
import type { OffsetRange } from './nodes.ts';
import { momentIn } from './order.ts';
import { placed, precedenceOf } from './precedence.ts';
import { edit } from './refactoring.ts';
import type { Refactoring, RefactoringContext } from './refactoring.ts';

/** A parameter with what is given for it and the places where it is read. */
interface Argument {
  readonly parameter: ParameterSymbol;
  readonly value: Expression;
  readonly uses: readonly Expression[];
  readonly effects: Effects;
  /** It may be evaluated at any time, and as often as one likes. */
  readonly isStable: boolean;
}

export function inlineFunction(context: RefactoringContext, range: OffsetRange): Refactoring | null {
  const { analysis, file } = context;
  const found = findName(analysis, file.name, range.start);
  const call = found === null ? null : file.index.callOf(found.entry.node);
  const meaning = call === null ? undefined : analysis.notes.callOf(call);
  if (call === null || meaning?.callee.kind !== 'function' || range.end > call.span.end) return null;
  const { callee, hasReceiver } = meaning;
  const { node } = callee;
  if (declaredAt(analysis, callee.span)?.file !== file) return { disabled: 'It is declared in another file.' };
  const [statement, ...more] = node.body.statements;
  const body = statement?.kind === 'return' && more.length === 0 ? statement.value : null;
  if (body === null || node.isBroken === true) return { disabled: 'Its body is more than one return.' };
  const values = [...(hasReceiver && call.callee.kind === 'member' ? [call.callee.object] : []), ...call.arguments];
  const all = argumentsOf(context, callee, values, body);
  if (typeof all === 'string') return { disabled: all };
  const fault = faultOfNames(context, node, body, call) ?? faultOfOrder(context, all, body);
  if (fault !== null) return { disabled: fault };
  if (
    hasComment(
      file,
      call.span,
      values.map(({ span }) => span),
    )
  )
    return { disabled: 'A comment in the call would be lost.' };
  return replaced(context, callee, call, body, all);
}

/** Each parameter with its argument, or why that cannot be. */
function argumentsOf(
  { analysis, file, effects }: RefactoringContext,
  { parameters }: FunctionSymbol,
  values: readonly Expression[],
  body: Expression,
): readonly Argument[] | string {
  const names = nodesOf([body]).filter((node) => node.kind === 'name');
  const found: Argument[] = [];
  for (const [at, parameter] of parameters.entries()) {
    if (parameter.variadic) return 'It takes any number of arguments.';
    const value = values[at] ?? parameter.node.initialiser;
    if (value === null) return 'The call lacks an argument.';
    if (values[at] === undefined && !value.kind.endsWith('-literal'))
      return 'The default of a parameter is no constant.';
    const own = effects.of(file, value);
    found.push({
      parameter,
      value,
      uses: names.filter((node) => {
        const meaning = file.notes?.meanings.get(node.span.start);
        return meaning?.kind === 'variable' && meaning.span.start === parameter.node.name.span.start;
      }),
      effects: own,
      isStable: isInert(own) && canBeRepeated(analysis.notes, value),
    });
  }
  return found;
}

/** All names in it must stand for the same where it is called. */
function faultOfNames(
  { file: { index } }: RefactoringContext,
  node: FunctionDeclaration,
  body: Expression,
  call: CallSyntax,
): string | null {
  const isAtTop = index.nameAt(call.callee.span.end)?.container === null;
  const isKept = nodesOf([body]).every((part) => {
    if (part.kind !== 'name') return true;
    const declaration = index.resolve(part.text, part.span.start);
    if (declaration?.container === node) return true;
    // Functions see all variables of a file, its own statements those above.
    const isBelow = isAtTop && declaration?.kind === 'global' && declaration.name.span.start > call.span.start;
    return !isBelow && declaration === index.resolve(part.text, call.span.start);
  });
  return isKept ? null : 'A name in it would stand for something else.';
}

function faultOfOrder(
  { file, effects }: RefactoringContext,
  all: readonly Argument[],
  body: Expression,
): string | null {
  const parameters = new Set(all.map(({ parameter }) => parameter.node.name.span.start));
  if ([...effects.of(file, body).writes].some((local) => parameters.has(local))) return 'It changes a parameter.';
  for (const [at, argument] of all.entries()) {
    if (argument.isStable) continue;
    const { name } = argument.parameter;
    const [use, ...more] = argument.uses;
    if (more.length > 0) return `It reads ${name} several times.`;
    if (use === undefined) {
      if (!isQuiet(argument.effects)) return `It never reads ${name}.`;
      continue;
    }
    const moment = momentIn(effects, file, body, use);
    if (moment === null || (moment.isConditional && !isQuiet(argument.effects)))
      return `It does not always read ${name}.`;
    if (!commute(argument.effects, moment.before))
      return `What it does before it reads ${name} would come before the argument.`;
    const isOrdered = all.every((other, position) => {
      if (other === argument) return true;
      const otherUse = other.isStable ? undefined : other.uses[0];
      const keepsOrder = otherUse !== undefined && otherUse.span.start < use.span.start === position < at;
      return keepsOrder || commute(argument.effects, other.effects);
    });
    if (!isOrdered) return 'The arguments would be evaluated in another order.';
  }
  return null;
}

function replaced(
  context: RefactoringContext,
  callee: FunctionSymbol,
  call: CallSyntax,
  body: Expression,
  all: readonly Argument[],
): Refactoring {
  const { analysis, file } = context;
  const otherType: Refactoring = { disabled: 'A value would have another type there.' };
  const pieces: { readonly use: Expression; readonly written: Written }[] = [];
  let takesTypeFromPlace = dependsOnPlace(analysis.notes, body);
  for (const { parameter, value, uses } of all) {
    for (const use of uses) {
      const written = convertedTo(analysis.notes, value, writtenAsItIs(value), parameter.type, use);
      if (written === null) return otherType;
      pieces.push({ use, written });
      const isResult = pathTo(body, use)!
        .slice(0, -1)
        .every(({ kind }) => kind === 'conditional');
      if (isResult && dependsOnPlace(analysis.notes, value)) takesTypeFromPlace = true;
    }
  }
  if (takesTypeFromPlace && !asksFor(analysis.notes, call, callee.returns)) return otherType;
  const parent = pathInFile(file, call).at(-2);
  const inside = substituted(file.source.text, body, pieces);
  const written = takesTypeFromPlace ? inside : convertedTo(analysis.notes, body, inside, callee.returns, call);
  if (written === null) return otherType;
  return { edits: [edit(context, call.span, placed(written.text, written.precedence, parent, call))], name: null };
}

/** What a function returns, with the arguments in it. */
function substituted(
  text: string,
  body: Expression,
  pieces: readonly { readonly use: Expression; readonly written: Written }[],
): Written {
  const whole = pieces.find(({ use }) => use === body);
  if (whole !== undefined) return whole.written;
  let [result, end] = ['', body.span.end];
  for (const { use, written } of pieces.toSorted((a, b) => b.use.span.start - a.use.span.start)) {
    const parent: SyntaxNode | undefined = pathTo(body, use)!.at(-2);
    result = placed(written.text, written.precedence, parent, use) + text.slice(use.span.end, end) + result;
    end = use.span.start;
  }
  return { text: text.slice(body.span.start, end) + result, precedence: precedenceOf(body) };
}
