// Diagnostics on their way out: code frames for people, JSON for programs.

import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { renderDiagnostic, summarize } from '../diagnostics/render.ts';
import { positionAt } from '../source.ts';
import type { Span } from '../source.ts';
import { stderr, terminalStyle } from './output.ts';

/** Prints code frames to standard error, and how many there are. */
export function printDiagnostics(diagnostics: readonly Diagnostic[]): void {
  if (diagnostics.length === 0) return;
  const style = terminalStyle();
  for (const diagnostic of diagnostics) stderr.line(`${renderDiagnostic(diagnostic, style)}\n`);
  stderr.line(summarize(diagnostics));
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
