// The public API of the compiler. Running what it makes is the runtime host's. What callers may get wrong
// is told here, so that the rooms need not expect it.

import { checkSource as checkText, compile as compileText } from './compile.ts';
import type { CheckOptions, CheckResult, CompileOptions, CompileResult } from './compile.ts';

export { memoryReader } from './memory-reader.ts';
export type { FoundSource, MissingSource, SourceReader } from './source-reader.ts';
export type { CheckOptions, CheckResult, CompileOptions, CompileResult } from './compile.ts';
export type { Diagnostic, DiagnosticType, Fix, Label } from './diagnostics/diagnostic.ts';
export type { EmitOptions, EmittedProgram } from './3-emit/emitted-program.ts';
export type { Position, SourceFile, Span } from './source.ts';

/**
 * Checks a script: `name` is what diagnostics call the file. Never throws for a faulty script; throws
 * TypeError if name or text is no string.
 */
export function checkSource(name: string, text: string, options: CheckOptions = {}): CheckResult {
  needStrings('checkSource', name, text);
  return checkText(name, text, options);
}

/**
 * Compiles a script to a WebAssembly module. Never rejects for a faulty script; rejects with TypeError if
 * name or text is no string.
 */
export async function compile(name: string, text: string, options: CompileOptions = {}): Promise<CompileResult> {
  needStrings('compile', name, text);
  return compileText(name, text, options);
}

function needStrings(called: string, name: unknown, text: unknown): void {
  for (const [what, value] of [['the name of a script', name], ['the text of a script', text]] as const) {
    if (typeof value !== 'string') throw new TypeError(`${called}(name, text) takes ${what} as a string, not ${value === null ? 'null' : typeof value}`);
  }
}
