// The random numbers and the clock of an embedder: loaded for scripts that do not use the engine's.

import { HostError } from '../errors/errors.ts';
import { describeThrown } from '../errors/failures.ts';
import type { Environment } from './execution.ts';

export type NumberSources = Pick<Environment, 'random' | 'clock'>;

/** Throws HostError for values that are neither a number nor a function. */
export function numberSources({ random = Math.random, clock = Date.now }: Partial<NumberSources>): NumberSources {
  if (typeof random !== 'function' && !Number.isFinite(random))
    throw new HostError('the option random is a seed, which is a number, or a function');
  if (typeof clock !== 'function' && !Number.isFinite(clock))
    throw new HostError('the option clock is a time in milliseconds, or a function');
  return {
    random: typeof random === 'function' ? checkedRandom(random) : random,
    clock: typeof clock === 'function' ? checkedClock(clock) : clock,
  };
}

/** Scripts rely on random numbers of at least 0 and below 1. */
function checkedRandom(random: () => number): () => number {
  if (random === Math.random) return random;
  return () => {
    const value = random();
    if (typeof value === 'number' && value >= 0 && value < 1) return value;
    throw new HostError(
      `the function given as random answered ${describeThrown(value)}: it must be at least 0 and below 1`,
    );
  };
}

function checkedClock(clock: () => number): () => number {
  if (clock === Date.now) return clock;
  return () => {
    const value = clock();
    if (Number.isFinite(value)) return value;
    throw new HostError(
      `the function given as clock answered ${describeThrown(value)}: it must be a number of milliseconds`,
    );
  };
}
