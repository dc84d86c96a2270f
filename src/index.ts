// The public API of the compiler. Running what it makes is the runtime host's. What callers may get wrong
// is told here, so that the rooms need not expect it.

import { checkSource as checkText, compile as compileText } from './compile.ts';
import { compileInWorker } from './compile-in-worker.ts';
import { kindOf, needNames, ownOptions, ownPart, readGiven } from './given-options.ts';
import type { NamesOf } from './given-options.ts';
import type { CompiledGuards } from './5-emit/emitted-program.ts';
import type { CheckOptions, CheckResult, CompileOptions, CompileResult } from './compile.ts';
import type { CompileLimits } from './stopping.ts';
import type { FoundSource, MissingSource, SourceReader } from './source-reader.ts';

export { functionSizes } from './abi/function-sizes.ts';
export type { FunctionSize } from './abi/function-sizes.ts';
export { describePlugin } from './library/page.ts';
export { memoryReader } from './memory-reader.ts';
export type { FoundSource, MissingSource, SourceReader } from './source-reader.ts';
export type { CheckOptions, CheckResult, CompileOptions, CompileResult } from './compile.ts';
export type { Diagnostic, DiagnosticType, Fix, Label } from './diagnostics/diagnostic.ts';
export { renderDiagnostic } from './diagnostics/render.ts';
export { isPicture, viewOf } from './queries/view.ts';
export type { Column, Extent, View } from './queries/view.ts';
export type { CompileLimits } from './stopping.ts';
export type { CompiledGuards, EmitOptions, EmittedProgram } from './5-emit/emitted-program.ts';
export type { Position, SourceFile, Span } from './source.ts';

/**
 * Checks a script: `name` is what diagnostics call the file, `options.reader` finds the files that it imports. Never
 * throws for a faulty script; throws TypeError if name or text is no string, or the reader is none.
 */
export function checkSource(name: string, text: string, given: CheckOptions = {}): CheckResult {
  needStrings('checkSource', name, text);
  const options = ownOptions(given, checkOptions);
  return checkText(name, text, { ...withSafeReader(options), ...ownLimits(options.limits, false) });
}

/**
 * Compiles a script, with the files that it imports, to one WebAssembly module. Never rejects for a faulty script;
 * rejects with TypeError if name or text is no string, an option or a limit is none, and with the reason of
 * `options.signal` once that is aborted.
 */
export async function compile(name: string, text: string, given: CompileOptions = {}): Promise<CompileResult> {
  needStrings('compile', name, text);
  const options = ownOptions(given, compileOptions);
  needFlags(options);
  needSignal(options.signal);
  needFunctionName(options.yieldsTo);
  const checked = {
    ...withSafeReader(options),
    ...ownGuards(options.guards),
    ...ownLimits(options.limits, options.worker === true),
  };
  return options.worker === true ? compileInWorker(name, text, checked) : compileText(name, text, checked);
}

const checkOptions: NamesOf<CheckOptions> = { reader: true, plugins: true, limits: true };
const compileOptions: NamesOf<CompileOptions> = {
  ...checkOptions,
  signal: true,
  wasmUrl: true,
  worker: true,
  optimise: true,
  iterationsPerCall: true,
  guards: true,
  sourceMap: true,
  text: true,
  yieldsTo: true,
};
const guardNames: NamesOf<CompiledGuards> = { use: true, depth: true, memory: true };

/** A guard that is misspelt would be none. */
function ownGuards(given: CompiledGuards | undefined): Pick<CompileOptions, 'guards'> {
  if (given === undefined) return {};
  if (typeof given !== 'object' || given === null)
    throw new TypeError(`the option guards takes an object, not ${kindOf(given)}`);
  const guards = ownPart(given, 'the option guards');
  needNames(guards, guardNames, 'guard');
  return { guards };
}

const flagNames = ['worker', 'optimise', 'sourceMap', 'text'] as const satisfies readonly (keyof CompileOptions)[];

function needFlags(options: CompileOptions): void {
  for (const name of flagNames) {
    const value: unknown = options[name];
    if (value !== undefined && typeof value !== 'boolean')
      throw new TypeError(`the option ${name} takes true or false, not ${kindOf(value)}`);
  }
}

function needSignal(signal: unknown): void {
  if (signal !== undefined && !readGiven('the option signal', () => signal instanceof AbortSignal))
    throw new TypeError(`the option signal takes an AbortSignal, not ${kindOf(signal)}`);
}

function needFunctionName(name: unknown): void {
  if (name !== undefined && typeof name !== 'string')
    throw new TypeError(`the option yieldsTo takes the name of a function, not ${kindOf(name)}`);
}

const limitNames: readonly string[] = ['timeMs', 'sourceBytes', 'memoryBytes'] satisfies (keyof CompileLimits)[];

/** A limit that is misspelt, or is no number, would be none. */
function ownLimits(given: CompileLimits | undefined, inWorker: boolean): Pick<CompileOptions, 'limits'> {
  if (given === undefined) return {};
  if (typeof given !== 'object' || given === null)
    throw new TypeError(`the option limits takes an object, not ${kindOf(given)}`);
  const limits = ownPart(given, 'the option limits');
  for (const [name, value] of Object.entries(limits)) {
    if (!limitNames.includes(name))
      throw new TypeError(
        `the option limits takes ${limitNames.join(', ')}, not ${JSON.stringify(name)}; ` +
          'what a module counts by itself is the option guards',
      );
    if (name === 'memoryBytes' && !inWorker)
      throw new TypeError('limits.memoryBytes binds a worker alone: it goes with worker: true');
    if (value !== undefined && (typeof value !== 'number' || !(value >= 0)))
      throw new TypeError(`limits.${name} takes a number from 0 on`);
  }
  return { limits };
}

function needStrings(called: string, name: unknown, text: unknown): void {
  for (const [what, value] of [
    ['the name of a script', name],
    ['the text of a script', text],
  ] as const) {
    if (typeof value !== 'string')
      throw new TypeError(`${called}(name, text) takes ${what} as a string, not ${kindOf(value)}`);
  }
}

/** The options with a reader whose answers are looked at before the rooms see them. */
function withSafeReader<Options extends CheckOptions>(options: Options): Options {
  const { reader } = options;
  if (reader === undefined) return options;
  const { read, identify } = readGiven('the option reader', () => {
    const parts = (reader ?? {}) as Partial<SourceReader>;
    return { read: parts.read, identify: parts.identify };
  });
  if (typeof read !== 'function' || typeof identify !== 'function')
    throw new TypeError('the option reader takes an object with the methods read(path, importer) and identify(name)');
  return {
    ...options,
    reader: {
      read: (path, importer) => needAnswer(read.call(reader, path, importer), path),
      identify: (name) => needIdentity(identify.call(reader, name)),
    },
  };
}

function needAnswer(answer: unknown, path: string): FoundSource | MissingSource {
  const { name, identity, text, reason, nearest } = (
    typeof answer === 'object' && answer !== null ? answer : {}
  ) as Readonly<Record<string, unknown>>;
  if (typeof reason === 'string') return { reason, nearest: typeof nearest === 'string' ? nearest : null };
  if (typeof name === 'string' && name !== '' && typeof identity === 'string' && typeof text === 'string')
    return { name, identity, text };
  const given = answer instanceof Promise ? 'a promise, since the compiler does not wait' : kindOf(answer);
  throw new TypeError(
    `the reader answers read(${JSON.stringify(path)}, …) with { name, identity, text } or { ` +
      `reason, nearest }, not with ${given}`,
  );
}

function needIdentity(answer: unknown): string {
  if (typeof answer === 'string') return answer;
  throw new TypeError(`the reader answers identify(name) with a string, not with ${kindOf(answer)}`);
}
