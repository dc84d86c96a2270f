// One run for the embedder: its values once, its result any number of times, in whatever order they are requested.

import { AbortError, HostError } from '../errors/errors.ts';
import type { Awaitable } from '../errors/failures.ts';
import { AsyncQueue } from './async-queue.ts';
import type { Unread } from '../limits/meter.ts';
import type { CheckedArguments } from '../marshalling/marshalled-values.ts';
import { isInstance } from '../primordials/untampered.ts';
import { PendingReads } from '../limits/pending-reads.ts';
import type { LoggedRun, RunLog } from './run-log.ts';
import type { BeginRun, Consumer, InnerConsumer, Outcome, Result, RunExecution, Suspension } from './run-execution.ts';
import { whenAborted } from './run-options.ts';
import type { AnyScript, ScriptTypes } from './script-types.ts';
import { formatOutput } from '../values/text.ts';
import type { ScriptValue } from '../values/script-value.ts';

/** The durations of the parts of a run, in milliseconds. */
export interface RunTimes {
  readonly instantiateMs: number;
  readonly runMs: number;
}

/** A value that nobody has requested yet. */
interface Kept {
  readonly value: ScriptValue;
  readonly bytes: number;
  readonly printsAsJson: boolean;
}

const nothing: Unread = { items: 0, bytes: 0 };

/** One run of main: its values once, its result any number of times. */
export class ScriptRun<Types extends ScriptTypes = AnyScript> implements AsyncIterable<Types['yields']> {
  readonly #begin: BeginRun;
  readonly #values: CheckedArguments;
  readonly #signal: AbortSignal | null;
  readonly #logged: LoggedRun | null;
  #hasStarted = false;
  /** Null until something of the run is requested. */
  #execution: RunExecution | null = null;
  #settle: (outcome: Outcome) => void = () => {};
  readonly #ended = new Promise<Outcome>((settle) => {
    this.#settle = settle;
  });
  #hasEnded = false;
  #aborted = false;
  /** Why the signal has aborted it. */
  #signalled: { readonly reason: unknown } | null = null;
  #stopListening = (): void => {};
  /** Takes the values as they come, if somebody wants them. */
  #consumer: InnerConsumer | null = null;
  /** The values that their consumer has not read. */
  #isBehindBy: () => Unread = () => nothing;
  /** The error of the consumer that rejected after it had taken a value. */
  #readerFailure: { readonly error: unknown } | null = null;
  /** Values that nobody has requested yet. */
  #kept: Kept[] = [];
  #keptBytes = 0;
  #valuesTaken = false;

  /** @internal */
  constructor(
    values: CheckedArguments,
    begin: BeginRun,
    signal: AbortSignal | null = null,
    logged: LoggedRun | null = null,
  ) {
    this.#values = values;
    this.#begin = begin;
    this.#signal = signal;
    this.#logged = logged;
  }

  /** What main returned; undefined if it returned nothing. Rejects with ScriptError. */
  get result(): Promise<Types['result']> {
    return this.#finished().then((result) => result?.value);
  }

  /** The result as the language prints it; undefined if there is none. Rejects with ScriptError. */
  get resultText(): Promise<string | undefined> {
    return this.#finished().then((result) =>
      result === null ? undefined : formatOutput(result.value, result.printsAsJson),
    );
  }

  /**
   * Everything that the run got from outside, once it has ended in any way; for scripts that were loaded with `record`
   * or `replay`.
   */
  get log(): Promise<RunLog> {
    const logged = this.#logged;
    if (logged === null)
      return Promise.reject(new HostError('there is no log of this run: load the script with the option record'));
    this.#start('at-calls');
    return this.#ended.then(() => logged.log());
  }

  /** Zero until the run has ended; `runMs` includes the time of waiting for the host and for the consumer. */
  get times(): RunTimes {
    return { instantiateMs: this.#execution?.instantiateMs ?? 0, runMs: this.#execution?.runMs ?? 0 };
  }

  /**
   * Units of fuel used so far, which count calls, loop iterations, and work of the library. Null if they are not
   * counted: without limits, and in modules without guards.
   */
  get fuelUsed(): number | null {
    return this.#execution?.fuelUsed ?? null;
  }

  /**
   * Passes each yielded value on as it comes, with its text on demand. The script does not wait, except in a worker
   * when it is far ahead. Waits at the end for the promises that the consumer returned. Rejects with the error that
   * ended the run.
   */
  async forEach(consumer: Consumer<Types['yields']>): Promise<void> {
    if (typeof consumer !== 'function') throw new HostError('forEach takes a function, which gets each value');
    this.#takeValues();
    const reads = new PendingReads((error) => this.#failReading(error));
    this.#isBehindBy = () => reads.unread;
    for (const { value, bytes, printsAsJson } of this.#takeKept())
      void reads.note(
        (consumer as Consumer)(value, () => formatOutput(value, printsAsJson)),
        bytes,
      );
    this.#consumer = (value, text, _printsAsJson, bytes) => {
      const given = (consumer as Consumer)(value, text);
      return given === undefined ? undefined : reads.note(given, bytes);
    };
    this.#start('at-calls');
    await this.#finished();
    await reads.settled();
  }

  /**
   * The yielded values as they come: the script waits at each until the next one is requested. A run that `result` has
   * started does not wait, except in a worker when it is far ahead, and its values are kept. Leaving the loop early
   * aborts the run.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<Types['yields'], void, undefined> {
    this.#takeValues();
    const values = new AsyncQueue<ScriptValue>(this.#takeKept());
    this.#isBehindBy = () => values.unread;
    this.#consumer = (value, _text, _printsAsJson, bytes) => values.put(value, bytes);
    void this.#ended.then(() => values.close());
    this.#start('at-calls-and-yields');
    try {
      for (let handed = await values.take(); handed !== null; handed = await values.take()) {
        yield handed.value as Types['yields'];
        handed.release();
      }
      await this.#finished();
    } finally {
      if (!this.#hasEnded) this.abort();
    }
  }

  /**
   * Ends the run at its next yield or host call, in the one that it waits for, or before it starts; pending requests
   * reject with AbortError.
   */
  abort(): void {
    this.#aborted = true;
    this.#execution?.abort();
  }

  #abortFor(reason: unknown): void {
    if (this.#aborted) return;
    this.#signalled = { reason };
    this.abort();
  }

  /** A plugin must not wait for the run that is waiting for the plugin. */
  #refusePlugin(): void {
    if (this.#execution?.isInPlugin === true)
      throw new HostError(
        'this run waits for the plugin that asks for it: a plugin cannot wait for the run that called it',
      );
  }

  #takeValues(): void {
    this.#refusePlugin();
    if (this.#valuesTaken)
      throw new HostError('the values of this run have been taken already: make another run for them');
    this.#valuesTaken = true;
  }

  #takeKept(): Kept[] {
    const kept = this.#kept;
    this.#kept = [];
    this.#keptBytes = 0;
    return kept;
  }

  #start(suspension: Suspension): void {
    if (this.#hasStarted) return;
    this.#hasStarted = true;
    const fail = (error: unknown): void => this.#end({ kind: 'failed', error });
    try {
      // Not before: a run that nobody starts would stay in memory for as long as the signal does.
      if (this.#signal !== null) this.#stopListening = whenAborted(this.#signal, (reason) => this.#abortFor(reason));
      this.#execution = this.#begin(
        {
          take: (value, text, printsAsJson, bytes) => this.#receive(value, text, printsAsJson, bytes),
          unread: () => {
            const behind = this.#isBehindBy();
            return { items: this.#kept.length + behind.items, bytes: this.#keptBytes + behind.bytes };
          },
        },
        suspension,
      );
      if (this.#aborted) this.#execution.abort();
      const outcome = this.#execution.run(this.#values);
      if (outcome instanceof Promise) void outcome.then((ended) => this.#end(ended)).catch(fail);
      else this.#end(outcome);
    } catch (error) {
      fail(error);
    }
  }

  #receive(value: ScriptValue, text: () => string, printsAsJson: boolean, bytes: number): Awaitable<void> {
    if (this.#consumer !== null) return this.#consumer(value, text, printsAsJson, bytes);
    this.#kept.push({ value, bytes, printsAsJson });
    this.#keptBytes += bytes;
  }

  /** Ends the run with the error of its consumer. */
  #failReading(error: unknown): void {
    this.#readerFailure = { error };
    this.abort();
  }

  /** Called once, however the run ends. */
  #end(outcome: Outcome): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    // Closes the resources that are still open for it.
    if (outcome.kind === 'failed') this.#execution?.abort();
    const told: Outcome = outcome.kind === 'failed' ? { kind: 'failed', error: this.#told(outcome.error) } : outcome;
    try {
      this.#stopListening();
      this.#settle(this.#logged === null ? told : this.#logged.finish(told));
    } catch (error) {
      this.#settle({ kind: 'failed', error });
    }
  }

  /** The error for the embedder: what the consumer threw, or with the reason of the signal. */
  #told(error: unknown): unknown {
    if (this.#readerFailure !== null) return this.#readerFailure.error;
    const wasSignalled = this.#signalled !== null && isInstance(error, AbortError);
    return wasSignalled ? new AbortError(error.message, { cause: this.#signalled!.reason }) : error;
  }

  async #finished(): Promise<Result | null> {
    this.#refusePlugin();
    this.#start('at-calls');
    const outcome = await this.#ended;
    if (outcome.kind === 'failed') throw outcome.error;
    return outcome.result;
  }
}
