// The interface between a run and the instance that executes it, in this thread or in a worker: who takes its values,
// where it may wait, and how it ends.

import type { Awaitable } from '../errors/failures.ts';
import type { Unread } from '../limits/meter.ts';
import type { CheckedArguments } from '../marshalling/marshalled-values.ts';
import type { ScriptValue } from '../values/script-value.ts';

/**
 * Takes a yielded value; `text` returns its printed form and may be called until the next value. If the consumer
 * returns a promise, the value counts as unread until that settles.
 */
export type Consumer<Value = ScriptValue> = (value: Value, text: () => string) => unknown;

/**
 * Like Consumer; `printsAsJson` and `bytes` (0 without limits) come from ValueWriter. A returned promise never rejects;
 * if yields wait, it suspends the script.
 */
export type InnerConsumer = (
  value: ScriptValue,
  text: () => string,
  printsAsJson: boolean,
  bytes: number,
) => Awaitable<void>;

/** Takes the yielded values. */
export interface Receiver {
  readonly take: InnerConsumer;
  /** The values that nobody has read. */
  readonly unread: () => Unread;
}

/** Where the engine may suspend the script: at host calls that wait, at its yields too, or nowhere. */
export type Suspension = 'never' | 'at-calls' | 'at-calls-and-yields';

/** Executes a run of main: an instance in this thread, or one in a worker. */
export interface RunExecution {
  readonly instantiateMs: number;
  readonly runMs: number;
  readonly fuelUsed: number | null;
  /** Whether code of a plugin runs at this moment. */
  readonly isInPlugin: boolean;
  /** Runs main to the end; never throws or rejects. */
  run(values: CheckedArguments): Awaitable<Outcome>;
  /** Ends the run, wherever it is. */
  abort(): void;
}

/** Prepares the execution of one run, without starting it. */
export type BeginRun = (receiver: Receiver, suspension: Suspension) => RunExecution;

/** How a run ended: `result` is null for a program that returned nothing. */
export type Outcome =
  | { readonly kind: 'finished'; readonly result: Result | null }
  | { readonly kind: 'failed'; readonly error: unknown };

export interface Result {
  readonly value: ScriptValue;
  /** The value is a number that was an int of a json. */
  readonly printsAsJson: boolean;
}
