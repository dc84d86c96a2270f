// `--coverage` and `--coverage-min`.

import { quote } from '../../language/quoted-text.ts';
import { valueOf } from '../command.ts';
import type { CommandInput } from '../command.ts';
import { UsageError } from '../exit.ts';

export interface CoverageOptions {
  /** Where the reports go. */
  readonly folder: string;
  /** At least so many lines of a hundred have to be covered; null if nothing is asked. */
  readonly least: number | null;
}

/** Null where coverage is not asked for. Throws UsageError. */
export function readCoverage(input: CommandInput): CoverageOptions | null {
  const least = readLeast(valueOf(input, 'coverage-min'));
  const folder = input.values.get('coverage')?.at(-1);
  if (folder === undefined && !input.switches.has('coverage') && least === null) return null;
  if (folder === '') throw new UsageError('--coverage= needs the name of a folder', 'test');
  return { folder: folder ?? 'coverage', least };
}

function readLeast(text: string | undefined): number | null {
  if (text === undefined) return null;
  const percent = /^\d{1,3}(?:\.\d+)?%?$/.test(text) ? Number.parseFloat(text) : Infinity;
  if (percent <= 100) return percent;
  throw new UsageError(`--coverage-min takes a number from 0 to 100, not ${quote(text)}`, 'test');
}
