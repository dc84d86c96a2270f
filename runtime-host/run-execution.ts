// What a run knows of whatever carries it out, be it an instance in this thread or one in a worker: who takes its values,
// where it may wait, and how it ends.

import type { Awaitable } from './failures.ts';
import type { CheckedArguments } from './parts.ts';
import type { ScriptValue } from './values.ts';

/** Takes a yielded value; `text` gives it as the language prints it and may be called before the next one. */
export type Consumer<Value = ScriptValue> = (value: Value, text: () => string) => void;

/** As Consumer; `printsAsJson` is as ValueWriter has it. Where yields wait, a promise holds the script until it is kept. */
export type InnerConsumer = (value: ScriptValue, text: () => string, printsAsJson: boolean) => Awaitable<void>;

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
export type BeginRun = (consumer: InnerConsumer, suspension: Suspension) => RunExecution;

/** How a run ended: `result` is null for a program that returned nothing. */
export type Outcome =
  | { readonly kind: 'finished'; readonly result: Result | null }
  | { readonly kind: 'failed'; readonly error: unknown };

export interface Result {
  readonly value: ScriptValue;
  /** The value is a number, and the int of a json. */
  readonly printsAsJson: boolean;
}
