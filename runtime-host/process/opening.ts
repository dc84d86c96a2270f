// How a process learns what it is to run: compiled modules do not cross, so their bytes do.

import type { Manifest } from '../../src/abi/manifest.ts';
import { compileOptions } from '../engine/compile-options.ts';
import { HostError } from '../errors/errors.ts';
import type { UsedPlugin } from '../plugins/used-plugin.ts';
import type { Opening, PackedProgram, ToWorker } from '../worker/messages.ts';

/** An Opening as it crosses: modules as bytes, and the rest as JSON. */
interface PackedOpening {
  readonly kind: 'open';
  readonly module: Uint8Array;
  /** Of the plugins that have some. */
  readonly codes: readonly (Uint8Array | null)[];
  readonly text: string;
}

interface OpeningText extends Pick<Opening, 'random' | 'clock' | 'limits' | 'asksAtLimits'> {
  readonly id: number;
  readonly manifest: Manifest;
  readonly imports: readonly string[];
  readonly plugins: readonly UsedPlugin[];
}

export type PackedToWorker = PackedOpening | Exclude<ToWorker, Opening>;

/** Bytes of modules, which the process compiles for itself. */
export interface ModuleBytes {
  readonly module: Uint8Array;
  /** Of the plugins that are linked to it; null for the others. */
  readonly codes: readonly (Uint8Array | null)[];
}

/** Throws HostError where nobody knows the bytes. */
export function moduleBytesOf(source: unknown, plugins: readonly UsedPlugin[]): ModuleBytes {
  if (source instanceof WebAssembly.Module)
    throw new HostError('a compiled WebAssembly.Module cannot go to a process: load the script from its bytes');
  const codes = plugins.map(({ name, code, bytes }) => {
    if (code !== null && bytes === null)
      throw new HostError(
        `the plugin ${name} was made of a WebAssembly.Module, which cannot go to a process: make it of the bytes`,
      );
    return code === null ? null : bytes;
  });
  // The process starts later than this: what the caller does with the bytes meanwhile is nobody's concern.
  return {
    module: Uint8Array.from(source instanceof ArrayBuffer ? new Uint8Array(source) : (source as Uint8Array)),
    codes,
  };
}

/** A process serves one instance: it has no module yet, and forgets none. */
export function packOpening(
  { program: { id, program }, random, clock, limits, asksAtLimits }: Opening,
  { module, codes }: ModuleBytes,
): PackedOpening {
  const { manifest, imports, plugins } = program!;
  const text: OpeningText = {
    id,
    manifest,
    imports: [...imports],
    plugins: plugins.map((used) => ({ ...used, code: null, bytes: null, owned: null })),
    random,
    clock,
    limits,
    asksAtLimits,
  };
  return { kind: 'open', module, codes, text: JSON.stringify(text) };
}

export function unpackOpening({ module, codes, text }: PackedOpening): Opening {
  const { id, manifest, imports, plugins, ...rest } = JSON.parse(text) as OpeningText;
  const program: PackedProgram = {
    module: compile(module),
    manifest,
    imports: new Set(imports),
    plugins: plugins.map((used, at) => ({ ...used, code: compileIfThere(codes[at] ?? null) })),
  };
  return {
    kind: 'open',
    program: { id, program, forget: [] },
    ...rest,
    mailbox: null,
  };
}

function compileIfThere(bytes: Uint8Array | null): WebAssembly.Module | null {
  return bytes === null ? null : compile(bytes);
}

function compile(bytes: Uint8Array): WebAssembly.Module {
  return new WebAssembly.Module(bytes, compileOptions);
}
