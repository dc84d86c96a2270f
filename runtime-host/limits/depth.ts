// The advice in a StackOverflowError for an embedder: how to allow deeper calls. The script does not see it.

import { defaultDepth } from '../../src/language/settings.ts';
import { retold, ScriptError, tooDeep } from '../errors/errors.ts';

/** The stack sizes of scripts in bytes; null if unknown. */
export interface Stacks {
  /** The size of this thread's whole stack. */
  readonly here: number | null;
  /** The default of `depthBytes` in a worker or a process. */
  readonly isolated: number | null;
}

/** What bounded the depth: `depthBytes`, or the engine's stack. */
export type DepthBound = 'limit' | 'engine';

/** Adds the advice to a StackOverflowError; returns other errors unchanged. */
export type DepthHelp = (error: unknown, bound: DepthBound) => unknown;

/** `depthBytes` is the option; 0 means that only the engine's stack is the limit. */
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
