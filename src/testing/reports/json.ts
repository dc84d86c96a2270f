// The report for programs as one JSON object.

import type { FileResult } from '../results.ts';
import { totalsOf } from '../results.ts';
import { describeFailure } from './describe.ts';
import { pointsOf } from './points.ts';

export function jsonReport(results: readonly FileResult[], ms: number): string {
  const points = results.flatMap(pointsOf);
  const ran = points.filter(({ skipped }) => skipped === null);
  return JSON.stringify({
    tests: ran.map(({ path, name, line, column, ms: own, failures }) => ({
      file: path,
      name,
      line,
      column,
      ms: rounded(own),
      passed: failures.length === 0,
      failures: failures.map(describeFailure),
    })),
    skipped: points
      .filter(({ skipped }) => skipped !== null)
      .map(({ path, name, line, column, skipped }) => ({ file: path, name, line, column, reason: skipped })),
    totals: { ...totalsOf(results), ms: rounded(ms) },
  });
}

/** To the microsecond. */
function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
