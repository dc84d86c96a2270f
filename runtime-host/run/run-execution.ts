// What a run knows of whatever carries it out, be it an instance in this thread or one in a worker: who takes its
// values, where it may wait, and how it ends.

import type { Awaitable } from '../errors/failures.ts';
import type { Unread } from '../limits/meter.ts';
import type { CheckedArguments } from '../marshalling/parts.ts';
import type { ScriptValue } from '../values/script-value.ts';

/**
 * Takes a yielded value; `text` gives it as the language prints it and may be called before the next one. A value
 * counts as unread until a promise that the consumer gives is settled.
 */
export type Consumer<Value = ScriptValue> = (value: Value, text: () => string) => unknown;

/**
 * As Consumer; `printsAsJson` and `bytes`, which are 0 without limits, are as ValueWriter has them. A promise never
 * rejects; where yields wait, it holds the script.
 */
export type InnerConsumer = (
  value: ScriptValue,
  text: () => string,
  printsAsJson: boolean,
  bytes: number,
) => Awaitable<void>;

/** What becomes of yielded values. */
export interface Receiver {
  readonly take: InnerConsumer;
  /** Those that nobody has read. */
  readonly unread: () => Unread;
}

/** Whether the engine may suspend the script: at host calls that wait, at its yields too, or never. */
export type Suspension = 'never' | 'at-calls' | 'at-calls-and-yields';

/** What carries out a run of main: an instance here, or one in a worker. */
export interface RunExecution {
  readonly instantiateMs: number;
  readonly runMs: number;
  readonly fuelUsed: number | null;
  /** Whether code of a plugin is what runs at this moment. */
  readonly isInPlugin: boolean;
  /** Runs main to the end; never throws or rejects. */
  run(values: CheckedArguments): Awaitable<Outcome>;
  /** Ends the run, wherever it is. */
  abort(): void;
}

/** Makes what carries out one run; nothing has begun yet. */
export type BeginRun = (receiver: Receiver, suspension: Suspension) => RunExecution;

/** How a run ended: `result` is null for a program that returned nothing. */
export type Outcome =
  | { readonly kind: 'finished'; readonly result: Result | null }
  | { readonly kind: 'failed'; readonly error: unknown };

export interface Result {
  readonly value: ScriptValue;
  /** The value is a number, and the int of a json. */
  readonly printsAsJson: boolean;
}
