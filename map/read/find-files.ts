// The files of a map, by their paths and patterns.

import { accessSync, constants, globSync, readdirSync, statSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { quote, shellWord } from '../../src/language/quoted-text.ts';
import { MapError } from '../errors.ts';
import type { InputFile, InputFormat } from '../plan/plan.ts';

/** How names of files of Arrow end. */
export const arrowEnding = /\.(?:arrow|feather|arrows)$/i;

const endings: readonly (readonly [RegExp, InputFormat])[] = [
  [/\.(parquet|pq)$/i, 'parquet'],
  [/\.(csv|tsv)(\.gz|\.zst)?$/i, 'csv'],
  [/\.(ndjson|jsonl)(\.gz|\.zst)?$/i, 'ndjson'],
  [arrowEnding, 'arrow'],
];

/**
 * The files of patterns such as `in/*.parquet`, in the order of their names, without what lies in the output. Throws
 * MapError.
 */
export function findFiles(
  patterns: readonly string[],
  output: string,
): {
  readonly format: InputFormat;
  readonly files: readonly InputFile[];
} {
  const found = patterns.flatMap((pattern) => filesOf(pattern, output));
  // Each once, however it is spelt.
  const seen = new Set<string>();
  const paths = found.filter((path) => !seen.has(resolve(path)) && seen.add(resolve(path)));
  const formats = new Set(paths.map(formatOf));
  if (formats.size > 1) throw new MapError(`the input has files of several formats: ${[...formats].join(', ')}`);
  const files = paths.map((path): InputFile => {
    const { size, mtimeMs } = readable(path, () => {
      accessSync(path, constants.R_OK);
      return statSync(path);
    });
    return { path, bytes: size, modifiedMs: mtimeMs, rows: null };
  });
  return { format: [...formats][0]!, files };
}

function filesOf(pattern: string, output: string): readonly string[] {
  if (isFile(pattern)) return [pattern];
  const all = readable(pattern, () => globSync(pattern)).filter(isFile);
  const found = all.filter((path) => !isBelow(output, path)).sort();
  if (found.length > 0) return found;
  throw new MapError(
    all.length === 0
      ? noFile(pattern)
      : `all files of ${pattern} lie in the output ${output}, and what a run has written is no input of it`,
  );
}

/** What is said where a pattern has no files. Of a folder, the first file that can be read says what may be meant. */
function noFile(pattern: string): string {
  const found = statsOf(pattern);
  if (found === undefined) return `there is no file ${pattern}`;
  if (!found.isDirectory())
    return `${pattern} is a pipe or a device, and files are read more than once: write it to a file`;
  const ending = readable(pattern, () => readdirSync(pattern))
    .sort()
    .map((name) => endings.find(([known]) => known.test(name))?.[0].exec(name)?.[0])
    .find((found) => found !== undefined);
  return ending === undefined
    ? `${pattern} is a folder, and has no files that can be read`
    : `${pattern} is a folder: --input ${shellWord(quote(join(pattern, `*${ending}`)))} reads the files in it`;
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function isFile(path: string): boolean {
  return statsOf(path)?.isFile() === true;
}

function statsOf(path: string): Stats | undefined {
  return readable(path, () => statSync(path, { throwIfNoEntry: false }));
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'its name is too long',
  ENOENT: 'it has gone',
};

/** Throws MapError with the reason where a file or folder cannot be read. */
function readable<Result>(path: string, read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw new MapError(`cannot read ${path}: ${reasons[code] ?? code}`, { cause: error });
  }
}

function formatOf(path: string): InputFormat {
  const found = endings.find(([ending]) => ending.test(path));
  if (found !== undefined) return found[1];
  throw new MapError(
    `${path}: files for sluice map end in .parquet, .arrow, .feather, .csv, .tsv, .ndjson or .jsonl, ` +
      'the last four also with .gz or .zst behind that',
  );
}
