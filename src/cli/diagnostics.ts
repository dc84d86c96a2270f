// Output of diagnostics: code frames for people, JSON for programs.

import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { escapeControls } from '../diagnostics/display.ts';
import { diagnosticsJson, githubAnnotations, sarifLog } from '../diagnostics/formats.ts';
import { renderDiagnostic, summarize } from '../diagnostics/render.ts';
import { explainedFaults } from './entry-fault.ts';
import { stderr, stdout, terminalStyle } from './output.ts';
import { packageVersion } from './package.ts';

/** A longer list does not help. */
const maxShown = 50;
/** A file with another extension that has so many faults is probably no script. */
const maxForUnlikely = 20;
const shownOfUnlikely = 3;

/** Prints code frames to standard error, and the count; if not all are shown, errors come first. */
export function printDiagnostics(path: string, diagnostics: readonly Diagnostic[]): void {
  const count = diagnostics.length;
  if (count === 0) return;
  const unlikely = count > maxForUnlikely && !/\.(slu|wasm)$/.test(path);
  const isError = ({ severity }: Diagnostic): boolean => severity === 'error';
  const ranked =
    count <= maxShown
      ? diagnostics
      : [...diagnostics.filter(isError), ...diagnostics.filter((diagnostic) => !isError(diagnostic))];
  const shown = ranked.slice(0, unlikely ? shownOfUnlikely : maxShown);
  const style = terminalStyle();
  if (unlikely) stderr.line(`${escapeControls(path)} does not look like a script: ${count} messages\n`);
  for (const diagnostic of shown) stderr.line(`${renderDiagnostic(diagnostic, style)}\n`);
  if (shown.length < count) stderr.line(`… and ${count - shown.length} more`);
  if (unlikely) return;
  stderr.line(summarize(diagnostics));
  if (/\.(?!slu$)\w+$/.test(path) && diagnostics.some(({ type }) => type === 'SyntaxError'))
    stderr.line(`${escapeControls(path)} was read as a script: the names of scripts end in .slu`);
}

/** Follows `--format`: code frames go to standard error, formats for programs to standard output. */
export function writeDiagnostics(path: string, diagnostics: readonly Diagnostic[], format: string): void {
  switch (format) {
    case 'json':
      stdout.scriptLine(diagnosticsJson(diagnostics));
      return;
    case 'sarif':
      stdout.scriptLine(
        sarifLog(diagnostics, new Map(explainedFaults.map((row) => [row.code, row])), packageVersion()),
      );
      return;
    case 'github':
      if (diagnostics.length > 0) stdout.scriptLine(githubAnnotations(diagnostics));
      return;
    default:
      printDiagnostics(path, diagnostics);
  }
}
