// The limits of a run, as the embedder gives them.

import { HostError } from '../errors/errors.ts';
import { ownOptions } from '../primordials/own-options.ts';
import { freeze } from '../primordials/untampered.ts';

/** The limits that can be extended during a run. */
export const limitKinds = [
  'fuel',
  'timeMs',
  'memoryBytes',
  'outputItems',
  'outputBytes',
  'unreadItems',
  'unreadBytes',
  'inputBytes',
  'writtenBytes',
  'requests',
] as const;
/** The name of a limit. */
export type LimitKind = (typeof limitKinds)[number];

/** The limits that count traffic of host calls. */
export const trafficKinds = ['inputBytes', 'writtenBytes', 'requests'] as const satisfies readonly LimitKind[];
export type TrafficKind = (typeof trafficKinds)[number];

/** Whole numbers above zero; an absent limit, null or 0 means no limit. */
export type LimitValues = { readonly [Kind in LimitKind]?: number | null };

/** The question of a run that has reached a limit: may it go on? */
export interface LimitRequest {
  readonly kind: LimitKind;
  /** How much was used, or will be. */
  readonly used: number;
  readonly limit: number;
  /** How often limits of this run have been extended before. */
  readonly times: number;
}

/** The answer of `onLimit`: how much more a run may use. */
export interface LimitExtension {
  /** Must be above the current limit; `most` bounds it. */
  readonly newLimit: number;
}

/**
 * What a run may use. `unreadItems` counts yielded values that nobody has read: a script that can wait for its reader
 * does so, and never reaches that limit. `inputBytes` counts the content of files, of answers of servers and of other
 * host calls, `writtenBytes` what goes to files and servers, `requests` the HTTP requests, redirects included. Fuel,
 * time, memory and depth cannot be limited in modules that were compiled without guards.
 */
export interface LimitOptions extends LimitValues {
  /**
   * Estimated bytes of the frames of nested calls: 64 for each call of a recursive function, and 8 for each of its
   * variables. The default is 524,288 in this thread, whose stack of about a megabyte is a limit in any case, and
   * 16,777,216 in a worker or process of Node; with 0 only the engine's stack is the limit, and no clause can catch its
   * error. The message of a StackOverflowError says which limit was reached.
   */
  readonly depthBytes?: number | null;
  /**
   * Called when a limit is reached, at most a hundred times a run. Any answer but an extension ends the run. If the
   * script runs in a worker, the answer may be a promise; elsewhere a script cannot wait in the middle of a loop, and a
   * promise ends the run.
   */
  readonly onLimit?: (
    request: LimitRequest,
  ) => LimitExtension | null | undefined | Promise<LimitExtension | null | undefined>;
  /** The upper bounds of extensions. */
  readonly most?: LimitValues;
}

/** The name of each limit in messages, and its unit. */
const wordsOf: Readonly<Record<LimitKind | 'depthBytes', string>> = {
  fuel: 'a number of calls and turns of loops',
  timeMs: 'a number of milliseconds',
  memoryBytes: 'a number of bytes',
  outputItems: 'a number of values',
  outputBytes: 'a number of bytes',
  unreadItems: 'a number of values',
  unreadBytes: 'a number of bytes',
  inputBytes: 'a number of bytes',
  writtenBytes: 'a number of bytes',
  requests: 'a number of requests',
  depthBytes: 'a number of bytes',
};

/** Throws HostError for an invalid option, which would otherwise be ignored. */
export function checkLimits(given: unknown): LimitOptions {
  if (typeof given !== 'object' || given === null)
    throw new HostError('the option limits is an object, such as { fuel: 1_000_000, timeMs: 1000 }');
  const options = ownOptions(given as LimitOptions, 'limits');
  checkNames(options, [...limitKinds, 'depthBytes'], ['onLimit', 'most']);
  const { onLimit, most: givenMost, ...values } = options;
  checkValues(values, 'limits');
  if (givenMost !== undefined && (typeof givenMost !== 'object' || givenMost === null))
    throw new HostError('limits.most is an object of limits, such as { fuel: 1_000_000 }');
  const most = ownOptions<LimitValues>(givenMost, 'limits.most');
  if (givenMost !== undefined) {
    checkNames(most, limitKinds);
    checkValues(most, 'limits.most');
  }
  if (onLimit !== undefined && typeof onLimit !== 'function')
    throw new HostError('limits.onLimit is a function that takes a request and answers { newLimit }, or nothing');
  return freeze(ownOptions<LimitOptions>({ ...options, most: freeze(most) }));
}

function checkNames(options: object, limits: readonly string[], others: readonly string[] = []): void {
  for (const name of Object.keys(options)) {
    if (![...limits, ...others].includes(name))
      throw new HostError(
        `there is no limit ${name}: there are ${limits.join(', ')}` +
          (others.length === 0 ? '' : `, and ${others.join(' and ')}`),
      );
  }
}

function checkValues(values: Readonly<Record<string, unknown>>, where: string): void {
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined || value === null) continue;
    if (typeof value !== 'number' || !(value >= 0))
      throw new HostError(`${where}.${name} is ${wordsOf[name as LimitKind] ?? 'no limit'}, above zero`);
  }
}
