// The report for programs as one JSON object.

import type { FileResult } from '../results.ts';
import { totalsOf } from '../results.ts';
import { describeFailure } from './describe.ts';
import { pointsOf } from './points.ts';

export function jsonReport(results: readonly FileResult[], ms: number): string {
  const { files, passed, failed, updated } = totalsOf(results);
  return JSON.stringify({
    tests: results.flatMap(pointsOf).map(({ path, name, line, column, ms: own, failures }) => ({
      file: path,
      name,
      line,
      column,
      ms: rounded(own),
      passed: failures.length === 0,
      failures: failures.map(describeFailure),
    })),
    totals: { files, passed, failed, updated, ms: rounded(ms) },
  });
}

/** To the microsecond. */
function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
