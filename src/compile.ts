// The pipeline: parse, check, emit. Emit, and Binaryen with it, is loaded only when a program is built.

import type { EmitOptions, EmittedProgram } from './3-emit/emitted-program.ts';
import { check } from './2-check/check.ts';
import type { CheckedProgram } from './2-check/typed-tree.ts';
import { parse } from './1-parse/parse.ts';
import { DiagnosticSink } from './diagnostics/diagnostic.ts';
import type { Diagnostic } from './diagnostics/diagnostic.ts';
import { LibraryRegistry } from './library/registry.ts';
import { createSourceFile } from './source.ts';

export interface CheckResult {
  /** Sorted by place; warnings too. */
  readonly diagnostics: readonly Diagnostic[];
  /** Null if there is an error among the diagnostics. */
  readonly program: CheckedProgram | null;
}

export interface CompileResult extends CheckResult {
  readonly artifact: EmittedProgram | null;
}

/** Checks a script: `name` is what diagnostics call the file. Never throws for a faulty script. */
export function checkSource(name: string, text: string): CheckResult {
  const sink = new DiagnosticSink();
  const file = parse(createSourceFile(name, text), sink);
  // Behind a mistake in the syntax the rest could only be guessed.
  if (sink.hasErrors) return { diagnostics: sink.sorted(), program: null };
  const program = check(file, sink, { registry: new LibraryRegistry() });
  return { diagnostics: sink.sorted(), program: sink.hasErrors ? null : program };
}

/** Compiles a script to a WebAssembly module. Never throws for a faulty script. */
export async function compile(name: string, text: string, options: EmitOptions = {}): Promise<CompileResult> {
  const checked = checkSource(name, text);
  if (checked.program === null) return { ...checked, artifact: null };
  const { emit } = await import('./3-emit/emit.ts');
  return { ...checked, artifact: emit(checked.program, options) };
}
