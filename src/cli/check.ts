// `sluice check`: what is wrong with a script. Nothing of the emitter is loaded.

import { checkSource } from '../compile.ts';
import { valueOf } from './command.ts';
import type { CommandInput } from './command.ts';
import { diagnosticsLine, printDiagnostics } from './diagnostics.ts';
import { exitCodes } from './exit.ts';
import { fileReader } from './file-reader.ts';
import { readScript } from './load.ts';
import { stdout } from './output.ts';

export async function checkCommand(input: CommandInput): Promise<number> {
  const { diagnostics } = checkSource(input.operand, readScript(input.operand, 'check'), { reader: fileReader() });
  if (valueOf(input, 'format') === 'json') stdout.scriptLine(diagnosticsLine(diagnostics));
  else if (diagnostics.length === 0) stdout.scriptLine(`${input.operand}: nothing to complain about`);
  else printDiagnostics(input.operand, diagnostics);
  return diagnostics.some(({ severity }) => severity === 'error') ? exitCodes.diagnostics : exitCodes.fine;
}
