// What running the tests of files gave: plain data for the reporters.

import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Failure } from './compare.ts';
import type { Test } from './tests.ts';

export interface TestResult {
  readonly test: Test;
  /** Empty if it passed. */
  readonly failures: readonly Failure[];
  /** Milliseconds. */
  readonly ms: number;
}

export interface FileResult {
  /** As it was named. */
  readonly path: string;
  readonly tests: readonly TestResult[];
  /** What looks like a test and is none: `whySkipped`. */
  readonly skipped: readonly Test[];
  /** What is wrong with the script; no test of a script with errors runs. */
  readonly diagnostics: readonly Diagnostic[];
  /** What is wrong with the file otherwise: it cannot be read, or says nothing that can be tested. */
  readonly faults: readonly Failure[];
  /** How many of its comments were rewritten. */
  readonly updated: number;
  readonly ms: number;
}

/** Whether nothing in the file was run, and nothing kept it from that. */
export function isWithoutTests({ tests, diagnostics, faults }: FileResult): boolean {
  return tests.length === 0 && diagnostics.length === 0 && faults.length === 0;
}

/** Whether anything in the file fails. */
export function hasFailed({ tests, diagnostics, faults }: FileResult): boolean {
  return (
    faults.length > 0 ||
    diagnostics.some(({ severity }) => severity === 'error') ||
    tests.some(({ failures }) => failures.length > 0)
  );
}

export interface Totals {
  readonly files: number;
  readonly passed: number;
  /** Tests that failed, and files whose tests could not be run. */
  readonly failed: number;
  readonly skipped: number;
  readonly updated: number;
}

export function totalsOf(results: readonly FileResult[]): Totals {
  const tests = results.flatMap((result) => result.tests);
  const failedTests = tests.filter(({ failures }) => failures.length > 0).length;
  const failedFiles = results.filter(
    ({ diagnostics, faults }) => faults.length > 0 || diagnostics.some(({ severity }) => severity === 'error'),
  ).length;
  return {
    files: results.length,
    passed: tests.length - failedTests,
    failed: failedTests + failedFiles,
    skipped: results.reduce((sum, { skipped }) => sum + skipped.length, 0),
    updated: results.reduce((sum, { updated }) => sum + updated, 0),
  };
}
