// Modules written by hand for the tests of the host: WebAssembly text in, the bytes of a module with a
// manifest out. Only the boundary counts here; what the compiler makes of a script is tested elsewhere.

import { errorTagExport, runExport, runtimeImports, stringConstantsModule } from '../../src/abi/imports.ts';
import type { RuntimeImportName, WireType } from '../../src/abi/imports.ts';
import { abiVersion, manifestSection } from '../../src/abi/manifest.ts';
import type { Manifest } from '../../src/abi/manifest.ts';
import binaryen from '#binaryen';

export const emptyManifest: Manifest = {
  abi: abiVersion,
  name: 'test.slu',
  headers: [],
  parameters: [],
  structs: [],
  namespaces: [],
  locations: { files: [], functions: [], places: [], code: [] },
};

export interface ModuleText {
  /** Names from runtimeImports, callable as `$name`. */
  readonly runtime?: readonly RuntimeImportName[];
  /** Text constants by name, `(global.get $name)`. */
  readonly strings?: Readonly<Record<string, string>>;
  /** Further imports, in text. */
  readonly imports?: string;
  /** Further functions, in text. */
  readonly functions?: string;
  readonly locals?: string;
  /** The body of main. */
  readonly main: string;
}

const wasmTypes: Readonly<Record<WireType, string>> = { i32: 'i32', i64: 'i64', f64: 'f64', string: 'externref' };

/** The module's bytes, with the manifest as a custom section if there is one. */
export function assemble(text: ModuleText, manifest: Partial<Manifest> | null = {}): Uint8Array<ArrayBuffer> {
  const runtime = (text.runtime ?? []).map((name) => {
    const row = runtimeImports[name] as { parameters: readonly WireType[]; result: WireType | null };
    const parameters = row.parameters.map((type) => `(param ${wasmTypes[type]})`).join(' ');
    const result = row.result === null ? '' : `(result ${wasmTypes[row.result]})`;
    return `(import "sluice" "${name}" (func $${name} ${parameters} ${result}))`;
  });
  const strings = Object.entries(text.strings ?? {}).map(
    ([name, value]) => `(import "${stringConstantsModule}" "${value}" (global $${name} (ref extern)))`,
  );
  const bytes = assembleText(`(module
    (type $payload (func (param i32 externref i32)))
    ${[...runtime, ...strings, text.imports ?? ''].join('\n')}
    (tag $error (type $payload) (param i32 externref i32))
    ${text.functions ?? ''}
    (func $main ${text.locals ?? ''} ${text.main})
    (export "${runExport}" (func $main))
    (export "${errorTagExport}" (tag $error)))`);
  return manifest === null ? bytes : withManifest(bytes, { ...emptyManifest, ...manifest });
}

const {
  MutableGlobals,
  NontrappingFPToInt,
  BulkMemory,
  BulkMemoryOpt,
  SignExt,
  ExceptionHandling,
  ReferenceTypes,
  Multivalue,
  GC,
} = binaryen.Features;

export function assembleText(text: string): Uint8Array<ArrayBuffer> {
  const module = binaryen.parseText(text);
  module.setFeatures(
    MutableGlobals |
      NontrappingFPToInt |
      BulkMemory |
      BulkMemoryOpt |
      SignExt |
      ExceptionHandling |
      ReferenceTypes |
      Multivalue |
      GC,
  );
  binaryen.setDebugInfo(true);
  const bytes = module.emitBinary();
  module.dispose();
  return bytes as Uint8Array<ArrayBuffer>;
}

export function withManifest(bytes: Uint8Array, manifest: unknown): Uint8Array<ArrayBuffer> {
  return withSection(bytes, manifestSection, new TextEncoder().encode(JSON.stringify(manifest)));
}

export function withSection(bytes: Uint8Array, name: string, content: Uint8Array): Uint8Array<ArrayBuffer> {
  const nameBytes = new TextEncoder().encode(name);
  const head = [...unsigned(nameBytes.length), ...nameBytes];
  const parts = [bytes, [0, ...unsigned(head.length + content.length), ...head], content];
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** LEB128. */
function unsigned(value: number): number[] {
  const bytes: number[] = [];
  do {
    bytes.push((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
    value >>>= 7;
  } while (value > 0);
  return bytes;
}
