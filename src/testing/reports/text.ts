// The report for people: a line for each test, the failures with their code behind them all, and the totals.

import { escapeControls } from '../../diagnostics/display.ts';
import { renderDiagnostic, renderPlaces, summarize } from '../../diagnostics/render.ts';
import type { Style } from '../../diagnostics/render.ts';
import type { Failure } from '../compare.ts';
import { writeEvents } from '../notation.ts';
import type { FileResult, TestResult } from '../results.ts';
import { hasFailed, totalsOf } from '../results.ts';
import { whySkipped } from '../tests.ts';
import { describeFrame } from './describe.ts';
import { differenceOf, isShort } from './difference.ts';

/** Of long stacks the rest is left out. */
const mostFrames = 12;

export interface TextStyle extends Style {
  readonly passed: (text: string) => string;
}

/** The lines of one file: its tests one by one where it has several, or one that is not the run of the file. */
export function fileLines(result: FileResult, style: TextStyle): readonly string[] {
  const { path, tests, skipped, ms } = result;
  const name = escapeControls(path);
  const note = result.updated === 0 ? '' : style.faint(` (${count(result.updated, 'comment')} updated)`);
  if (skipped.length === 0 && (tests.length === 0 || (tests.length === 1 && tests[0]!.test.kind === 'run')))
    return [`${mark(!hasFailed(result), style)} ${name}${time(ms, style)}${note}`];
  const width = Math.max(...[...tests.map(({ test }) => test), ...skipped].map(({ name: own }) => own.length));
  return [
    `${style.strong(name)}${note}`,
    ...tests.map(
      ({ test, failures, ms: own }) =>
        `  ${mark(failures.length === 0, style)} ${test.name.padEnd(width)}${time(own, style)}`,
    ),
    ...skipped.map((test) => `  ${style.warning('skip')} ${test.name.padEnd(width)}  ${whySkipped}`),
  ];
}

function mark(passed: boolean, style: TextStyle): string {
  return passed ? style.passed('ok  ') : style.error('FAIL');
}

function time(ms: number, style: Style): string {
  return style.faint(`  ${ms < 1000 ? `${ms.toFixed(ms < 10 ? 1 : 0)} ms` : `${(ms / 1000).toFixed(1)} s`}`);
}

/** All failures, and the totals. */
export function endLines(results: readonly FileResult[], ms: number, style: TextStyle): readonly string[] {
  const failed = results.filter(hasFailed);
  const lines = failed.flatMap((result) => [
    ...diagnosticLines(result, style),
    ...result.faults.flatMap((failure) => failureLines(result.path, null, failure, style)),
    ...result.tests.flatMap((test) =>
      test.failures.flatMap((failure) => failureLines(result.path, test, failure, style)),
    ),
  ]);
  const { files, passed, failed: failures, skipped, updated } = totalsOf(results);
  const parts = [
    style.passed(`${passed} passed`),
    ...(failures === 0 ? [] : [style.error(`${failures} failed`)]),
    ...(skipped === 0 ? [] : [style.warning(`${skipped} skipped`)]),
    ...(updated === 0 ? [] : [`${count(updated, 'comment')} updated`]),
  ];
  return ['', ...lines, `${parts.join(', ')} in ${count(files, 'file')}${time(ms, style)}`];
}

function diagnosticLines({ diagnostics }: FileResult, style: Style): string[] {
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  if (errors.length === 0) return [];
  return [
    ...errors.slice(0, 10).flatMap((diagnostic) => [renderDiagnostic(diagnostic, style), '']),
    summarize(errors),
    '',
  ];
}

/** A failure with its title and its code. */
function failureLines(path: string, result: TestResult | null, failure: Failure, style: TextStyle): string[] {
  const name = result === null || result.test.kind === 'run' ? '' : ` > ${result.test.name}`;
  const title = `${style.error('FAIL')} ${style.strong(`${escapeControls(path)}${name}`)}`;
  switch (failure.kind) {
    case 'values':
      return [title, ...renderPlaces(failure, style.error, style), ...comparison(failure, style), ''];
    case 'error': {
      const frames = failure.frames
        .slice(0, mostFrames)
        .map((frame) => `    at ${escapeControls(describeFrame(frame))}`);
      const more = failure.frames.length - frames.length;
      return [
        title,
        `${style.error(failure.type)}: ${escapeControls(failure.message)}`,
        ...frames,
        ...(more > 0 ? [`    … ${more} more`] : []),
        '',
      ];
    }
    case 'fault': {
      const { file } = failure.span;
      return [
        title,
        ...(file.text === '' ? [] : renderPlaces(failure, style.error, style)),
        escapeControls(failure.message),
        ...(failure.help === null ? [] : [`${style.strong('help:')} ${failure.help}`]),
        '',
      ];
    }
  }
}

function comparison({ expected, actual }: Failure & { readonly kind: 'values' }, style: TextStyle): string[] {
  if (isShort(expected, actual)) {
    const [left, right] = [writeEvents(expected), writeEvents(actual)].map((text) => (text === '' ? 'nothing' : text));
    return [`expected: ${style.passed(escapeControls(left!))}`, `  actual: ${style.error(escapeControls(right!))}`];
  }
  return [
    `${style.passed('- expected')}  ${style.error('+ actual')}`,
    ...differenceOf(expected, actual).map(({ sign, text }) => {
      const line = `${sign} ${escapeControls(text)}`;
      return sign === '-' ? style.passed(line) : sign === '+' ? style.error(line) : style.faint(line);
    }),
  ];
}

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}
