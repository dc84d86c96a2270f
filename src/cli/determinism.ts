// `--seed` and `--clock`: make random numbers and the time the same in every run.

import type { ScriptOptions } from '../../runtime-host/api/node.ts';
import { quote } from '../language/quoted-text.ts';
import { valueOf } from './command.ts';
import type { CommandInput, Option } from './command.ts';
import { UsageError } from './exit.ts';

export const determinismOptions: readonly Option[] = [
  {
    name: 'seed',
    value: 'N',
    summary: 'Let Math.random draw the same numbers in every run: a whole number chooses which.',
  },
  {
    name: 'clock',
    value: 'TIME',
    summary: 'Let Date.now always say this time: milliseconds since 1970, or a date such as 2026-03-01T12:00:00Z.',
  },
];

/** Throws UsageError for an invalid seed or time. */
export function readDeterminism(input: CommandInput, command: string): ScriptOptions {
  const seed = valueOf(input, 'seed');
  const clock = valueOf(input, 'clock');
  return {
    ...(seed === undefined ? {} : { random: readSeed(seed, command) }),
    ...(clock === undefined ? {} : { clock: readClock(clock, command) }),
  };
}

function readSeed(text: string, command: string): number {
  const seed = Number(text);
  if (/^-?\d+$/.test(text) && Number.isSafeInteger(seed)) return seed;
  throw new UsageError(`--seed takes a whole number, not ${quote(text)}`, command);
}

function readClock(text: string, command: string): number {
  const milliseconds = Number(text);
  if (/^-?\d+$/.test(text) && Number.isSafeInteger(milliseconds)) return milliseconds;
  const isDate = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/.test(text);
  const time = isDate && isDay(text.slice(0, 10)) ? Date.parse(text) : NaN;
  if (!Number.isNaN(time)) return time;
  throw new UsageError(
    `--clock takes milliseconds since 1970 or a date such as 2026-03-01T12:00:00Z, not ${quote(text)}`,
    command,
  );
}

/** Checks the day, since JavaScript reads 31 April as 1 May. */
function isDay(text: string): boolean {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
