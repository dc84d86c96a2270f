// Transfers errors from a worker to its owner, who gets errors of the same classes with the same content.

import type { ScriptLocation } from '../../src/abi/manifest.ts';
import { AbortError, HostError, InternalError, noteYields, ScriptError } from '../errors/errors.ts';
import type { ScriptValue } from '../values/script-value.ts';
import { packValue, unpackValue } from './packing.ts';
import type { PackedValue } from './packing.ts';

export type PackedError =
  | {
      readonly kind: 'script';
      readonly name: string;
      readonly message: string;
      readonly frames: readonly ScriptLocation[];
      readonly yields: readonly PackedValue[];
    }
  | { readonly kind: 'host' | 'abort'; readonly message: string }
  | { readonly kind: 'internal'; readonly what: string; readonly frames: readonly ScriptLocation[] };

export function packError(error: unknown): PackedError {
  if (error instanceof ScriptError) {
    const { name, message, frames, yields } = error;
    return { kind: 'script', name, message, frames, yields: yields.map((value) => packValue(value).value) };
  }
  if (error instanceof HostError) return { kind: 'host', message: error.message };
  if (error instanceof AbortError) return { kind: 'abort', message: error.message };
  const cause = error instanceof InternalError ? error.cause : error;
  return {
    kind: 'internal',
    what: cause instanceof Error ? cause.message : 'the module threw something unknown',
    frames: error instanceof InternalError ? error.frames : [],
  };
}

export function unpackError(packed: PackedError): Error {
  switch (packed.kind) {
    case 'script': {
      const error = new ScriptError(packed.name, packed.message, packed.frames.map(ownFrame));
      noteYields(
        error,
        packed.yields.map((value) => unpackValue(value) as ScriptValue),
      );
      return error;
    }
    case 'host':
      return new HostError(packed.message);
    case 'abort':
      return new AbortError(packed.message);
    case 'internal':
      return new InternalError(packed.what, packed.frames.map(ownFrame), new Error(packed.what));
  }
}

/** An ordinary object, whatever the transfer made of it. */
function ownFrame({ file, line, column, function: name }: ScriptLocation): ScriptLocation {
  return { file, line, column, function: name };
}
