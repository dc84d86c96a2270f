// Where the script failed: the loops of the drivers have no place for stacks, so that the first records that fail are
// run again, each alone, by the script's own function.

import { ArgumentError, ScriptError } from '../../runtime-host/api/node.ts';
import type { Script, ScriptInstance } from '../../runtime-host/api/node.ts';
import { parseValue } from '../../src/cli/script-arguments.ts';
import { givenTo } from '../driver/fold.ts';
import { limitErrors } from '../driver/values.ts';
import type { Argument, Fold, Work } from '../plan/plan.ts';
import type { RecordValue } from '../read/record-values.ts';
import type { Failure } from '../write/failures.ts';
import { scriptOf, TooManyFailures } from './attempts.ts';
import type { RunStage, RunWork } from './attempts.ts';
import { framesOf, mostStacks } from './batch-call.ts';
import { withMisfits } from './misfits.ts';
import type { TextReader } from './misfits.ts';

/** What finding stacks needs of a run. */
export type StackRun = Pick<RunWork, 'scriptModule' | 'settings' | 'allowed' | 'startedAt'>;

/** Finds the stacks of a partition, or of a stream. */
export class StackFinder {
  readonly #run: StackRun;
  readonly #stage: RunStage<Work | Fold>;
  readonly #task: number;
  readonly #texts: TextReader;
  #script: Script | null = null;
  #left = mostStacks;

  /** `texts` reads values that fit no parameter. */
  constructor(run: StackRun, stage: RunStage<Work | Fold>, task: number, texts: TextReader) {
    this.#run = run;
    this.#stage = stage;
    this.#task = task;
    this.#texts = texts;
  }

  /** The failures; the first of them have stacks where they fail alone as they did among the others. */
  async find(failures: readonly Failure[]): Promise<readonly Failure[]> {
    const found: Failure[] = [];
    for (const failure of await this.#described(failures)) {
      const stack = await this.#stackOf(failure);
      found.push(stack === null ? failure : { ...failure, stack });
    }
    return found;
  }

  /** What `work` gives. TooManyFailures becomes TooManyErrors, which tells the stack of the first record. */
  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof TooManyFailures)) throw error;
      const [first] = (await this.#described([error.first])) as [Failure];
      throw error.told(first, (await this.#stackOf(first)) ?? first.limitStack ?? []);
    }
  }

  async #described(failures: readonly Failure[]): Promise<readonly Failure[]> {
    return withMisfits(failures, this.#stage.work.inputs, this.#texts);
  }

  async #stackOf({ values, type, message }: Failure): Promise<readonly string[] | null> {
    if (values === undefined || values === null || this.#left === 0) return null;
    this.#left--;
    this.#script ??= await scriptOf(this.#run, { module: this.#run.scriptModule }, this.#task);
    const instance = this.#script.instance();
    try {
      await callAlone(this.#script, instance, this.#stage, values);
      return null;
    } catch (error) {
      // What no parameter takes did not get to the script before either.
      if (!(error instanceof ScriptError) || error instanceof ArgumentError) return null;
      // No further one waits for a limit.
      if (limitErrors.some((name) => name === error.name)) this.#left = 0;
      const isSame = error.name === type && error.message === message;
      return isSame && error.frames.length > 0 ? framesOf(error) : null;
    } finally {
      instance.close();
    }
  }
}

/** One record, by the function that the driver calls for it. */
async function callAlone(
  { manifest }: Script,
  instance: ScriptInstance,
  { work, values: given }: RunStage<Work | Fold>,
  record: readonly RecordValue[],
): Promise<void> {
  const columns = record.map(({ value }, at) => {
    const input = work.inputs[at]!;
    return input.carrier === 'json' && typeof value === 'string'
      ? parseValue(manifest, input.parameter, input.type, value)
      : value;
  });
  const call = (name: string, values: readonly unknown[]): Promise<{ readonly value: unknown }> =>
    instance.call(name, ...(values as never[]));
  const argumentsFor = (taken: readonly Argument[], givenOf: (name: string) => unknown): unknown[] =>
    taken.map((argument): unknown => {
      if (argument.kind === 'given') return givenOf(argument.name);
      return argument.kind === 'column' ? columns[argument.at] : record[argument.at]!.isValid;
    });
  const inOrder = (names: readonly string[]) => (name: string) => given[names.indexOf(name)];
  if ('by' in work) {
    const givenOf = inOrder(givenTo(work).map(({ name }) => name));
    const state = (await call('init', argumentsFor(work.init, givenOf))).value;
    await call('step', [state, ...argumentsFor(work.call, givenOf)]);
    return;
  }
  const names = work.call.flatMap((argument) => (argument.kind === 'given' ? [argument.name] : []));
  const values = argumentsFor(work.call, inOrder(names));
  if (work.shape !== 'batch') await call('map', values);
  else
    await call(
      'mapBatch',
      values.map((value, at) => (work.call[at]!.kind === 'given' ? value : [value])),
    );
}
