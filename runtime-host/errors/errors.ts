// The errors that an embedder sees. A ScriptError belongs to the script and mentions nothing but the script; the others
// are about the host, the engine, or a fault of Sluice itself.

import type { ScriptLocation } from '../../src/abi/manifest.ts';
import { escapeHidden } from '../../src/language/hidden-characters.ts';
import type { ScriptValue } from '../values/script-value.ts';

/** An error of the script: `name` is its type in the language, `stack` lists only places in the script. */
export class ScriptError extends Error {
  readonly #isScripts = true;
  /** Innermost first. Not enumerable, since `stack` says the same: code that prints an error would print it twice. */
  declare readonly frames: readonly ScriptLocation[];
  /** What a call had yielded before it failed; empty after a run, which hands values over as they come. */
  declare readonly yields: readonly ScriptValue[];

  constructor(type: string, message: string, frames: readonly ScriptLocation[]) {
    super(message);
    define(this, 'frames', frames);
    define(this, 'yields', []);
    define(this, 'name', type);
    define(
      this,
      'stack',
      [`${type}: ${message}`, ...frames.map((frame) => `    at ${formatLocation(frame)}`)].join('\n'),
    );
  }

  /** Like `instanceof`, but never throws: a thrown value may be a proxy whose traps throw. */
  static is(error: unknown): error is ScriptError {
    return typeof error === 'object' && error !== null && #isScripts in error;
  }
}

/** For an object of somebody else, such as a proxy, whose reading throws; the thrown error becomes the cause. */
export const unreadable = 'it cannot be read, since reading it throws an error';

/** The message of compiled code, and of the host if the engine reports the overflow. */
export const tooDeep = 'calls are nested too deep';

/** The same error with another message. */
export function retold({ name, frames, yields }: ScriptError, message: string): ScriptError {
  const told = new ScriptError(name, message, frames);
  define(told, 'yields', yields);
  return told;
}

/**
 * An argument of main or of a call is missing, unknown, of the wrong type, or cannot be read; in the last case `cause`
 * is what reading it threw. Nothing has run.
 */
export class ArgumentError extends ScriptError {
  /** Null if no single parameter is at fault: too many arguments, or an unknown function. */
  readonly parameter: string | null;

  constructor(parameter: string | null, message: string, options?: ErrorOptions) {
    super('TypeError', message, []);
    this.parameter = parameter;
    if (options !== undefined) define(this, 'cause', options.cause);
  }
}

/**
 * A module or engine that this host cannot run, or a wrong use of the host. Text of a module is escaped in the message.
 */
export class HostError extends Error {
  readonly #isHosts = true;
  override readonly name = 'HostError';

  /** Like `instanceof`, but never throws. */
  static is(error: unknown): error is HostError {
    return typeof error === 'object' && error !== null && #isHosts in error;
  }

  constructor(message: string, options?: ErrorOptions) {
    super(escapeHidden(message), options);
  }
}

/** For a module that the engine compiles but cannot instantiate. */
export const cannotStart = 'this module cannot be started';

/** For behaviour that no module of Sluice has. */
export function foreign(cause: unknown = null): HostError {
  return new HostError('this module does not keep to the interface of Sluice', { cause });
}

/** `abort()` has ended the run. */
export class AbortError extends Error {
  override readonly name = 'AbortError';
}

/** As many runs wait for a pool as its options allow: nothing has run, and the same call may succeed later. */
export class BusyError extends Error {
  override readonly name = 'BusyError';
}

/** A fault of Sluice, neither of the script nor of the embedder. The engine's words are in `cause`. */
export class InternalError extends Error {
  override readonly name = 'InternalError';
  declare readonly frames: readonly ScriptLocation[];

  constructor(what: string, frames: readonly ScriptLocation[], cause: unknown) {
    super(
      `internal error: ${what}. This is a fault of Sluice, not of the script: ` +
        'please report it with the script that shows it',
      { cause },
    );
    define(this, 'frames', frames);
  }
}

/** `average (stats.slu:12:5)` */
export function formatLocation(location: ScriptLocation): string {
  return `${location.function} (${location.file}:${location.line}:${location.column})`;
}

/** Adds the values to the error that the failed call had yielded. */
export function noteYields(error: unknown, yields: readonly ScriptValue[]): void {
  if (ScriptError.is(error)) define(error, 'yields', yields);
}

function define(error: Error, key: string, value: unknown): void {
  Object.defineProperty(error, key, {
    __proto__: null,
    value,
    writable: true,
    configurable: true,
    enumerable: false,
  } as PropertyDescriptor);
}
