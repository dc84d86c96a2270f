// The last phase: turns optimised Mir into a WebAssembly module. Starting at the entry, every requested function is
// emitted once; then Binaryen optimises the module, and the manifest is added.

import { abiVersion, manifestSection } from '../abi/manifest.ts';
import { usedExport } from '../abi/imports.ts';
import type { Guard, Manifest, ManifestExport, ManifestParameter } from '../abi/manifest.ts';
import { entryName, initialiserName } from '../abi/names.ts';
import type { MirProgram } from '../mir/program.ts';
import { substitute } from '../language/types.ts';
import { FunctionTooLarge, isStackOverflow } from '../stopping.ts';
import type { Poll } from '../stopping.ts';
import { i32, none } from './binaryen.ts';
import { emitRun } from './boundary.ts';
import { chargesAtEntry } from './budget.ts';
import { declareCounters } from './counters.ts';
import { declareFuel, emitDepth, emitFuelAtEnd, emitPassing, emitUsedFuel } from './fuel.ts';
import { describeOutputs, describeSent, describeStructs, describeType } from './descriptors.ts';
import type { EmitOptions, EmittedProgram } from './emitted-program.ts';
import { Emitter } from './emitter.ts';
import type { FunctionInstance } from './emitter.ts';
import { declareErrorTag } from './errors.ts';
import { emitExports } from './exports.ts';
import { emitExpression } from './expressions.ts';
import { FunctionBuilder, withFuel } from './function-builder.ts';
import type { Dispatch } from './function-builder.ts';
import { storedPrelude } from './generated/prelude.ts';
import { runBinaryenPasses } from './binaryen-passes.ts';
import { Prelude } from './prelude.ts';
import { emitOwing, emitOwingBody } from './owed-fuel.ts';
import { declareOsr, emitStatements, emitWithDriver } from './osr.ts';
import { declareMemory } from './memory.ts';
import { largestFunction, largestOnceMore } from './sizes.ts';
import { emitStatement } from './statements.ts';

const createDispatch = (poll: Poll): Dispatch => ({
  expression: emitExpression,
  statements: (fb, nodes, before) => {
    const { attributed } = fb;
    const written = emitStatements(
      fb,
      nodes,
      (node) =>
        fb.inStatement(() => {
          poll();
          return emitOwing(fb, node, () => emitStatement(fb, node));
        }),
      before,
    );
    fb.attributed = attributed;
    return written;
  },
  passFuel: emitPassing,
  depth: emitDepth,
});

/** One for all programs, since reading its trees is a tenth of what small programs take. Nothing changes them. */
const prelude = new Prelude(storedPrelude);

/**
 * Emits a program that the checker has accepted. Throws FunctionTooLarge, the errors of `poll`, and the engine's error
 * if the stack overflows; any other error is a fault of the compiler.
 */
export function emit(program: MirProgram, options: EmitOptions = {}, poll: Poll = () => {}): EmittedProgram {
  try {
    return emitModule(program, options, poll, largestFunction);
  } catch (error) {
    // With a lower limit, more functions are large. A large function reuses its temporaries, so it has few variables,
    // and no pass nests its expressions deeply.
    if (!(error instanceof FunctionTooLarge) && !isStackOverflow(error)) throw error;
    return emitModule(program, options, poll, largestOnceMore);
  }
}

function emitModule(program: MirProgram, options: EmitOptions, poll: Poll, largest: number): EmittedProgram {
  const dispatch = createDispatch(poll);
  const emitter = new Emitter(program, prelude, options, largest);
  let isSound = true;
  try {
    return finish(emitter, program, emitProgram(emitter, program, dispatch), options, poll);
  } catch (error) {
    // Binaryen does not survive a stack overflow: a module that it was changing must not be used again.
    isSound = !isStackOverflow(error);
    throw error;
  } finally {
    if (isSound) emitter.module.dispose();
  }
}

/** Emits the requested functions; returns the exports. */
function emitProgram(emitter: Emitter, program: MirProgram, dispatch: Dispatch): readonly ManifestExport[] {
  emitter.module.addDebugInfoFileName('places');
  declareErrorTag(emitter);
  const initialiser =
    program.initialiser === null ? null : emitter.enqueue(scriptFunction(initialiserName, program.initialiser));
  if (program.entry !== null) {
    const entry = emitter.enqueue(scriptFunction(entryName, program.entry));
    emitRun(emitter, dispatch, program.entrySetsGlobals ? null : initialiser, entry);
  }
  if (emitter.counts) emitUsed(emitter);
  declareCounters(emitter, program.counters ?? 0);
  const exported = emitExports(emitter, dispatch, program.exports, initialiser);
  for (let instance = emitter.next(); instance !== undefined; instance = emitter.next())
    emitFunction(emitter, instance, dispatch);
  declareMemory(emitter);
  return exported;
}

/** `used() = granted - left` */
function emitUsed(emitter: Emitter): void {
  declareFuel(emitter);
  emitter.module.addFunction('$used', none, i32, [], emitUsedFuel(emitter));
  emitter.exportFunction('$used', usedExport, false);
}

function scriptFunction(wasmName: string, fn: FunctionInstance['fn']): FunctionInstance {
  return {
    wasmName,
    fn,
    typeArgument: null,
    trusted: false,
    takesPlace: false,
    takesDepth: false,
    passesFuel: false,
    takesBudget: false,
  };
}

function emitFunction(emitter: Emitter, instance: FunctionInstance, dispatch: Dispatch): void {
  const fb = new FunctionBuilder(emitter, instance, dispatch);
  declareOsr(fb);
  const m = fb.module;
  const returns = substitute(instance.fn.returns, instance.typeArgument);
  const body = emitOwingBody(fb, () => [
    // The test of the stack does what the charge and the poll do.
    ...fb.statements(instance.fn.body.slice(chargesAtEntry(instance) ? 2 : 0)),
    ...(returns.kind === 'void' ? emitFuelAtEnd(fb) : []),
  ]);
  // The checker has ensured that the end of a function with a result is unreachable.
  if (returns.kind !== 'void' && instance.fn.body.at(-1)?.kind !== 'return') body.push(m.unreachable());
  const result = returns.kind === 'void' ? none : emitter.types.wasmType(returns);
  fb.finish(emitWithDriver(fb, body, returns), instance.passesFuel ? withFuel(result, instance.takesBudget) : result);
}

function finish(
  emitter: Emitter,
  program: MirProgram,
  exported: readonly ManifestExport[],
  options: EmitOptions,
  poll: Poll,
): EmittedProgram {
  const m = emitter.module;
  runBinaryenPasses(m, emitter.functionTraits, options.optimise ?? true, poll);
  poll();
  if (m.validate() !== 1) throw new Error('the module that was written is not valid');
  const { binary, sourceMap } = m.emitBinary('places');
  const text = options.text === true ? m.emitText() : null;
  const manifest = makeManifest(emitter, program, exported, sourceMap!);
  return {
    wasm: appendManifest(withoutUnread(binary), manifest),
    manifest,
    sourceMap: options.sourceMap === true ? emitter.locations.sourceMap(manifest.locations) : null,
    text,
  };
}

function makeManifest(
  emitter: Emitter,
  program: MirProgram,
  exported: readonly ManifestExport[],
  binaryenMap: string,
): Manifest {
  const { entry } = program;
  const parameters =
    entry?.parameters.map(({ local, initialiser }): ManifestParameter => {
      const { name, type } = entry.locals[local]!;
      return { name, type: describeType(emitter, type), required: initialiser === null };
    }) ?? null;
  const { outputs } = program;
  const exports = exported.map((described, index) => {
    const own = outputs?.exports.get(program.exports[index]!.function);
    return own === undefined ? described : { ...described, outputs: describeOutputs(emitter, own) };
  });
  const ofEntry = outputs?.entry ?? null;
  const waits = emitter.suspendingExports;
  const guards = guardsOf(emitter);
  return {
    abi: abiVersion,
    name: program.name,
    headers: program.headers,
    parameters,
    exports,
    yields: describeSent(emitter, emitter.yields),
    results: describeSent(emitter, emitter.results),
    ...(ofEntry === null ? {} : { outputs: describeOutputs(emitter, ofEntry) }),
    structs: describeStructs(emitter),
    ...(waits.length === 0 ? {} : { waits }),
    ...(guards.length === 0 ? {} : { guards }),
    ...(emitter.pluginCalls.size === 0 ? {} : { plugins: [...emitter.pluginCalls.values()] }),
    ...(emitter.asks.size === 0 ? {} : { asks: [...emitter.asks].toSorted() }),
    namespaces: [...emitter.namespaces].filter((name) => name !== 'Native').toSorted(),
    locations: emitter.locations.table(binaryenMap),
  };
}

function guardsOf({ counts, countsDepth, countsMemory }: Emitter): readonly Guard[] {
  return [
    ...(counts ? ['use' as const] : []),
    ...(countsDepth ? ['depth' as const] : []),
    ...(countsMemory ? ['memory' as const] : []),
  ];
}

/**
 * Removes what Binaryen adds and nothing reads: the section with the name of the source map, and all names but those of
 * functions, which stacks show. Both are behind the code, whose offsets do not change.
 */
function withoutUnread(binary: Uint8Array): Uint8Array {
  const sections: Uint8Array[] = [binary.subarray(0, 8)];
  for (let at = 8; at < binary.length;) {
    const size = readLeb(binary, at + 1);
    const end = size.next + size.value;
    const name = readLeb(binary, size.next);
    const content = name.next + name.value;
    const title = binary[at] === 0 ? new TextDecoder().decode(binary.subarray(name.next, content)) : null;
    if (title === 'name') sections.push(customSection(title, functionNames(binary.subarray(content, end))));
    else if (title !== 'sourceMappingURL') sections.push(binary.subarray(at, end));
    at = end;
  }
  return concatenate(sections);
}

/** The subsection of a name section that names functions. */
function functionNames(names: Uint8Array): Uint8Array {
  const ofFunctions = 1;
  for (let at = 0; at < names.length;) {
    const size = readLeb(names, at + 1);
    const end = size.next + size.value;
    if (names[at] === ofFunctions) return names.subarray(at, end);
    at = end;
  }
  return names.subarray(0, 0);
}

function readLeb(bytes: Uint8Array, start: number): { value: number; next: number } {
  let value = 0;
  let at = start;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at]!;
    at += 1;
    value |= (byte & 127) << shift;
    if (byte < 128) return { value, next: at };
  }
}

/** Appends the manifest behind all other sections, so that the offsets of the code do not change. */
function appendManifest(binary: Uint8Array, manifest: Manifest): Uint8Array<ArrayBuffer> {
  return concatenate([binary, customSection(manifestSection, new TextEncoder().encode(JSON.stringify(manifest)))]);
}

function customSection(title: string, content: Uint8Array): Uint8Array {
  const name = new TextEncoder().encode(title);
  const nameSize = leb(name.length);
  const size = leb(nameSize.length + name.length + content.length);
  return concatenate([Uint8Array.of(0, ...size, ...nameSize), name, content]);
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function leb(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest & 127) | 128);
  }
}
