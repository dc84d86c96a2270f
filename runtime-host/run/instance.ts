// An instance of a script for the embedder, wherever it runs. It keeps its globals from call to call; `Script.call`
// uses a new one for each call.

import { AbortError, HostError } from '../errors/errors.ts';
import { describeThrown } from '../errors/failures.ts';
import type { AnyScript, CallArguments, CallResultOf, ExportName, InstanceCalls, ScriptTypes } from './script-types.ts';

/**
 * One instance of a script, which keeps its globals from call to call. They are set when the first call is
 * made, and what is yielded meanwhile belongs to that call.
 *
 * After an error that the script could have caught itself the instance goes on, its globals as the error
 * found them. Any other failure ends it: a guard error such as StackOverflowError, a failure while the globals
 * are set, an error of the embedder's own functions.
 */
export class ScriptInstance<Types extends ScriptTypes = AnyScript> {
  readonly #calls: InstanceCalls;

  /** @internal */
  constructor(calls: InstanceCalls) {
    this.#calls = calls;
  }

  /**
   * Calls an exported function, which may wait for the host. Rejects with ArgumentError if there is no such function or
   * the arguments do not fit it, ScriptError for an error of the script, HostError if the instance is in a call already
   * or has ended.
   */
  async call<Name extends ExportName<Types>>(
    name: Name,
    ...values: CallArguments<Types, Name>
  ): Promise<CallResultOf<Types, Name>> {
    return (await this.#calls.call(name, values)) as CallResultOf<Types, Name>;
  }

  /**
   * As `call`, without a promise: throws the errors that `call` rejects with, and HostError for a function that may
   * have to wait for the host, and for every function of a script that runs in a worker.
   */
  callSync<Name extends ExportName<Types>>(
    name: Name,
    ...values: CallArguments<Types, Name>
  ): CallResultOf<Types, Name> {
    return this.#calls.callSync(name, values) as CallResultOf<Types, Name>;
  }

  /**
   * Ends the instance and, if it has one, its worker. A running call rejects with AbortError, as soon as it can be
   * ended.
   */
  close(): void {
    this.#calls.close();
  }
}

/** The end of an instance that was closed. */
export const closed = new AbortError('it was closed');

/** An instance does one call at a time. */
export function busyInstance(): HostError {
  return new HostError(
    'this instance is in a call already: a function that the script calls cannot call back into it; ' +
      'make another with script.instance()',
  );
}

export function endedInstance(end: unknown): HostError {
  return new HostError(`this instance has ended (${describeThrown(end)}): make another with script.instance()`);
}
