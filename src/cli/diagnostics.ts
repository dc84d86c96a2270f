// Diagnostics on their way out: code frames for people, JSON for programs.

import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { escapeControls } from '../diagnostics/display.ts';
import { renderDiagnostic, summarize } from '../diagnostics/render.ts';
import { positionAt } from '../source.ts';
import type { Span } from '../source.ts';
import { stderr, terminalStyle } from './output.ts';

/** More of them tell nobody more. */
const maxShown = 50;
/** So many messages about a file that is not named like a script are about something that is none. */
const maxForUnlikely = 20;
const shownOfUnlikely = 3;

/** Prints code frames to standard error, and how many there are; errors come first where not all are shown. */
export function printDiagnostics(path: string, diagnostics: readonly Diagnostic[]): void {
  const count = diagnostics.length;
  if (count === 0) return;
  const unlikely = count > maxForUnlikely && !/\.(slu|wasm)$/.test(path);
  const isError = ({ severity }: Diagnostic): boolean => severity === 'error';
  const ranked = count <= maxShown ? diagnostics : [...diagnostics.filter(isError), ...diagnostics.filter((diagnostic) => !isError(diagnostic))];
  const shown = ranked.slice(0, unlikely ? shownOfUnlikely : maxShown);
  const style = terminalStyle();
  if (unlikely) stderr.line(`${escapeControls(path)} does not look like a script: ${count} messages\n`);
  for (const diagnostic of shown) stderr.line(`${renderDiagnostic(diagnostic, style)}\n`);
  if (shown.length < count) stderr.line(`… and ${count - shown.length} more`);
  if (!unlikely) stderr.line(summarize(diagnostics));
}

/** `{"diagnostics":[…]}` */
export function diagnosticsLine(diagnostics: readonly Diagnostic[]): string {
  return JSON.stringify({
    diagnostics: diagnostics.map(({ type, code, severity, message, span, help, labels }) => ({
      type, code, severity, message, ...placeOf(span), help,
      labels: labels.map((label) => ({ message: label.text, ...placeOf(label.span) })),
    })),
  });
}

function placeOf(span: Span) {
  const start = positionAt(span.file, span.start);
  const end = positionAt(span.file, span.end);
  return { file: span.file.name, line: start.line, column: start.column, endLine: end.line, endColumn: end.column };
}
