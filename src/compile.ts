// The pipeline: parse, check, lower, optimise, emit. Emit, with Binaryen, is loaded only when a program is built.

import { loading } from '#loading';
import type { CompiledGuards, EmitOptions, EmittedProgram } from './5-emit/emitted-program.ts';
import { outputsOf } from './4-optimise/outputs.ts';
import { runPasses } from './4-optimise/passes.ts';
import type { PassChoice } from './4-optimise/passes.ts';
import { settingsOf } from './4-optimise/pass.ts';
import { lower } from './3-lower/lower.ts';
import { check } from './2-check/check.ts';
import type { CheckedProgram } from './2-check/typed-tree.ts';
import { loadModules } from './1-parse/load-modules.ts';
import { parse } from './1-parse/parse.ts';
import type { SourceModule } from './1-parse/syntax-tree.ts';
import { markCompiled } from './abi/provenance.ts';
import { report } from './diagnostics/catalog.ts';
import { DiagnosticSink, mostErrors, TooManyErrors } from './diagnostics/diagnostic.ts';
import type { Diagnostic } from './diagnostics/diagnostic.ts';
import { declareStructs, registryWith } from './library/plugin-registry.ts';
import { pluginFile, readPlugins } from './library/plugins.ts';
import type { Plugin } from './library/plugins.ts';
import type { MirProgram } from './mir/program.ts';
import { createSourceFile } from './source.ts';
import type { SourceFile, Span } from './source.ts';
import type { SourceReader } from './source-reader.ts';
import { createPoll, FunctionTooLarge, isStackOverflow, TimeIsUp } from './stopping.ts';
import type { CompileLimits, Poll } from './stopping.ts';

/** What checking a script may be given. */
export interface CheckOptions {
  /** Gives the text of imported files; without one an import is a diagnostic. */
  readonly reader?: SourceReader;
  /**
   * What the script may call besides the library: what `defineModule` gives, classes with `@ScriptModule` or objects of
   * them.
   */
  readonly plugins?: readonly unknown[];
  /** What compiling may take: past it there is a LimitError among the diagnostics. */
  readonly limits?: CompileLimits;
}

const allGuards: CompiledGuards = { use: true, depth: true, memory: true };

/** What compiling a script may be given. */
export interface CompileOptions extends CheckOptions, EmitOptions {
  /** Stops the compiler: compile rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /**
   * Where `binaryen.wasm` is, if a bundler or server has moved it: a URL, in Node also a path. Counts until it has been
   * loaded once.
   */
  readonly wasmUrl?: string | URL;
  /**
   * Compile in a worker of Node, which leaves the caller's thread free, and is ended where a limit or the signal says
   * so. Default false.
   */
  readonly worker?: boolean;
  /**
   * The name of a function of the script that takes one value: it is called with what imported files yield of its type,
   * which the host does not get. For scripts that are made around another one.
   */
  readonly yieldsTo?: string;
}

/** What checking found. */
export interface CheckResult {
  /** Sorted by place; warnings too. */
  readonly diagnostics: readonly Diagnostic[];
  /** Null if there is an error among the diagnostics, and of what was compiled in a worker. */
  readonly program: CheckedProgram | null;
}

/** What compiling gave: the module, and what there is to say. */
export interface CompileResult extends CheckResult {
  readonly artifact: EmittedProgram | null;
}

/**
 * Checks a script: `name` is what diagnostics call the file. Never throws for a faulty script; throws TypeError for a
 * faulty plugin.
 */
export function checkSource(name: string, text: string, options: CheckOptions = {}): CheckResult {
  return new Attempt(name, text, options, createPoll(options.limits?.timeMs, undefined)).check();
}

/** One script on its way through the rooms. What stops it is a diagnostic as any other mistake. */
class Attempt {
  readonly #source: SourceFile;
  readonly #options: CheckOptions;
  readonly #poll: Poll;
  readonly #sink = new DiagnosticSink(mostErrors);

  constructor(name: string, text: string, options: CheckOptions, poll: Poll) {
    this.#source = createSourceFile(name, text);
    this.#options = options;
    this.#poll = poll;
  }

  check(): CheckResult {
    const plugins = readPlugins(this.#options.plugins);
    const registry = registryWith(plugins);
    const [sink, poll] = [this.#sink, this.#poll];
    const program = this.#bounded(() => {
      poll();
      const modules = loadModules(this.#source, sink, this.#options.reader ?? null, {
        poll,
        sourceBytes: this.#options.limits?.sourceBytes,
      });
      return check([...plugins.flatMap((plugin) => typesOf(plugin, sink)), ...modules], sink, { registry, poll });
    });
    return { diagnostics: sink.sorted(), program: sink.hasErrors ? null : program };
  }

  /** What `work` gives for a program that has been checked, with the diagnostics; null where it went too far. */
  finish(checked: CheckResult, work: () => EmittedProgram): CompileResult {
    const artifact = this.#bounded(work);
    if (artifact !== null) markCompiled(artifact.wasm);
    return artifact === null ? { diagnostics: this.#sink.sorted(), program: null, artifact } : { ...checked, artifact };
  }

  #bounded<Result>(work: () => Result): Result | null {
    try {
      return work();
    } catch (error) {
      const start: Span = { file: this.#source, start: 0, end: 0 };
      if (error instanceof TimeIsUp)
        report(this.#sink, 'takesTooMuch', start, { what: `longer than ${error.timeMs} ms` });
      else if (error instanceof TooManyErrors)
        report(this.#sink, 'tooManyErrors', this.#sink.last!.span, { limit: mostErrors });
      else if (error instanceof FunctionTooLarge) report(this.#sink, 'tooComplex', error.span, { what: error.what });
      // Nothing is known that comes here: what nests has its limit. It depends on the engine's stack all the same.
      else if (isStackOverflow(error))
        report(this.#sink, 'tooComplex', start, { what: 'what is nested in this script' });
      else throw error;
      return null;
    }
  }
}

/** The types of a plugin, as a file that the others see under the name of its namespace. */
function typesOf(plugin: Plugin, sink: DiagnosticSink): SourceModule[] {
  const id = pluginFile(plugin.name);
  return plugin.structs.length === 0
    ? []
    : [{ id, file: parse(createSourceFile(id, declareStructs(plugin)), sink), isBroken: false, imports: new Map() }];
}

/**
 * Compiles a script to a WebAssembly module. Never rejects for a faulty script; rejects with TypeError for a faulty
 * plugin, and with an Error where the file of `wasmUrl` cannot be had.
 */
export async function compile(name: string, text: string, options: CompileOptions = {}): Promise<CompileResult> {
  return compileWith(name, text, options, {});
}

/** What those who look into a program choose besides. */
export interface CompileChoice extends Omit<PassChoice, 'optimise'> {
  /** Gives the program that is compiled in place of the one that lowering has made. */
  readonly instrument?: (lowered: MirProgram) => MirProgram;
}

/** As `compile`, with a choice among the optional passes, and somebody who looks at what they make. */
export async function compileWith(
  name: string,
  text: string,
  options: CompileOptions,
  { instrument = (program) => program, ...choice }: CompileChoice,
): Promise<CompileResult> {
  const { guards = allGuards, optimise: optimises = true, signal, limits, yieldsTo } = options;
  signal?.throwIfAborted();
  const poll = createPoll(limits?.timeMs, signal);
  const attempt = new Attempt(name, text, options, poll);
  const checked = attempt.check();
  if (checked.program === null) return { ...checked, artifact: null };
  await loading.read(options.wasmUrl);
  const { emit } = await import('./5-emit/emit.ts');
  if (signal !== undefined) await nextTask();
  const written = checked.program;
  return attempt.finish(checked, () => {
    const settings = settingsOf({ ...options, guards }, poll);
    const lowered = lower(written, { yieldsTo });
    const program = runPasses(instrument(lowered), settings, { ...choice, optimise: optimises });
    return emit({ ...program, outputs: outputsOf(lowered) }, { ...options, guards }, poll);
  });
}

/** Lets whoever may abort do so. */
async function nextTask(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve));
}
