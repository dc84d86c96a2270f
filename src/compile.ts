// The pipeline: parse, check, optimise, emit. Emit, and Binaryen with it, is loaded only when a program is built.

import type { CompiledLimits, EmitOptions, EmittedProgram } from './4-emit/emitted-program.ts';
import { noteRecursion, optimise } from './3-optimise/optimise.ts';
import { check } from './2-check/check.ts';
import type { CheckedProgram } from './2-check/typed-tree.ts';
import { loadModules } from './1-parse/load-modules.ts';
import { DiagnosticSink } from './diagnostics/diagnostic.ts';
import type { Diagnostic } from './diagnostics/diagnostic.ts';
import { LibraryRegistry } from './library/registry.ts';
import { createSourceFile } from './source.ts';
import type { SourceReader } from './source-reader.ts';

export interface CheckOptions {
  /** Gives the text of imported files; without one an import is a diagnostic. */
  readonly reader?: SourceReader;
}

const allLimits: CompiledLimits = { use: true, depth: true, memory: true };

export interface CompileOptions extends CheckOptions, EmitOptions {}

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
export function checkSource(name: string, text: string, options: CheckOptions = {}): CheckResult {
  const sink = new DiagnosticSink();
  const modules = loadModules(createSourceFile(name, text), sink, options.reader ?? null);
  // Behind a mistake in the syntax the rest could only be guessed.
  if (modules.at(-1)!.isBroken) return { diagnostics: sink.sorted(), program: null };
  const program = check(modules, sink, { registry: new LibraryRegistry() });
  return { diagnostics: sink.sorted(), program: sink.hasErrors ? null : program };
}

/** Compiles a script to a WebAssembly module. Never throws for a faulty script. */
export async function compile(name: string, text: string, options: CompileOptions = {}): Promise<CompileResult> {
  const checked = checkSource(name, text, options);
  if (checked.program === null) return { ...checked, artifact: null };
  const { limits = allLimits, optimise: optimises = true, turnsInARow } = options;
  const { emit } = await import('./4-emit/emit.ts');
  const program = limits.use === true || limits.depth === true ? noteRecursion(checked.program) : checked.program;
  return { ...checked, artifact: emit(optimises ? optimise(program, turnsInARow) : program, { ...options, limits }) };
}
