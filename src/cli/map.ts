// `sluice map`: runs a script over the records of files. All of the work is the package sluice-map's, which whoever
// does without it need not install.

import type * as SluiceMap from '../../map/index.ts';
import { commandLine } from './command-line.ts';
import { valueOf } from './command.ts';
import type { CommandInput } from './command.ts';
import { writeDiagnostics } from './diagnostics.ts';
import { exitCodes, UsageError } from './exit.ts';
import { loadMap } from './map-package.ts';
import { isStream, mapStream } from './map-stream.ts';
import { readAddress, readCount, readQueue } from './map-values.ts';
import { compiling, workFault, workOptions } from './map-work.ts';
import { stderr, stdout } from './output.ts';
import { withCommas } from './thousands.ts';

export async function mapCommand(input: CommandInput): Promise<number> {
  const patterns = input.values.get('input');
  const output = valueOf(input, 'output');
  if (patterns === undefined || output === undefined)
    throw new UsageError(
      `sluice map needs ${patterns === undefined ? 'files to read: --input FILES' : 'a folder to write to: -o FOLDER'}`,
      'map',
      commandLine('map', input.operand, '--input', patterns?.[0] ?? 'in/*.parquet', '-o', output ?? 'out'),
    );
  if (isStream(input)) return mapStream(input);
  if (input.values.has('errors'))
    throw new UsageError(`--errors is for streams: of files, records that failed are in ${output}/_errors`, 'map');
  const threads = readCount(input, 'map', 'threads');
  const partitionRows = readCount(input, 'map', 'partition-rows');
  const map = await loadMap(threads);
  try {
    const options: SluiceMap.MapOptions = {
      ...workOptions(input, map),
      input: patterns,
      output,
      format: (valueOf(input, 'format') ?? 'parquet') as SluiceMap.Format,
      ...(partitionRows === undefined ? {} : { partitionRows }),
    };
    const plan = await compiling(input, () => map.planMap(options));
    if (plan.diagnostics.length > 0) writeDiagnostics(input.operand, plan.diagnostics, 'text');
    if (input.switches.has('plan')) {
      stdout.line(map.describePlan(plan));
      if (input.switches.has('resume')) stdout.line(map.describeStanding(await map.readStanding(plan)));
      return exitCodes.fine;
    }
    if (input.switches.has('check-merge')) {
      const check = await map.checkMerge(plan);
      stdout.line(map.describeMergeCheck(check));
      return check.differences.some(({ isInOrder }) => isInOrder) ? exitCodes.scriptError : exitCodes.fine;
    }
    const resume = input.switches.has('resume');
    const queue = queueOptions(input);
    return await run(map, plan, (signal) =>
      queue === null
        ? map.runMap(plan, { ...(threads === undefined ? {} : { threads }), resume, signal })
        : map.runQueuedMap(plan, { ...queue, resume, signal }),
    );
  } catch (error) {
    return faultOf(error, input);
  }
}

/** Null without a queue. */
function queueOptions(input: CommandInput): Omit<SluiceMap.QueueRunOptions, 'resume' | 'signal'> | null {
  const queue = readQueue(input, 'map');
  const key = valueOf(input, 'key');
  const dashboard = readAddress(input, 'map', 'dashboard-port');
  if (queue === undefined) {
    for (const option of ['key', 'dashboard-port'])
      if (input.values.has(option)) throw new UsageError(`--${option} goes with --queue`, 'map');
    if (input.switches.has('telemetry')) throw new UsageError('--telemetry goes with --queue', 'map');
    return null;
  }
  if (key === undefined)
    throw new UsageError(
      'jobs of a queue are signed: --key FILE; sluice map-keys NAME makes NAME.key, and NAME.pub for workers',
      'map',
    );
  return {
    queue,
    key,
    telemetry: input.switches.has('telemetry'),
    ...(dashboard === undefined ? {} : { dashboard }),
  };
}

async function run(
  map: typeof SluiceMap,
  plan: SluiceMap.MapPlan,
  start: (signal: AbortSignal) => AsyncIterable<SluiceMap.MapProgress>,
): Promise<number> {
  const stopping = new AbortController();
  const stop = (): void => stopping.abort(new Interrupted());
  for (const signal of signals) process.once(signal, stop);
  let last: SluiceMap.MapProgress | null = null;
  const watched = (async function* () {
    for await (const value of start(stopping.signal)) {
      last = value;
      yield value;
    }
  })();
  try {
    const { read, written, failed, skipped, groups } = await map.showProgress(watched);
    const rest = [
      ...(plan.map === null ? [] : [`${withCommas(written)} written`]),
      ...(plan.fold === null ? [] : [`${rows(groups)} in ${plan.output}/summary.${plan.outputFormat}`]),
      ...(skipped === 0 ? [] : [`${withCommas(skipped)} left out for their nulls`]),
      ...(failed === 0 ? [] : [`${withCommas(failed)} failed, which ${plan.output}/_errors has`]),
    ];
    stderr.line([`${withCommas(read)} records read`, ...rest].join(', '));
    return exitCodes.fine;
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    const { done, partitions } = last ?? { done: 0, partitions: 0 };
    stderr.line(
      `stopped: ${done} of ${partitions} partitions are done; the same command with --resume goes on behind them`,
    );
    return exitCodes.interrupted;
  } finally {
    for (const signal of signals) process.off(signal, stop);
  }
}

/** Ctrl-C, and how services are told to end. */
const signals = ['SIGINT', 'SIGTERM'] as const;

class Interrupted extends Error {}

function faultOf(error: unknown, input: CommandInput): number {
  const { name } = error as Error;
  if (name === 'TasksFailed') return tellFailed((error as SluiceMap.TasksFailed).tasks);
  const code = workFault(error, input);
  if (name === 'TooManyErrors')
    stderr.line('what is done is kept: the same command with --resume and another --max-errors goes on behind it');
  return code;
}

const mostListed = 20;

function tellFailed(tasks: readonly SluiceMap.FailedTask[]): number {
  const count = tasks.length;
  const [what, needed] = count === 1 ? ['task', 'it'] : ['tasks', 'them'];
  stderr.line(`sluice: ${count} ${what} failed for good; all that does not need ${needed} is done`);
  for (const task of tasks.slice(0, mostListed)) stderr.line(`  ${task.what}: ${task.reason}`);
  if (count > mostListed) stderr.line(`  and ${count - mostListed} more`);
  stderr.line('the same command with --resume tries them again');
  return exitCodes.scriptError;
}

function rows(count: number): string {
  return `${withCommas(count)} row${count === 1 ? '' : 's'}`;
}
