// How a process gets the module that it runs: compiled modules cannot be sent, so their bytes are.

import type { Manifest } from '../../src/abi/manifest.ts';
import { compileOptions } from '../engine/compile-options.ts';
import { HostError } from '../errors/errors.ts';
import type { UsedPlugin } from '../plugins/used-plugin.ts';
import type { Opening, PackedProgram, ToWorker } from '../worker/messages.ts';

/** The form of an Opening for the channel: modules as bytes, and the rest as JSON. */
interface PackedOpening {
  readonly kind: 'open';
  readonly module: Uint8Array;
  /** The modules of plugins; null for a plugin without one. */
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

/** The bytes of modules, which the process compiles itself. */
export interface ModuleBytes {
  readonly module: Uint8Array;
  /** The modules of linked plugins; null for other plugins. */
  readonly codes: readonly (Uint8Array | null)[];
}

/** Throws HostError if the bytes are unknown. */
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
  // Copied, since the process starts later and the caller may change the bytes before that.
  return {
    module: Uint8Array.from(source instanceof ArrayBuffer ? new Uint8Array(source) : (source as Uint8Array)),
    codes,
  };
}

/** A process serves one instance: it has no modules from before and forgets none. */
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
