// One run as the embedder sees it: its values once, its result as often as wanted, in whatever order
// they are asked for.

import type { CheckedArguments } from './arguments.ts';
import { HostError } from './errors.ts';
import { Execution } from './execution.ts';
import type { Consumer, Environment, Outcome, Program, Result } from './execution.ts';
import type { AnyScript, ScriptTypes } from './script-types.ts';
import { formatOutput } from './text.ts';
import type { ScriptValue } from './values.ts';

/** How long the parts of a run took, in milliseconds. */
export interface RunTimes {
  readonly instantiateMs: number;
  readonly runMs: number;
}

export class ScriptRun<Types extends ScriptTypes = AnyScript> implements AsyncIterable<Types['yields']> {
  readonly #execution: Execution;
  readonly #values: CheckedArguments;
  #outcome: Outcome | null = null;
  #running = false;
  /** Takes the values as they come, while there is somebody who wants them. */
  #consumer: Consumer | null = null;
  /** Values that nobody has asked for yet. */
  #kept: ScriptValue[] = [];
  /** Which of them are numbers that are ints of a json. */
  readonly #keptAsJson = new Set<number>();
  #valuesTaken = false;

  constructor(program: Program, values: CheckedArguments, environment: Environment) {
    this.#values = values;
    this.#execution = new Execution(program, environment, (value, text, printsAsJson) => {
      if (this.#consumer !== null) {
        this.#consumer(value, text);
        return;
      }
      if (printsAsJson) this.#keptAsJson.add(this.#kept.length);
      this.#kept.push(value);
    });
  }

  /** What main returned; undefined if it returned nothing. Rejects with ScriptError. */
  get result(): Promise<Types['result']> {
    return this.#finished().then((result) => result?.value);
  }

  /** The result as the language prints it; undefined if there is none. Rejects with ScriptError. */
  get resultText(): Promise<string | undefined> {
    return this.#finished().then((result) => (result === null ? undefined : formatOutput(result.value, result.printsAsJson)));
  }

  /** Zero until the run has ended. */
  get times(): RunTimes {
    return { instantiateMs: this.#execution.instantiateMs, runMs: this.#execution.runMs };
  }

  /** Hands each yielded value over as it comes, with its text on demand. Rejects with what ended the run, if it failed. */
  async forEach(consumer: Consumer<Types['yields']>): Promise<void> {
    this.#takeValues();
    if (this.#outcome === null) {
      this.#consumer = consumer as Consumer;
      this.#start();
    } else {
      this.#takeKept().forEach((value, at) => consumer(value, () => formatOutput(value, this.#keptAsJson.has(at))));
    }
    await this.#finished();
  }

  /** The yielded values; the run is over when the first one is delivered, they wait in a buffer. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Types['yields'], void, undefined> {
    this.#takeValues();
    this.#start();
    yield* this.#takeKept() as Awaited<Types['yields']>[];
    await this.#finished();
  }

  /** Ends the run at its next yield, or before it starts; what waits for it rejects with AbortError. */
  abort(): void {
    this.#execution.abort();
  }

  #takeValues(): void {
    if (this.#valuesTaken) throw new HostError('the values of this run have been taken already: make another run for them');
    this.#valuesTaken = true;
  }

  #takeKept(): ScriptValue[] {
    const kept = this.#kept;
    this.#kept = [];
    return kept;
  }

  #start(): void {
    if (this.#outcome !== null || this.#running) return;
    this.#running = true;
    this.#outcome = this.#execution.run(this.#values);
  }

  async #finished(): Promise<Result | null> {
    this.#start();
    // Only a consumer that asks for the result while the script is calling it gets here before the end.
    while (this.#outcome === null) await Promise.resolve();
    const outcome = this.#outcome as Outcome;
    if (outcome.kind === 'failed') throw outcome.error;
    return outcome.result;
  }
}
