// What an embedder is told with a StackOverflowError: how calls may nest deeper. A script hears nothing of it.

import { defaultDepth } from '../../src/language/settings.ts';
import { retold, ScriptError, tooDeep } from '../errors/errors.ts';

/** How much stack scripts have, in bytes; null where nobody can say. */
export interface Stacks {
  /** The stack of this thread, all of it. */
  readonly here: number | null;
  /** How deep calls may nest in a worker or a process if nothing is said, as `depthBytes` has it. */
  readonly isolated: number | null;
}

/** Of `depthBytes`, or of the engine, which has no room left. */
export type DepthBound = 'limit' | 'engine';

/** Gives the error with what can be done about it, if that is what it tells of. */
export type DepthHelp = (error: unknown, bound: DepthBound) => unknown;

/** `depthBytes` is the option; 0 leaves it to the engine. */
export function depthHelp(
  { here, isolated }: Stacks,
  depthBytes: number | null | undefined,
  isolation: 'none' | 'worker' | 'process',
): DepthHelp {
  const isHere = isolation === 'none';
  const limit = depthBytes ?? (isHere ? defaultDepth : (isolated ?? defaultDepth));
  const place = isHere ? 'this thread' : `a ${isolation}`;
  const room = !isHere || here === null ? '' : ` (${describeSize(here)})`;
  const elsewhere = !isHere || isolated === null ? '' : `; isolation: 'worker' allows ${describeSize(isolated)}`;
  const help = (bound: DepthBound): string => {
    const used = `they may use ${describeSize(limit)} of stack`;
    if (!isHere && isolated !== null)
      return limit > 0 && limit < isolated
        ? `${used}. limits.depthBytes allows up to ${describeSize(isolated)} in ${place}`
        : `they may use ${describeSize(Math.max(limit, isolated))} of stack in ${place}, and no option gives more`;
    return bound === 'limit' && limit > 0
      ? `${used}. limits.depthBytes allows more, as far as the stack of ${place}${room} goes${elsewhere}`
      : `the stack of ${place}${room} has no more room${elsewhere === '' ? ', and no option gives more' : elsewhere}`;
  };
  return (error, bound) =>
    ScriptError.is(error) && error.name === 'StackOverflowError' && error.message === tooDeep
      ? retold(error, `${tooDeep}: ${help(bound)}`)
      : error;
}

function describeSize(bytes: number): string {
  if (bytes >= 2 ** 20 && bytes % 2 ** 20 === 0) return `${bytes / 2 ** 20} MiB`;
  return bytes >= 1024 && bytes % 1024 === 0 ? `${bytes / 1024} KiB` : `${bytes} bytes`;
}
