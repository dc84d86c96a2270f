// Plugin functions with numbers only, which a module calls directly: their results are checked, since the engine would
// convert anything to a number. There is one closure for each number of arguments, which keeps such calls fast.

import type { Work } from '../../src/library/plugins.ts';
import { isStackOverflow } from '../engine/engine-errors.ts';
import { disregard, isInstance } from '../primordials/untampered.ts';
import type { UsedFunction } from '../plugins/used-plugin.ts';
import type { PollInterval } from './poll-interval.ts';

export interface DirectFaults {
  /** Takes the error of a function; throws the script's error. */
  readonly failed: (error: unknown) => never;
  /** Takes an invalid result of a function; throws the script's error. */
  readonly returned: (value: unknown) => never;
}

type Method = { call(self: unknown, ...values: readonly unknown[]): unknown };

/** The import for a function, which calls `work` on `self`. Linking has checked the types of the arguments. */
export function directImport(
  fn: UsedFunction,
  work: Work & Method,
  self: unknown,
  pollInterval: PollInterval,
  faults: DirectFaults,
): (...values: never[]) => unknown {
  /** The `typeof` of results that are returned unchanged. */
  const plain = fn.returns === 'double' ? 'number' : fn.returns === 'boolean' ? 'boolean' : '';
  const settle = (value: unknown): unknown => {
    const taken =
      fn.returns === 'int' ? toInt(value) : fn.returns === null && !isInstance(value, Promise) ? undefined : wrong;
    disregard(value);
    return taken === wrong ? faults.returned(value) : taken;
  };
  const fail = (error: unknown): never => {
    // A stack overflow is the script's own fault: its calls are too deep.
    if (isStackOverflow(error)) throw error;
    return faults.failed(error);
  };
  const flags = fn.parameters.map(({ type }) => type === 'boolean');
  const [isAFlag, isBFlag, isCFlag] = flags;
  // Each closure has its own call expression, so that the engine can inline the function.
  switch (flags.length) {
    case 0:
      return () => {
        if (--pollInterval.left < 0) pollInterval.poll();
        let value: unknown;
        try {
          value = work.call(self);
        } catch (error) {
          return fail(error);
        }
        return typeof value === plain ? value : settle(value);
      };
    case 1:
      return (a: unknown) => {
        if (--pollInterval.left < 0) pollInterval.poll();
        let value: unknown;
        try {
          value = work.call(self, isAFlag ? a !== 0 : a);
        } catch (error) {
          return fail(error);
        }
        return typeof value === plain ? value : settle(value);
      };
    case 2:
      return (a: unknown, b: unknown) => {
        if (--pollInterval.left < 0) pollInterval.poll();
        let value: unknown;
        try {
          value = work.call(self, isAFlag ? a !== 0 : a, isBFlag ? b !== 0 : b);
        } catch (error) {
          return fail(error);
        }
        return typeof value === plain ? value : settle(value);
      };
    case 3:
      return (a: unknown, b: unknown, c: unknown) => {
        if (--pollInterval.left < 0) pollInterval.poll();
        let value: unknown;
        try {
          value = work.call(self, isAFlag ? a !== 0 : a, isBFlag ? b !== 0 : b, isCFlag ? c !== 0 : c);
        } catch (error) {
          return fail(error);
        }
        return typeof value === plain ? value : settle(value);
      };
    default:
      return (...wires: readonly unknown[]) => {
        if (--pollInterval.left < 0) pollInterval.poll();
        let value: unknown;
        try {
          value = work.call(self, ...wires.map((wire, at) => (flags[at] === true ? wire !== 0 : wire)));
        } catch (error) {
          return fail(error);
        }
        return typeof value === plain ? value : settle(value);
      };
  }
}

const wrong = Symbol('wrong');

function toInt(value: unknown): bigint | typeof wrong {
  if (typeof value === 'bigint') return BigInt.asIntN(64, value) === value ? value : wrong;
  return Number.isSafeInteger(value) ? BigInt(value as number) : wrong;
}
