// Hints between the text: names of parameters at arguments that do not say what they are, and conversions that nothing
// in the text says, an int that widens and a struct that is copied as json.

import type { Conversion, CallSyntax } from '../2-check/notes.ts';
import type { Expression } from '../1-parse/syntax-tree.ts';
import { formatType } from '../language/types.ts';
import type { AnalysedFile, Analysis } from './analysis.ts';
import type { Hint } from './results.ts';

/** In textual order, of a range of the file or all of it. */
export function hintsOf(
  analysis: Analysis,
  fileName: string,
  range: { readonly start: number; readonly end: number } = { start: 0, end: Infinity },
): readonly Hint[] {
  const file = analysis.file(fileName);
  if (file === null) return [];
  const calls = file.index
    .nodesIn(range)
    .flatMap((node) => (node.kind === 'call' ? parameterHints(analysis, node) : []));
  return [...calls, ...conversionHints(file)]
    .filter(({ at }) => at.start >= range.start && at.start <= range.end)
    .sort((a, b) => a.at.start - b.at.start);
}

function parameterHints(analysis: Analysis, node: CallSyntax): readonly Hint[] {
  const call = analysis.notes.callOf(node);
  if (call === undefined) return [];
  const { callee, hasReceiver } = call;
  const declared =
    callee.kind === 'function'
      ? callee.parameters.map(({ name, variadic }) => ({ name, variadic })).slice(hasReceiver ? 1 : 0)
      : callee.row.parameters.map(({ name }) => ({ name, variadic: false }));
  // One parameter of one letter tells nothing that the function's name does not.
  if (declared.length === 1 && declared[0]!.name.length === 1) return [];
  return node.arguments.flatMap((argument, at) => {
    const parameter = declared[at];
    if (parameter === undefined || saysItself(argument, parameter.name)) return [];
    const { file, start } = argument.span;
    const text = `${parameter.variadic ? '...' : ''}${parameter.name}:`;
    return [{ at: { file, start, end: start }, text, kind: 'parameter', tooltip: null }];
  });
}

/** Whether a reader sees what an argument is: it is called like the parameter, or is more than a plain value. */
function saysItself(argument: Expression, parameter: string): boolean {
  const isPlain =
    argument.kind.endsWith('-literal') ||
    argument.kind === 'unary' ||
    argument.kind === 'name' ||
    argument.kind === 'member';
  if (!isPlain) return true;
  const name = argument.kind === 'name' ? argument.text : argument.kind === 'member' ? argument.member.text : '';
  const [written, wanted] = [name.toLowerCase(), parameter.toLowerCase()];
  return written !== '' && (written.endsWith(wanted) || wanted.endsWith(written));
}

function conversionHints({ notes }: AnalysedFile): readonly Hint[] {
  const shown = new Map<string, Conversion>();
  for (const conversion of notes?.conversions ?? []) {
    // A constant is converted while the script is compiled.
    if (conversion.constant) continue;
    shown.set(`${conversion.span.end} ${conversion.to}`, conversion);
  }
  return [...shown.values()].map(({ span: { file, end }, from, to }) => ({
    at: { file, start: end, end },
    text: to === 'double' ? 'as double' : 'as json',
    kind: 'conversion',
    tooltip:
      to === 'double'
        ? 'The int becomes a double here; beyond 2^53 that is the nearest one.'
        : `This ${formatType(from)} is copied here, with all that it holds: ` +
          'a later change of one is not seen in the other.',
  }));
}
