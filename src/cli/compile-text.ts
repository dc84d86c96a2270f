// Compiles a file to a module and prints all diagnostics. It does not load the host, which takes as long to load as a
// short script takes to check.

import { isWasm } from '../../runtime-host/engine/wasm-bytes.ts';
import type { CheckOptions, CompileChoice } from '../compile.ts';
import type { EmitOptions, EmittedProgram } from '../5-emit/emitted-program.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { writeDiagnostics } from './diagnostics.ts';
import { forOneProgram } from './engine-flags.ts';
import { reportNothingTo } from './entry-fault.ts';
import { UsageError } from './exit.ts';
import { fileReader } from './file-reader.ts';
import { decodeScript } from './files.ts';
import { nameOfOperand, readOperand } from './standard-input.ts';

/** The limits for the compilation of a script: far more than any script needs that a person writes. */
export const compileLimits = { timeMs: 300_000, sourceBytes: 16 * 2 ** 20 };

export interface Compiled {
  readonly diagnostics: readonly Diagnostic[];
  readonly artifact: EmittedProgram | null;
}

/**
 * Compiles and writes diagnostics in the format. A file without an entry cannot be run; a file without entry and
 * exports cannot be built. `read` collects the imported files.
 */
export async function compileText(
  path: string,
  text: string,
  verb: 'run' | 'build',
  options: EmitOptions & Pick<CheckOptions, 'plugins'>,
  read: string[] = [],
  format = 'text',
  passes: CompileChoice = {},
): Promise<Compiled> {
  const { compileWith } = await import('../compile.ts');
  const result = await forOneProgram(text.length, () =>
    compileWith(path, text, { ...options, reader: fileReader(read), limits: compileLimits }, passes),
  );
  const { program } = result;
  const useless = program !== null && program.entry === null && (verb === 'run' || program.exports.length === 0);
  const compiled = useless
    ? { diagnostics: [...result.diagnostics, reportNothingTo(verb, path, text)], artifact: null }
    : result;
  writeDiagnostics(path, compiled.diagnostics, format);
  return compiled;
}

/** The text of a file that must be a script. */
export function readScript(operand: string, command: string): string {
  const bytes = readOperand(operand);
  const path = nameOfOperand(operand);
  if (isWasm(bytes))
    throw new UsageError(`sluice ${command} takes a script, and ${path} is a module that is built already`, command);
  return decodeScript(path, bytes);
}
