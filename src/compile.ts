// The pipeline: parse, check, optimise, emit. Emit, and Binaryen with it, is loaded only when a program is built.

import type { CompiledLimits, EmitOptions, EmittedProgram } from './4-emit/emitted-program.ts';
import { noteRecursion, optimise } from './3-optimise/optimise.ts';
import { check } from './2-check/check.ts';
import type { CheckedProgram } from './2-check/typed-tree.ts';
import { loadModules } from './1-parse/load-modules.ts';
import { parse } from './1-parse/parse.ts';
import type { SourceModule } from './1-parse/syntax-tree.ts';
import { DiagnosticSink } from './diagnostics/diagnostic.ts';
import type { Diagnostic } from './diagnostics/diagnostic.ts';
import { declareStructs, registryWith } from './library/plugin-registry.ts';
import { pluginFile, readPlugins } from './library/plugins.ts';
import type { Plugin } from './library/plugins.ts';
import { createSourceFile } from './source.ts';
import type { SourceReader } from './source-reader.ts';

export interface CheckOptions {
  /** Gives the text of imported files; without one an import is a diagnostic. */
  readonly reader?: SourceReader;
  /** What the script may call besides the library: what `defineModule` gives, classes with `@ScriptModule` or objects of them. */
  readonly plugins?: readonly unknown[];
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

/** Checks a script: `name` is what diagnostics call the file. Never throws for a faulty script; throws TypeError for a faulty plugin. */
export function checkSource(name: string, text: string, options: CheckOptions = {}): CheckResult {
  const sink = new DiagnosticSink();
  const plugins = readPlugins(options.plugins);
  const registry = registryWith(plugins);
  const modules = loadModules(createSourceFile(name, text), sink, options.reader ?? null);
  // Behind a mistake in the syntax the rest could only be guessed.
  if (modules.at(-1)!.isBroken) return { diagnostics: sink.sorted(), program: null };
  const program = check([...plugins.flatMap((plugin) => typesOf(plugin, sink)), ...modules], sink, { registry });
  return { diagnostics: sink.sorted(), program: sink.hasErrors ? null : program };
}

/** The types of a plugin, as a file that the others see under the name of its namespace. */
function typesOf(plugin: Plugin, sink: DiagnosticSink): SourceModule[] {
  const id = pluginFile(plugin.name);
  return plugin.structs.length === 0 ? [] : [{ id, file: parse(createSourceFile(id, declareStructs(plugin)), sink), isBroken: false, imports: new Map() }];
}

/** Compiles a script to a WebAssembly module. Never rejects for a faulty script; rejects with TypeError for a faulty plugin. */
export async function compile(name: string, text: string, options: CompileOptions = {}): Promise<CompileResult> {
  const checked = checkSource(name, text, options);
  if (checked.program === null) return { ...checked, artifact: null };
  const { limits = allLimits, optimise: optimises = true, turnsInARow } = options;
  const { emit } = await import('./4-emit/emit.ts');
  const program = limits.use === true || limits.depth === true ? noteRecursion(checked.program) : checked.program;
  return { ...checked, artifact: emit(optimises ? optimise(program, { turnsInARow, counts: limits.use === true }) : program, { ...options, limits }) };
}
