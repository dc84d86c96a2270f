// Functions of numbers alone, which a module calls as they are: what comes out of them is looked at, since the engine would
// make a number of anything. A closure for each count of arguments keeps the way short.

import type { Work } from '../../src/library/plugins.ts';
import type { UsedFunction } from './link.ts';

export interface DirectFaults {
  /** The function threw; throws what the script gets. */
  readonly failed: (error: unknown) => never;
  /** It returned something else; throws likewise. */
  readonly returned: (value: unknown) => never;
}

type Numeric = number | bigint | boolean;
type Method = { call(self: unknown, ...values: readonly unknown[]): unknown };

/** The import for a function; `self` is what it is called on. */
export function directImport(fn: UsedFunction, self: unknown, faults: DirectFaults): (...values: never[]) => unknown {
  const work: Work & Method = fn.work!;
  const take = takers[String(fn.returns)]!;
  const settle = (value: unknown): Numeric | void => {
    const taken = take(value);
    return taken === wrong ? faults.returned(value) : (taken as Numeric);
  };
  const fail = (error: unknown): never => {
    // Where the stack runs out, the script is what went too deep.
    if (error instanceof RangeError && /call stack/i.test(error.message)) throw error;
    return faults.failed(error);
  };
  const kinds = fn.parameters.map(({ type }) => (type === 'int' ? 'bigint' : 'number'));
  const [kindA, kindB, kindC] = kinds;
  const mayPassOn = fn.parameters.every(({ type }) => type !== 'boolean');
  const check = (isRight: boolean): void => {
    if (!isRight) throw new TypeError('the module passes what the function does not take');
  };
  // Each closure has a call of its own, so that the engine knows what it calls.
  switch (mayPassOn ? kinds.length : -1) {
    case 0:
      return () => {
        let value: unknown;
        try {
          value = work.call(self);
        } catch (error) {
          return fail(error);
        }
        return settle(value);
      };
    case 1:
      return (a: unknown) => {
        let value: unknown;
        try {
          check(typeof a === kindA);
          value = work.call(self, a);
        } catch (error) {
          return fail(error);
        }
        return settle(value);
      };
    case 2:
      return (a: unknown, b: unknown) => {
        let value: unknown;
        try {
          check(typeof a === kindA && typeof b === kindB);
          value = work.call(self, a, b);
        } catch (error) {
          return fail(error);
        }
        return settle(value);
      };
    case 3:
      return (a: unknown, b: unknown, c: unknown) => {
        let value: unknown;
        try {
          check(typeof a === kindA && typeof b === kindB && typeof c === kindC);
          value = work.call(self, a, b, c);
        } catch (error) {
          return fail(error);
        }
        return settle(value);
      };
    default:
      return (...wires: readonly unknown[]) => {
        let value: unknown;
        try {
          check(kinds.every((kind, at) => typeof wires[at] === kind));
          value = work.call(self, ...wires.map((wire, at) => (fn.parameters[at]!.type === 'boolean' ? wire !== 0 : wire)));
        } catch (error) {
          return fail(error);
        }
        return settle(value);
      };
  }
}

const wrong = Symbol('wrong');
const minInt = -(2n ** 63n);
const maxInt = 2n ** 63n - 1n;

/** The value as the module takes it, by the type that is returned; null stands for void. */
const takers: Readonly<Record<string, (value: unknown) => Numeric | undefined | typeof wrong>> = {
  double: (value) => (typeof value === 'number' ? value : wrong),
  boolean: (value) => (typeof value === 'boolean' ? value : wrong),
  int: (value) => {
    if (typeof value === 'bigint') return value >= minInt && value <= maxInt ? value : wrong;
    return Number.isSafeInteger(value) ? BigInt(value as number) : wrong;
  },
  null: (value) => (value instanceof Promise ? wrong : undefined),
};
