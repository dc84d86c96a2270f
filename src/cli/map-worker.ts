// `sluice map-worker`: takes partitions and merges from a queue until it is told to end. The first signal lets it
// finish what it is at, the second ends it at once.

import type * as SluiceMap from '../../map/index.ts';
import { quote } from '../language/quoted-text.ts';
import { commandLine } from './command-line.ts';
import { valueOf } from './command.ts';
import type { CommandInput } from './command.ts';
import { exitCodes, UsageError } from './exit.ts';
import { loadMap } from './map-package.ts';
import { readAddress, readCount, readLimits, readPermissions, readQueue } from './map-values.ts';
import { stderr } from './output.ts';
import { withCommas } from './thousands.ts';

const command = 'map-worker';
const signals = ['SIGINT', 'SIGTERM'] as const;

export async function mapWorkerCommand(input: CommandInput): Promise<number> {
  const options = readOptions(input);
  const map = await loadMap(options.threads);
  try {
    const worker = await map.MapWorker.start(options);
    const port = worker.metricsPort;
    const at = port === null ? '' : `; metrics at port ${port}`;
    stderr.line(`takes partitions from ${shown(options.queue)}${at}`);
    return await work(worker);
  } catch (error) {
    if ((error as Error).name === 'MapError') throw new UsageError((error as Error).message);
    throw error;
  }
}

async function work(worker: SluiceMap.MapWorker): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = (): void => {
    resolve();
    stderr.line(`ends when what it is at is done (${worker.active}); a second signal ends it at once`);
    for (const signal of signals) process.once(signal, endAtOnce);
  };
  for (const signal of signals) process.once(signal, end);
  try {
    await Promise.race([promise, worker.broken]);
  } catch (error) {
    stderr.line(`sluice: ${(error as Error).message}`);
    stderr.flush();
    // A thread that does not answer cannot be ended; whoever watches the process starts another.
    endAtOnce();
  }
  await worker.close();
  for (const signal of signals) process.off(signal, end).off(signal, endAtOnce);
  return exitCodes.fine;
}

/** Threads in the middle of their work let a process end in no other way. */
function endAtOnce(): void {
  process.kill(process.pid, 'SIGKILL');
}

function readOptions(input: CommandInput): SluiceMap.MapWorkerOptions {
  const lists = { trust: 'FILE', 'allow-input': 'DIR', 'allow-output': 'DIR' } as const;
  const queue = readQueue(input, command);
  const missing = [
    ...(queue === undefined ? ['--queue URL'] : []),
    ...Object.entries(lists).flatMap(([name, value]) => (input.values.has(name) ? [] : [`--${name} ${value}`])),
  ];
  if (missing.length > 0)
    throw new UsageError(
      `sluice map-worker needs ${missing.join(' and ')}`,
      command,
      commandLine(
        command,
        '--queue',
        'redis://localhost',
        '--trust',
        'job.pub',
        '--allow-input',
        'in',
        '--allow-output',
        'out',
      ),
    );
  const threads = readCount(input, command, 'threads');
  const graceMs = milliseconds(input, 'grace');
  const lockMs = milliseconds(input, 'lock-time', 1);
  const metrics = readAddress(input, command, 'metrics-port');
  return {
    queue: queue!,
    trust: input.values.get('trust')!,
    allowInput: input.values.get('allow-input')!,
    allowOutput: input.values.get('allow-output')!,
    limits: readLimits(input, command),
    permissions: readPermissions(input),
    telemetry: input.switches.has('telemetry'),
    onEvent: tell,
    ...(threads === undefined ? {} : { threads }),
    times: {
      ...(graceMs === undefined ? {} : { graceMs }),
      ...(lockMs === undefined ? {} : { lockMs, stalledMs: Math.ceil(lockMs / 3) }),
    },
    ...(metrics === undefined ? {} : { metrics }),
  };
}

function milliseconds(input: CommandInput, option: string, least = 0): number | undefined {
  const text = valueOf(input, option);
  if (text === undefined) return undefined;
  if (/^\d{1,6}(\.\d+)?$/.test(text) && Number(text) >= least) return Number(text) * 1000;
  throw new UsageError(
    `--${option} takes a number of seconds${least === 0 ? '' : `, at least ${least}`}, not ${quote(text)}`,
    command,
  );
}

function tell(event: SluiceMap.WorkerEvent): void {
  stderr.line(sentenceOf(event));
  stderr.flush();
}

const others: Readonly<Record<'committed' | 'same' | 'different', string>> = {
  committed: '',
  same: ', which another worker had committed',
  different: ', which another worker had committed WITH OTHER BYTES',
};

function sentenceOf(event: SluiceMap.WorkerEvent): string {
  switch (event.kind) {
    case 'done': {
      const { read, failed, outcome } = event.done;
      const failures = failed === 0 ? '' : `, ${withCommas(failed)} failed`;
      const records = isPartition(event.task) ? `${withCommas(read)} records${failures}, ` : '';
      return `${named(event.task)} of ${event.run}: ${records}${Math.round(event.ms)} ms${others[outcome]}`;
    }
    case 'givenWay':
      return `${named(event.task)}: another worker was faster, or the run is over`;
    case 'givenBack':
      return `${named(event.task)}: given back, for another worker`;
    case 'failed':
    case 'refused':
      return `${event.task === null ? 'a job' : named(event.task)} ${event.kind}: ${event.message}`;
    case 'queue':
      return `the queue: ${event.message}`;
  }
}

/** Partitions are known by their numbers alone. */
function named(task: string): string {
  return isPartition(task) ? `partition ${task}` : task;
}

function isPartition(task: string): boolean {
  return /^\d/.test(task);
}

/** Without what is secret in it. */
function shown(queue: string): string {
  const { protocol, host, pathname } = new URL(queue);
  return `${protocol}//${host}${pathname}`;
}
