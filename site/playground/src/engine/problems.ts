// Diagnostics of the compiler as plain data for the page.

import { renderDiagnostic } from 'sluice';
import type { Diagnostic, Span } from 'sluice';
import type { Problem, Range } from './messages.ts';

export function problemsOf(diagnostics: readonly Diagnostic[]): Problem[] {
  return diagnostics.map((diagnostic) => {
    const { severity, type, code, message, help, labels, fix, span } = diagnostic;
    const inSameFile = (other: Span): boolean => other.file === span.file;
    return {
      severity,
      type,
      code,
      message,
      help,
      frame: renderDiagnostic(diagnostic),
      file: span.file.name,
      ...rangeOf(span),
      labels: labels.filter((label) => inSameFile(label.span)).map(({ span, text }) => ({ text, ...rangeOf(span) })),
      fixes:
        fix === null || !inSameFile(fix.span)
          ? []
          : [
              {
                description: fix.description,
                sure: fix.sure,
                edits: [{ ...rangeOf(fix.span), insert: fix.replacement }],
              },
            ],
    };
  });
}

function rangeOf({ start, end }: Span): Range {
  return { from: start, to: end };
}
