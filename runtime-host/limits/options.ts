// The limits of a run, as the host's owner gives them.

import { HostError } from '../errors/errors.ts';
import { ownOptions } from '../primordials/own-options.ts';
import { freeze } from '../primordials/untampered.ts';

/** What can be extended while a run goes on. */
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
/** What a limit is of. */
export type LimitKind = (typeof limitKinds)[number];

/** What is counted of calls of the host. */
export const trafficKinds = ['inputBytes', 'writtenBytes', 'requests'] as const satisfies readonly LimitKind[];
export type TrafficKind = (typeof trafficKinds)[number];

/** Whole numbers above zero; what is left out, null or 0 is not limited. */
export type LimitValues = { readonly [Kind in LimitKind]?: number | null };

/** A limit has been reached: may the run go on? */
export interface LimitRequest {
  readonly kind: LimitKind;
  /** How much was used, or is about to be. */
  readonly used: number;
  readonly limit: number;
  /** How often limits of this run have been extended already. */
  readonly times: number;
}

/** How much more a run may use, as `onLimit` answers. */
export interface LimitExtension {
  /** Above the limit so far; `most` bounds it. */
  readonly newLimit: number;
}

/**
 * What a run may use. `unreadItems` are values that were yielded and that nobody has read: a script that can wait for
 * its reader does so, and never reaches that limit. `inputBytes` is what files, answers of servers and other calls of
 * the host hold,
 * `writtenBytes` what goes to files and servers, `requests` those over HTTP, redirects included. Modules that were
 * compiled without guards cannot be held to fuel, time, memory and depth.
 */
export interface LimitOptions extends LimitValues {
  /**
   * Bytes of frames, as they are estimated: 64 for each call of a function that can come back to itself, and 8 for
   * each of its variables. If left out or null it is 524,288 in this thread, whose stack of about a megabyte bounds it
   * in any case, and 16,777,216 in a worker or process of Node; with 0 the engine's stack is the limit, and no clause
   * takes its error. The message of a StackOverflowError says which of these it was.
   */
  readonly depthBytes?: number | null;
  /**
   * Asked when a limit is reached, at most a hundred times a run. Anything but an extension ends the run. A promise is
   * waited for where the script runs in a worker; elsewhere a script cannot wait in the midst of a loop, and a promise
   * is no extension.
   */
  readonly onLimit?: (
    request: LimitRequest,
  ) => LimitExtension | null | undefined | Promise<LimitExtension | null | undefined>;
  /** No extension goes beyond these. */
  readonly most?: LimitValues;
}

/** What each limit is called, and how much of it there may be. */
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

/** Throws HostError for what is no limit: otherwise it would mean something else than it says. */
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
