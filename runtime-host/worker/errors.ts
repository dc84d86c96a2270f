// Transfers errors from a worker to its owner, who gets errors of the same classes with the same content.

import type { ScriptLocation } from '../../src/abi/manifest.ts';
import { escapeHidden } from '../../src/language/hidden-characters.ts';
import { AbortError, HostError, InternalError, noteYields, ScriptError } from '../errors/errors.ts';
import { describeThrown, textOf } from '../errors/failures.ts';
import { isInstance } from '../primordials/untampered.ts';
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
  | { readonly kind: 'host'; readonly message: string; readonly cause: PackedCause | null }
  | { readonly kind: 'abort'; readonly message: string }
  | { readonly kind: 'internal'; readonly what: string; readonly frames: readonly ScriptLocation[] };

/** What a HostError was caused by, without its stack, which is the worker's own. */
export interface PackedCause {
  readonly name: string;
  readonly message: string;
}

/** At most so many UTF-16 units of each text of a cause. */
export const longestCause = 1_000;

export function packError(error: unknown): PackedError {
  if (error instanceof ScriptError) {
    const { name, message, frames, yields } = error;
    return { kind: 'script', name, message, frames, yields: yields.map((value) => packValue(value).value) };
  }
  if (error instanceof HostError) return { kind: 'host', message: error.message, cause: packCause(error.cause) };
  if (error instanceof AbortError) return { kind: 'abort', message: error.message };
  const cause = error instanceof InternalError ? error.cause : error;
  return {
    kind: 'internal',
    what: cause instanceof Error ? cause.message : 'the module threw something unknown',
    frames: error instanceof InternalError ? error.frames : [],
  };
}

function packCause(cause: unknown): PackedCause | null {
  if (cause === undefined || cause === null) return null;
  const [name, message] = isInstance(cause, Error)
    ? [textOf(cause, 'name'), textOf(cause, 'message')]
    : ['Error', describeThrown(cause)];
  return { name: name.slice(0, longestCause), message: message.slice(0, longestCause) };
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
      return new HostError(packed.message, packed.cause === null ? {} : { cause: unpackCause(packed.cause) });
    case 'abort':
      return new AbortError(packed.message);
    case 'internal':
      return new InternalError(packed.what, packed.frames.map(ownFrame), new Error(packed.what));
  }
}

function unpackCause({ name, message }: PackedCause): Error {
  const cause = new Error(escapeHidden(message));
  cause.name = escapeHidden(name);
  cause.stack = `${cause.name}: ${cause.message}`;
  return cause;
}

/** An ordinary object, whatever the transfer made of it. */
function ownFrame({ file, line, column, function: name }: ScriptLocation): ScriptLocation {
  return { file, line, column, function: name };
}
