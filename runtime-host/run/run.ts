// One run as the embedder sees it: its values once, its result as often as wanted, in whatever order
// they are asked for.

import { HostError } from '../errors/errors.ts';
import type { Awaitable } from '../errors/failures.ts';
import { AsyncQueue } from './async-queue.ts';
import type { Unread } from '../limits/meter.ts';
import type { CheckedArguments } from '../marshalling/parts.ts';
import { PendingReads } from '../limits/pending-reads.ts';
import type { LoggedRun, RunLog } from './run-log.ts';
import type { BeginRun, Consumer, InnerConsumer, Outcome, Result, RunExecution, Suspension } from './run-execution.ts';
import type { AnyScript, ScriptTypes } from './script-types.ts';
import { formatOutput } from '../values/text.ts';
import type { ScriptValue } from '../values/script-value.ts';

/** How long the parts of a run took, in milliseconds. */
export interface RunTimes {
  readonly instantiateMs: number;
  readonly runMs: number;
}

/** A value that nobody has asked for yet. */
interface Kept {
  readonly value: ScriptValue;
  readonly bytes: number;
  readonly printsAsJson: boolean;
}

const nothing: Unread = { items: 0, bytes: 0 };

/** One run of main: its values once, its result as often as wanted. */
export class ScriptRun<Types extends ScriptTypes = AnyScript> implements AsyncIterable<Types['yields']> {
  readonly #begin: BeginRun;
  readonly #values: CheckedArguments;
  readonly #logged: LoggedRun | null;
  #hasStarted = false;
  /** Null until something of the run is asked for. */
  #execution: RunExecution | null = null;
  #settle: (outcome: Outcome) => void = () => {};
  readonly #ended = new Promise<Outcome>((settle) => {
    this.#settle = settle;
  });
  #hasEnded = false;
  #aborted = false;
  /** Takes the values as they come, while there is somebody who wants them. */
  #consumer: InnerConsumer | null = null;
  /** Values that somebody who wants them has not read. */
  #isBehindBy: () => Unread = () => nothing;
  /** What the reader of the values failed with, after having taken one. */
  #readerFailure: { readonly error: unknown } | null = null;
  /** Values that nobody has asked for yet. */
  #kept: Kept[] = [];
  #keptBytes = 0;
  #valuesTaken = false;

  /** @internal */
  constructor(values: CheckedArguments, begin: BeginRun, logged: LoggedRun | null = null) {
    this.#values = values;
    this.#begin = begin;
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
   * Everything that the run got from outside, once it has ended, however that was; for scripts that were loaded with
   * `record` or `replay`.
   */
  get log(): Promise<RunLog> {
    const logged = this.#logged;
    if (logged === null)
      return Promise.reject(new HostError('there is no log of this run: load the script with the option record'));
    this.#start('at-calls');
    return this.#ended.then(() => logged.log());
  }

  /** Zero until the run has ended; waiting for the host, or for whoever iterates, is part of `runMs`. */
  get times(): RunTimes {
    return { instantiateMs: this.#execution?.instantiateMs ?? 0, runMs: this.#execution?.runMs ?? 0 };
  }

  /**
   * Units of fuel used so far: calls, turns of loops, and work of the library. Null where they are not counted: without
   * limits, and in modules without guards.
   */
  get fuelUsed(): number | null {
    return this.#execution?.fuelUsed ?? null;
  }

  /**
   * Hands each yielded value over as it comes, with its text on demand; the script does not wait, but in a worker where
   * it is far ahead. Promises that the consumer gives are waited for in the end. Rejects with what ended the run, if it
   * failed.
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
   * The yielded values as they come: the script waits at each until the next one is asked for. A run that `result` has
   * started does not wait, but in a worker where it is far ahead, and its values are kept. Leaving the loop early
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
   * Ends the run at its next yield or host call, in the one that it waits for, or before it starts; what waits for it
   * rejects with AbortError.
   */
  abort(): void {
    this.#aborted = true;
    this.#execution?.abort();
  }

  /** A plugin that the run waits for would wait for the run. */
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

  /** Ends the run with what its reader failed with. */
  #failReading(error: unknown): void {
    this.#readerFailure = { error };
    this.abort();
  }

  /** Once, however it ends. */
  #end(outcome: Outcome): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    // What is still open for it is closed.
    if (outcome.kind === 'failed') this.#execution?.abort();
    const told: Outcome =
      outcome.kind === 'failed' && this.#readerFailure !== null
        ? { kind: 'failed', error: this.#readerFailure.error }
        : outcome;
    try {
      this.#settle(this.#logged === null ? told : this.#logged.finish(told));
    } catch (error) {
      this.#settle({ kind: 'failed', error });
    }
  }

  async #finished(): Promise<Result | null> {
    this.#refusePlugin();
    this.#start('at-calls');
    const outcome = await this.#ended;
    if (outcome.kind === 'failed') throw outcome.error;
    return outcome.result;
  }
}
