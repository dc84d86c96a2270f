// `sluice permissions`: what each function of a script can ask for, and the flags that allow it.

import { escapeControls } from '../diagnostics/display.ts';
import { analyse, permissionsOf } from '../queries/index.ts';
import type { FunctionPermissions } from '../queries/index.ts';
import { createSourceFile, positionAt } from '../source.ts';
import { valueOf } from './command.ts';
import type { CommandInput } from './command.ts';
import { readScript } from './compile-text.ts';
import { writeDiagnostics } from './diagnostics.ts';
import { exitCodes } from './exit.ts';
import { fileReader } from './file-reader.ts';
import { stdout } from './output.ts';
import { readPluginOption } from './plugins.ts';
import { nameOfOperand } from './standard-input.ts';

export async function permissionsCommand(input: CommandInput): Promise<number> {
  const path = nameOfOperand(input.operand);
  const text = readScript(input.operand, 'permissions');
  const analysis = analyse(createSourceFile(path, text), fileReader(), await readPluginOption(input, 'permissions'));
  const errors = analysis.diagnostics.filter(({ severity }) => severity === 'error');
  // What a script with a mistake can ask for is not known as a whole.
  if (errors.length > 0) {
    writeDiagnostics(path, errors, 'text');
    return exitCodes.diagnostics;
  }
  const functions = permissionsOf(analysis);
  if (valueOf(input, 'format') === 'json') stdout.line(JSON.stringify({ functions: functions.map(recordOf) }));
  else writeText(path, functions);
  return exitCodes.fine;
}

function writeText(path: string, functions: readonly FunctionPermissions[]): void {
  const asking = functions.filter(({ requests }) => requests.length > 0);
  if (asking.length === 0) stdout.line(`${escapeControls(path)}: asks for nothing`);
  for (const { name, requests } of asking) {
    stdout.line(escapeControls(name));
    const rows = new Map(requests.map((request) => [`${request.flag} ${request.function}`, request]));
    for (const { flag, function: called, span } of rows.values()) {
      const { line, column } = positionAt(span.file, span.start);
      stdout.line(escapeControls(`  ${flag}  ${called} at ${span.file.name}:${line}:${column}`));
    }
  }
}

function recordOf({ name, nameSpan, requests }: FunctionPermissions) {
  const { line, column } = positionAt(nameSpan.file, nameSpan.start);
  return {
    name,
    line,
    column,
    flags: [...new Set(requests.map(({ flag }) => flag))],
    requests: requests.map(({ permission, function: called, subject, flag, span }) => {
      const place = positionAt(span.file, span.start);
      return { permission, function: called, subject, flag, file: span.file.name, ...place };
    }),
  };
}
