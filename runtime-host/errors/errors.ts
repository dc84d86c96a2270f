// What can go wrong, seen by the embedder. A ScriptError is the script's own and speaks of nothing but
// the script; the others are about the host, the engine, or a fault of Sluice itself.

import type { ScriptLocation } from '../../src/abi/manifest.ts';
import { escapeHidden } from '../../src/language/hidden-characters.ts';
import type { ScriptValue } from '../values/script-value.ts';

/** An error of the script: `name` is its type in the language, `stack` holds places in the script alone. */
export class ScriptError extends Error {
  readonly #isScripts = true;
  /** Innermost first. Not enumerable, as `stack` says the same: what prints an error would print it twice. */
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

  /** As `instanceof`, of whatever was thrown: a proxy may throw at that. */
  static is(error: unknown): error is ScriptError {
    return typeof error === 'object' && error !== null && #isScripts in error;
  }
}

/** Of what somebody else has made, such as a proxy: what reading it throws is the cause. */
export const unreadable = 'it cannot be read, since reading it throws an error';

/** What compiled code says, and the host where the engine does. */
export const tooDeep = 'calls are nested too deep';

/** The same error in other words. */
export function retold({ name, frames, yields }: ScriptError, message: string): ScriptError {
  const told = new ScriptError(name, message, frames);
  define(told, 'yields', yields);
  return told;
}

/**
 * An argument of main or of a call that is missing, unknown, of the wrong type, or cannot be read, when `cause` is what
 * reading it threw; nothing has run.
 */
export class ArgumentError extends ScriptError {
  /** Null where it is no single one: too many arguments, or a function that there is not. */
  readonly parameter: string | null;

  constructor(parameter: string | null, message: string, options?: ErrorOptions) {
    super('TypeError', message, []);
    this.parameter = parameter;
    if (options !== undefined) define(this, 'cause', options.cause);
  }
}

/**
 * A module or engine that this host cannot run, or a wrong use of the host. What a module brings into the message is
 * escaped.
 */
export class HostError extends Error {
  readonly #isHosts = true;
  override readonly name = 'HostError';

  /** As `instanceof`, of whatever was thrown. */
  static is(error: unknown): error is HostError {
    return typeof error === 'object' && error !== null && #isHosts in error;
  }

  constructor(message: string, options?: ErrorOptions) {
    super(escapeHidden(message), options);
  }
}

/** Of a module that the engine takes, and no instance of it. */
export const cannotStart = 'this module cannot be started';

/** What a module does that none of Sluice's would. */
export function foreign(cause: unknown = null): HostError {
  return new HostError('this module does not keep to the interface of Sluice', { cause });
}

/** The run was given up by `abort()`. */
export class AbortError extends Error {
  override readonly name = 'AbortError';
}

/** A pool has as much waiting as it may: nothing has run, and the same may well succeed later. */
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

/** Notes what the call that failed had yielded. */
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
