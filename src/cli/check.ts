// `sluice check`: prints what is wrong with a script, and with --fix makes the sure fixes. It does not load the
// emitter.

import { checkSource } from '../compile.ts';
import type { CheckOptions } from '../compile.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { escapeControls } from '../diagnostics/display.ts';
import { positionAt } from '../source.ts';
import { commandLine } from './command-line.ts';
import { valueOf } from './command.ts';
import type { CommandInput } from './command.ts';
import { writeDiagnostics } from './diagnostics.ts';
import { exitCodes } from './exit.ts';
import { fileReader } from './file-reader.ts';
import { replaceScript } from './files.ts';
import { mendText } from './fix.ts';
import { compileLimits, readScript } from './compile-text.ts';
import { stderr, stdout } from './output.ts';
import { readPluginOption } from './plugins.ts';
import { nameOfOperand, refuseStandardInput } from './standard-input.ts';

export async function checkCommand(input: CommandInput): Promise<number> {
  const path = nameOfOperand(input.operand);
  if (input.switches.has('fix'))
    refuseStandardInput(
      input.operand,
      'check',
      '--fix changes a file, and standard input is none',
      commandLine('check', '-'),
    );
  const text = readScript(input.operand, 'check');
  const plugins = await readPluginOption(input, 'check');
  const diagnostics = input.switches.has('fix')
    ? mendFile(path, text, plugins)
    : checkSource(path, text, { reader: fileReader(), limits: compileLimits, ...plugins }).diagnostics;
  const format = valueOf(input, 'format') ?? 'text';
  if (format === 'text' && diagnostics.length === 0) stdout.line(`${escapeControls(path)}: nothing to complain about`);
  else writeDiagnostics(path, diagnostics, format);
  return diagnostics.some(({ severity }) => severity === 'error') ? exitCodes.diagnostics : exitCodes.fine;
}

/** Makes the sure fixes, writes the file if there were any, and prints them. Answers with the remaining diagnostics. */
function mendFile(path: string, text: string, plugins: CheckOptions): readonly Diagnostic[] {
  const mended = mendText(
    text,
    (candidate) =>
      checkSource(path, candidate, { reader: fileReader(), limits: compileLimits, ...plugins }).diagnostics,
    path,
  );
  if (mended.made.length === 0) return mended.diagnostics;
  replaceScript(path, text, mended.text);
  for (const { code, fix } of mended.made) {
    const { line, column } = positionAt(fix.span.file, fix.span.start);
    stderr.line(`${escapeControls(path)}:${line}:${column}: ${code}: ${escapeControls(fix.description)}`);
  }
  stderr.line(`${mended.made.length} fix${mended.made.length === 1 ? '' : 'es'} made in ${escapeControls(path)}`);
  return mended.diagnostics;
}
