// Diagnostics as bundlers take them: a place, a sentence, and the lines of the script.

import { resolve } from 'node:path';
import type { Message } from 'unplugin';
import { renderDiagnostic } from '../src/index.ts';
import type { Diagnostic } from '../src/index.ts';
import { positionAt } from '../src/source.ts';

/** More of them are counted. */
const mostErrors = 10;

/** A bundler ends at its first error: that one tells of the others. */
export function messagesOf(
  diagnostics: readonly Diagnostic[],
  root: string,
  framework: string,
): { readonly error: Message | null; readonly warnings: readonly Message[] } {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const warnings = diagnostics
    .filter(({ severity }) => severity === 'warning')
    .map((warning) => messageOf(warning, [], root, framework));
  const [first, ...others] = errors;
  return { error: first === undefined ? null : messageOf(first, others, root, framework), warnings };
}

function messageOf(diagnostic: Diagnostic, others: readonly Diagnostic[], root: string, framework: string): Message {
  const [sentence = '', ...lines] = renderDiagnostic(diagnostic).split('\n');
  const shown = others.slice(0, mostErrors - 1).map((other) => renderDiagnostic(other));
  const rest = others.length - shown.length;
  const frame = [lines.join('\n'), ...shown, ...(rest === 0 ? [] : [`and ${rest} more`])].join('\n\n');
  const { line, column } = positionAt(diagnostic.span.file, diagnostic.span.start);
  // esbuild counts columns from 0 and shows them so; others show what they are given.
  const file = resolve(root, diagnostic.span.file.name);
  const loc = { file, line, column: framework === 'esbuild' ? column - 1 : column };
  return { message: showsFrames.includes(framework) ? sentence : `${sentence}\n${frame}`, id: file, loc, frame };
}

/** Those that show the frame by themselves. */
const showsFrames: readonly string[] = ['vite', 'rollup', 'rolldown'];
