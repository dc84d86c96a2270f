// The parameters of the call around the cursor, while its arguments are being written.

import type { LibraryMeaning } from '../2-check/notes.ts';
import type { FunctionSymbol } from '../2-check/symbols.ts';
import type { Analysis } from './analysis.ts';
import { documentationOf } from './comments.ts';
import { functionText, libraryParameterText, libraryText, parameterText } from './descriptions.ts';
import { libraryDocumentation } from './hover.ts';
import { freshName, probe, wordAt } from './probe.ts';
import type { Probe } from './probe.ts';
import type { SignatureHelp } from './results.ts';
import { declaredAt } from './targets.ts';
import { scanTokens } from './token-scan.ts';
import type { OpenBracket, TokenScan } from './token-scan.ts';

/** Null where the cursor is in no call, or in one of nothing known. */
export function signatureAt(analysis: Analysis, fileName: string, offset: number): SignatureHelp | null {
  const file = analysis.file(fileName);
  if (file === null) return null;
  const scan = scanTokens(file.syntax, offset);
  const call = callAround(scan);
  if (call === null) return null;
  const { text } = file.source;
  const word = wordAt(text, offset);
  const before = scan.textOf(scan.tokens.findLastIndex(({ end }) => end <= word.start));
  // Between the parts of an argument a further name would only be in the way.
  const isPlace = word.start < word.end || /^(?:[(,[{:?]|[-+*/%=!<>&|^]+)$/.test(before);
  const probed = isPlace
    ? probe(analysis, file, scan, word, freshName(text))
    : probe(analysis, file, scan, { start: offset, end: offset }, null);
  const name = probed.shift(scan.tokens[call.at - 1]!.start);
  const meaning = probed.file.notes?.meanings.get(name);
  const hasReceiver =
    scan.textOf(call.at - 2) === '.' && !isQualified(probed, probed.shift(scan.tokens[call.at - 3]?.start ?? 0));
  if (meaning?.kind === 'function') return describeFunction(probed, meaning, call.commas + (hasReceiver ? 1 : 0));
  return meaning?.kind === 'library' ? describeRow(meaning, call.commas) : null;
}

/** The innermost parenthesis around the cursor that belongs to a call. */
function callAround(scan: TokenScan): OpenBracket | null {
  for (const bracket of scan.open.toReversed()) {
    if (bracket.kind === 'block' || bracket.kind === 'fields') return null;
    const name = scan.tokens[bracket.at - 1];
    if (bracket.kind !== 'parenthesis' || name === undefined) continue;
    // Behind a dot a word of the language is a name.
    if (name.kind === 'name' || (name.kind === 'keyword' && scan.textOf(bracket.at - 2) === '.')) return bracket;
  }
  return null;
}

/** Whether an import or a namespace stands in front of the dot. */
function isQualified({ file }: Probe, start: number): boolean {
  const kind = file.notes?.meanings.get(start)?.kind;
  return kind === 'import' || kind === 'namespace';
}

function describeFunction({ analysis }: Probe, fn: FunctionSymbol, argument: number): SignatureHelp {
  const { parameters } = fn.node;
  const declared = declaredAt(analysis, fn.span);
  return help(
    functionText(fn.node).replace(/^export /, ''),
    declared === null ? null : documentationOf(declared.file.syntax, declared.declaration),
    parameters.map(parameterText),
    parameters.at(-1)?.variadic === true ? Math.min(argument, parameters.length - 1) : argument,
  );
}

function describeRow({ row, typeArgument }: LibraryMeaning, argument: number): SignatureHelp {
  const parameters = row.parameters.map((parameter) => libraryParameterText(parameter, typeArgument));
  return help(libraryText(row, typeArgument), libraryDocumentation(row), parameters, argument);
}

function help(
  label: string,
  documentation: string | null,
  parameters: readonly string[],
  argument: number,
): SignatureHelp {
  let at = label.indexOf('(') + 1;
  const places = parameters.map((parameter) => {
    const start = Math.max(label.indexOf(parameter, at), at);
    at = start + parameter.length;
    return { start, end: at };
  });
  return { label, documentation, parameters: places, active: argument < parameters.length ? argument : null };
}
