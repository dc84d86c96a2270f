// The options of one run, and the signal among them.

import { HostError } from '../errors/errors.ts';
import { checkOptionKinds, ownOptions } from '../primordials/own-options.ts';
import type { RunOptions } from './script-types.ts';

/** Throws HostError. */
export function readRunOptions(given: RunOptions | undefined): RunOptions {
  const options = ownOptions(given, 'the options of a run');
  for (const name of Object.keys(options))
    if (name !== 'signal')
      throw new HostError(
        `a run has no option ${name}: there is signal; limits and all others are those of loadScript`,
      );
  checkOptionKinds(options, { signal: { takes: isSignal, what: 'an AbortSignal' } });
  return options;
}

/** Libraries and other realms have classes of their own. */
function isSignal(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { aborted, addEventListener, removeEventListener } = value as Partial<AbortSignal>;
  return (
    typeof aborted === 'boolean' && typeof addEventListener === 'function' && typeof removeEventListener === 'function'
  );
}

/** Calls back once, at once if it was aborted before. Returns a function that stops listening. */
export function whenAborted(signal: AbortSignal, abort: (reason: unknown) => void): () => void {
  const hear = (): void => abort(signal.reason);
  if (signal.aborted) {
    hear();
    return () => {};
  }
  signal.addEventListener('abort', hear);
  return () => signal.removeEventListener('abort', hear);
}
