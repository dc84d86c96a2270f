// The queue: BullMQ on Redis or on PostgreSQL. No other file knows its library.

import { setTimeout as sleep } from 'node:timers/promises';
import type * as BullMq from 'bullmq';
import type * as BullMqOtel from 'bullmq-otel';
import { MapError } from '../errors.ts';
import { loadPackages } from './packages.ts';
import { kindOf } from '../local/tasks.ts';
import type { Job } from './spec.ts';

/** Times of the queue in milliseconds, and how often a job is tried. */
export interface QueueTimes {
  /** A job whose worker has not been heard of for so long goes to another one. */
  readonly lockMs: number;
  /** How often workers look for such jobs. */
  readonly stalledMs: number;
  /** How often a job may be lost with its worker. */
  readonly maxStalled: number;
  /** How often a job is tried that fails. */
  readonly attempts: number;
  /** Between the first two tries; then twice as long, and so on. */
  readonly backoffMs: number;
}

export const usualTimes: QueueTimes = {
  lockMs: 30_000,
  stalledMs: 10_000,
  maxStalled: 3,
  attempts: 4,
  backoffMs: 1_000,
};

/** The queue's name, in Redis behind `bull:`. */
export const queueName = 'sluice-map';

/** What a worker tells about a job while it is at work. */
export interface Beat {
  readonly worker: string;
  readonly rows: number;
  /** Why the worker has left it to others; null where it is at work. */
  readonly refusal: string | null;
}

export interface ListedJob {
  /** The id of the task. */
  readonly task: string;
  readonly beat: Beat | null;
  /** Empty where it has not failed. */
  readonly reason: string;
}

/** Kinds of jobs, as the library calls them. */
type State = 'waiting' | 'delayed' | 'active' | 'failed';

interface Engine {
  readonly library: typeof BullMq;
  readonly connection: BullMq.ConnectionOptions;
  readonly backend: BullMq.BackendFactory | undefined;
  readonly telemetry: BullMq.Telemetry | undefined;
}

async function engineFor(url: string, isTraced: boolean): Promise<Engine> {
  const protocol = URL.canParse(url) ? new URL(url).protocol : '';
  const isRedis = protocol === 'redis:' || protocol === 'rediss:';
  if (!isRedis && protocol !== 'postgres:' && protocol !== 'postgresql:')
    throw new MapError(`--queue takes redis://…, rediss://… or postgres://…, ${notAddress(url)}`);
  const needed = ['bullmq', isRedis ? 'ioredis' : 'pg'];
  const library = await loadPackages<typeof BullMq>(`a queue at ${protocol}//`, needed);
  const telemetry = isTraced ? await tracing() : undefined;
  return {
    library,
    telemetry,
    connection: (isRedis
      ? { url, maxRetriesPerRequest: null }
      : { connectionString: url, migrate: true }) as BullMq.ConnectionOptions,
    backend: isRedis ? undefined : (library.createPostgresBackend as unknown as BullMq.BackendFactory),
  };
}

async function tracing(): Promise<BullMq.Telemetry> {
  const { BullMQOtel } = await loadPackages<typeof BullMqOtel>('--telemetry', ['bullmq-otel']);
  return new BullMQOtel({ tracerName: 'sluice-map' });
}

/** What was given instead of one: a host and a port read like a protocol and a path, and passwords are not told. */
function notAddress(url: string): string {
  if (/^[\w.-]+(?::\d{1,5})?$/.test(url)) return `not ${url}: did you mean redis://${url}?`;
  return url.includes('://') ? `not ${shown(url)}` : 'not what is no address';
}

/** An address without what is secret in it. */
export function shown(url: string): string {
  if (!URL.canParse(url)) return 'what is no address';
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}

/** The coordinator's end of the queue. */
export class JobQueue {
  readonly #queue: BullMq.Queue<Job>;
  readonly #times: QueueTimes;
  /** For the dashboard, which knows the library as well. */
  readonly raw: unknown;

  private constructor(queue: BullMq.Queue<Job>, times: QueueTimes) {
    this.#queue = queue;
    this.#times = times;
    this.raw = queue;
  }

  /** Throws MapError where there is no queue at the address. */
  static async open(url: string, times: QueueTimes, isTraced = false): Promise<JobQueue> {
    const { library, connection, backend, telemetry } = await engineFor(url, isTraced);
    const queue = new library.Queue<Job>(
      queueName,
      { connection, ...(telemetry === undefined ? {} : { telemetry }) },
      backend as never,
    );
    const { promise, reject } = Promise.withResolvers<never>();
    queue.on('error', reject);
    try {
      await Promise.race([queue.waitUntilReady(), promise]);
    } catch (error) {
      void queue.close().catch(() => {});
      throw new MapError(`cannot reach the queue at ${shown(url)}: ${reasonOf(error)}`, { cause: error });
    }
    // Later it is waited for, as the library does by itself.
    queue.on('error', () => {});
    promise.catch(() => {});
    return new JobQueue(queue, times);
  }

  /** Those that are there already are not added again. */
  async add(run: string, jobs: readonly Job[]): Promise<void> {
    const { attempts, backoffMs } = this.#times;
    await this.#queue.addBulk(
      jobs.map((job) => ({
        name: kindOf(job.task),
        data: job,
        opts: {
          jobId: idOf(run, job.task),
          attempts,
          backoff: { type: 'exponential', delay: backoffMs, jitter: 0.5 },
          removeOnComplete: true,
        },
      })),
    );
  }

  /** Jobs of a run, up to a number. */
  async list(run: string, states: readonly State[], most: number): Promise<readonly ListedJob[]> {
    const jobs = await this.#queue.getJobs([...states], 0, most - 1);
    const prefix = idOf(run, '');
    return jobs
      .filter((job) => job?.id?.startsWith(prefix))
      .map(({ id, progress, failedReason }) => ({
        task: id!.slice(prefix.length),
        beat: beatOf(progress),
        reason: failedReason ?? '',
      }));
  }

  /** Jobs of all runs that workers are at. */
  async activeCount(): Promise<number> {
    return this.#queue.getActiveCount();
  }

  /** Whether a worker is at a job of any run, and not only to find that it has to leave it to others. */
  async isAtWork(): Promise<boolean> {
    const jobs = await this.#queue.getJobs(['active'], 0, mostLooked - 1);
    return jobs.some((job) => job !== undefined && typeof beatOf(job.progress)?.refusal !== 'string');
  }

  /** Those that a worker is at stay. */
  async remove(run: string, tasks: Iterable<string>): Promise<void> {
    for (const task of tasks) await this.#queue.remove(idOf(run, task)).catch(() => 0);
  }

  /** Counts of jobs, as text for Prometheus. */
  async prometheus(): Promise<string> {
    return this.#queue.exportPrometheusMetrics();
  }

  async close(): Promise<void> {
    await closed(this.#queue);
  }
}

const mostLooked = 1_000;

function beatOf(progress: BullMq.JobProgress): Beat | null {
  return typeof progress === 'object' && 'worker' in progress ? (progress as Beat) : null;
}

/** The name of a job: the same, whoever adds it. */
function idOf(run: string, task: string): string {
  return `${run}-${task}`;
}

/** A job as a worker has it. */
export interface Taken {
  /** What was in the queue: anything. */
  readonly data: unknown;
  beat(beat: Beat): Promise<void>;
}

/** What comes of a job: `givenBack` is for another worker, and `refused` is for others alone. */
export type JobEnd = 'done' | 'givenBack' | 'refused';

/**
 * How long a worker that refused a job takes no other, so that others come first. The job is there again at once: the
 * worker that left it would know before others when a delay ends, and take it again. Each third time it waits, and
 * longer each time: on Redis it is the first in line again, and those behind it have to have their turn.
 */
const refusedMs = 500;
const longestRefusal = 30;
const delayedEach = 3;

/** The worker's end of the queue. */
export class JobReceiver {
  readonly #worker: BullMq.Worker<unknown>;

  private constructor(worker: BullMq.Worker<unknown>) {
    this.#worker = worker;
  }

  /**
   * Begins to take jobs, `slots` at a time. `work` throws what the job fails with; `isFinal` says of an error that no
   * further attempt would change it. `onError` hears of a queue that is gone, which is waited for.
   */
  static async open(
    url: string,
    options: {
      readonly name: string;
      readonly slots: number;
      readonly times: QueueTimes;
      readonly isTraced: boolean;
      readonly work: (taken: Taken) => Promise<JobEnd>;
      readonly isFinal: (error: unknown) => boolean;
      readonly onError: (error: Error) => void;
    },
  ): Promise<JobReceiver> {
    const { library, connection, backend, telemetry } = await engineFor(url, options.isTraced);
    const { lockMs, stalledMs, maxStalled } = options.times;
    const worker = new library.Worker<unknown>(
      queueName,
      async (job, token) => {
        let end: JobEnd;
        try {
          end = await options.work({
            data: job.data,
            beat: async (beat) => job.updateProgress({ ...beat }),
          });
        } catch (error) {
          const { name, message } = error as Error;
          if (options.isFinal(error)) throw new library.UnrecoverableError(`${name}: ${message}`);
          throw error;
        }
        if (end === 'done') return;
        if (end === 'refused' && job.attemptsStarted % delayedEach === 0) {
          await job.moveToDelayed(Date.now() + refusedMs * Math.min(job.attemptsStarted, longestRefusal), token);
          await sleep(refusedMs);
          throw new library.DelayedError();
        }
        await job.moveToWait(token);
        if (end === 'refused') await sleep(refusedMs);
        throw new library.WaitingError();
      },
      {
        connection,
        name: options.name,
        concurrency: options.slots,
        lockDuration: lockMs,
        stalledInterval: stalledMs,
        maxStalledCount: maxStalled,
        ...(telemetry === undefined ? {} : { telemetry }),
      },
      backend as never,
    );
    worker.on('error', options.onError);
    return new JobReceiver(worker);
  }

  /** Takes no further jobs. */
  async pause(): Promise<void> {
    await this.#worker.pause(true);
  }

  async close(): Promise<void> {
    await closed(this.#worker);
  }
}

const closingMs = 2_000;

/** A queue that is gone would be waited for: then its connections are given up. */
async function closed(end: BullMq.Queue<Job> | BullMq.Worker<unknown>): Promise<void> {
  if (!(await isDoneWithin(closingMs, end.close()))) await isDoneWithin(closingMs, end.disconnect());
}

/** Whether the work ends well, and in time; what it ends with later nobody hears. */
export async function isDoneWithin(milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, milliseconds, false);
  const done = work.then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([done, late]);
  } finally {
    clearTimeout(timer);
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return code ?? message;
}
