// The limits as a script sees them: which error each raises, with which message, and how much the clause that catches
// it may still use.

import type { LimitKind } from './options.ts';

/** Why a run must end: an error type of the language, and its message. */
export interface Refusal {
  readonly type: 'QuotaExceededError' | 'TimeoutError' | 'MemoryLimitError';
  readonly message: string;
}

interface Rule {
  readonly type: Refusal['type'];
  readonly describe: (limit: number) => string;
  /** How much the clause that catches the error may use beyond the limit. */
  readonly grace: number;
}

const count = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 0 });

export const rules: Readonly<Record<LimitKind, Rule>> = {
  fuel: {
    type: 'QuotaExceededError',
    describe: (limit) => `use more than ${count(limit)} calls and turns of loops`,
    grace: 100_000,
  },
  timeMs: { type: 'TimeoutError', describe: (limit) => `take longer than ${describeTime(limit)}`, grace: 100 },
  memoryBytes: {
    type: 'MemoryLimitError',
    describe: (limit) => `use more memory than ${describeBytes(limit)}`,
    grace: 1 << 20,
  },
  outputItems: {
    type: 'QuotaExceededError',
    describe: (limit) => `yield more than ${count(limit)} values`,
    grace: 100,
  },
  outputBytes: {
    type: 'QuotaExceededError',
    describe: (limit) => `yield more than ${describeBytes(limit)}`,
    grace: 65_536,
  },
  unreadItems: {
    type: 'QuotaExceededError',
    describe: (limit) => `yield more than ${count(limit)} values that nobody has read`,
    grace: 100,
  },
  unreadBytes: {
    type: 'QuotaExceededError',
    describe: (limit) => `yield more than ${describeBytes(limit)} that nobody has read`,
    grace: 65_536,
  },
  inputBytes: {
    type: 'QuotaExceededError',
    describe: (limit) => `read more than ${describeBytes(limit)}`,
    grace: 65_536,
  },
  writtenBytes: {
    type: 'QuotaExceededError',
    describe: (limit) => `write and send more than ${describeBytes(limit)}`,
    grace: 65_536,
  },
  requests: { type: 'QuotaExceededError', describe: (limit) => `make more than ${count(limit)} requests`, grace: 10 },
};

function describeTime(milliseconds: number): string {
  return milliseconds < 1000 ? `${count(milliseconds)} ms` : `${Number((milliseconds / 1000).toFixed(3))} s`;
}

function describeBytes(bytes: number): string {
  const units = [
    [1 << 30, 'GiB'],
    [1 << 20, 'MiB'],
    [1 << 10, 'KiB'],
  ] as const;
  const [size, name] = units.find(([unit]) => bytes >= unit && bytes % unit === 0) ?? [1, 'bytes'];
  return `${count(bytes / size)} ${name}`;
}

/** The error for a run that has reached a limit. */
export function describeRefusal(kind: LimitKind, limit: number): string {
  return `this run may not ${rules[kind].describe(limit)}`;
}
