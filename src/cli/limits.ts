// `--max-time` and the other limits: what a run may use.

import type { LimitOptions, ScriptError, ScriptOptions } from '../../runtime-host/api/node.ts';
import { quote } from '../language/quoted-text.ts';
import { valueOf } from './command.ts';
import type { CommandInput, Option, OptionGroup } from './command.ts';
import { UsageError } from './exit.ts';
import { readByteSize } from '../../runtime-host/permissions/command-line/byte-size.ts';

type Name =
  | 'max-time'
  | 'max-memory'
  | 'max-depth'
  | 'max-fuel'
  | 'max-output'
  | 'max-input'
  | 'max-written'
  | 'max-requests';

interface LimitFlag {
  readonly value: string;
  readonly summary: string;
  readonly limit: Exclude<keyof LimitOptions, 'onLimit' | 'most'>;
  /** The value of the text; null if it is not valid. */
  readonly read: (text: string) => number | null;
  readonly takes: string;
  /** The default of the flag; null for the default of the module or its worker. */
  readonly usual: number | null;
  /** For a limit that holds without a flag: the error that it raises. */
  readonly error?: string;
}

const number = { value: 'N', read: readCount, takes: 'a whole number' } as const;
const size = { value: 'SIZE', read: readByteSize, takes: 'a number of bytes, or a size such as 64MiB' } as const;

const flags: Readonly<Record<Name, LimitFlag>> = {
  'max-time': {
    value: 'SECONDS',
    summary: 'How long a run may take; 60 if left out.',
    limit: 'timeMs',
    read: readSeconds,
    takes: 'a number of seconds',
    usual: 60_000,
    error: 'TimeoutError',
  },
  'max-memory': {
    ...size,
    summary: 'How much memory a run may use; 1GiB if left out.',
    limit: 'memoryBytes',
    usual: 2 ** 30,
    error: 'MemoryLimitError',
  },
  'max-depth': {
    ...size,
    summary:
      'How much stack nested calls may use, 88 bytes each and 8 a variable; ' +
      '16MiB if left out. Scripts may have 128MiB, built modules 16MiB.',
    limit: 'depthBytes',
    usual: null,
  },
  'max-fuel': {
    ...number,
    summary: 'How many calls and turns of loops there may be; any number if left out.',
    limit: 'fuel',
    usual: 0,
  },
  'max-output': {
    ...size,
    summary: 'How much a run may yield, as it is printed; any amount if left out.',
    limit: 'outputBytes',
    usual: 0,
  },
  'max-input': {
    ...size,
    summary: 'How much a run may read from files, servers and the rest of the host; any amount if left out.',
    limit: 'inputBytes',
    usual: 0,
  },
  'max-written': {
    ...size,
    summary: 'How much a run may write to files and send to servers; any amount if left out.',
    limit: 'writtenBytes',
    usual: 0,
  },
  'max-requests': {
    ...number,
    summary: 'How many HTTP requests a run may make, redirects included; any number if left out.',
    limit: 'requests',
    usual: 0,
  },
};

const group: OptionGroup = { title: 'Limits', summary: 'what a run may use; 0 is no limit.' };

export const limitOptions: readonly Option[] = Object.entries(flags).map(([name, { value, summary }]) => ({
  name,
  value,
  summary,
  group,
}));

/** Throws UsageError for an invalid limit. */
export function readLimits(input: CommandInput, command: string): ScriptOptions {
  const limits = Object.entries(flags).flatMap(([name, { limit, read, takes, usual }]) => {
    const text = valueOf(input, name);
    if (text === undefined) return usual === null ? [] : [[limit, usual] as const];
    const value = read(text);
    if (value === null) throw new UsageError(`--${name} takes ${takes}, not ${quote(text)}`, command);
    return [[limit, value] as const];
  });
  return { limits: Object.fromEntries(limits) };
}

/** The text after an error of a limit that holds by default. */
export function usualLimitHelp({ name, message }: ScriptError, input: CommandInput): readonly string[] {
  const found = Object.entries(flags).find(
    ([flag, { error, usual }]) => error === name && usual !== null && usual > 0 && valueOf(input, flag) === undefined,
  );
  if (found === undefined || !message.startsWith('this run may not')) return [];
  const [flag, { value }] = found;
  return [`--${flag}=${value} allows another amount, and --${flag}=0 any`];
}

function readSeconds(text: string): number | null {
  const milliseconds = Number(text) * 1000;
  return /^\d+(\.\d+)?$/.test(text) && Number.isSafeInteger(Math.ceil(milliseconds)) ? milliseconds : null;
}

function readCount(text: string): number | null {
  return /^\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : null;
}
