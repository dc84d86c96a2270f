// The results as one list of points: a point for each test, and one for a file whose tests could not be run.

import { positionAt } from '../../source.ts';
import type { Failure } from '../compare.ts';
import type { FileResult } from '../results.ts';

export interface Point {
  readonly path: string;
  /** Null for the file itself. */
  readonly name: string | null;
  readonly line: number;
  readonly column: number;
  readonly ms: number;
  readonly failures: readonly Failure[];
}

export function pointsOf({ path, tests, diagnostics, faults, ms }: FileResult): readonly Point[] {
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
    ...tests.map(({ test, failures, ms: own }): Point => {
      const { line, column } = positionAt(test.place.file, test.place.start);
      return { path, name: test.name, line, column, ms: own, failures };
    }),
    ...(ofFile.length === 0 ? [] : [{ path, name: null, line: 1, column: 1, ms, failures: ofFile }]),
  ];
}
