// The results as one list of points: a point for each test and for each function that looks like one, and one for a
// file whose tests could not be run.

import { positionAt } from '../../source.ts';
import type { Failure } from '../compare.ts';
import type { FileResult } from '../results.ts';
import { whySkipped } from '../tests.ts';
import type { Test } from '../tests.ts';

export interface Point {
  readonly path: string;
  /** Null for the file itself. */
  readonly name: string | null;
  readonly line: number;
  readonly column: number;
  readonly ms: number;
  readonly failures: readonly Failure[];
  /** Why it was not run; null for what was. */
  readonly skipped: string | null;
}

export function pointsOf({ path, tests, skipped, diagnostics, faults, ms }: FileResult): readonly Point[] {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const ofFile: readonly Failure[] = [
    ...errors.map(({ span, code, type, message, help }): Failure => ({
      kind: 'fault',
      span,
      message: `${type} ${code}: ${message}`,
      help,
    })),
    ...faults,
  ];
  return [
    ...tests.map(({ test, failures, ms: own }) => ({ ...placed(path, test), ms: own, failures, skipped: null })),
    ...skipped.map((test) => ({ ...placed(path, test), ms: 0, failures: [], skipped: whySkipped })),
    ...(ofFile.length === 0 ? [] : [{ path, name: null, line: 1, column: 1, ms, failures: ofFile, skipped: null }]),
  ];
}

function placed(path: string, { name, place }: Test): Pick<Point, 'path' | 'name' | 'line' | 'column'> {
  const { line, column } = positionAt(place.file, place.start);
  return { path, name, line, column };
}
