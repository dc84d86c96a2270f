// JUnit's XML, as the servers that run builds read it: a suite for each file, a case for each test.

import type { FileResult } from '../results.ts';
import { describeFailure } from './describe.ts';
import { pointsOf } from './points.ts';
import type { Point } from './points.ts';

export function junitReport(results: readonly FileResult[], ms: number): string {
  const suites = results.map((result) => ({ result, points: pointsOf(result) }));
  const all = suites.flatMap(({ points }) => points);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites${attributes({ name: 'sluice test', ...countsOf(all), time: seconds(ms) })}>`,
    ...suites.flatMap(({ result: { path, ms: own }, points }) => [
      `  <testsuite${attributes({ name: path, file: path, ...countsOf(points), time: seconds(own) })}>`,
      ...points.flatMap(caseLines),
      '  </testsuite>',
    ]),
    '</testsuites>',
  ].join('\n');
}

/** What did not happen as a comment says is a failure; whatever ended a test is an error. */
function countsOf(points: readonly Point[]): Record<string, number> {
  const failed = points.filter(({ failures }) => failures.length > 0);
  const errors = failed.filter(isError).length;
  const skipped = points.filter((point) => point.skipped !== null).length;
  return {
    tests: points.length,
    failures: failed.length - errors,
    errors,
    ...(skipped === 0 ? {} : { skipped }),
  };
}

function isError({ failures }: Point): boolean {
  return failures.some(({ kind }) => kind !== 'values');
}

function caseLines(point: Point): string[] {
  const { path, name, line, ms, failures, skipped } = point;
  const head = attributes({ name: name ?? path, classname: path, file: path, line, time: seconds(ms) });
  if (skipped !== null)
    return [`    <testcase${head}>`, `      <skipped${attributes({ message: skipped })}/>`, '    </testcase>'];
  if (failures.length === 0) return [`    <testcase${head}/>`];
  const described = failures.map(describeFailure);
  const tag = isError(point) ? 'error' : 'failure';
  const text = described
    .map(({ file, line: at, column, message, stack }) =>
      [`${file}:${at}:${column}: ${message}`, ...stack.map((frame) => `    at ${frame}`)].join('\n'),
    )
    .join('\n');
  return [
    `    <testcase${head}>`,
    `      <${tag}${attributes({ message: described[0]!.message, type: described[0]!.type })}>${escapeXml(text)}</${tag}>`,
    '    </testcase>',
  ];
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value)).replaceAll('\n', '&#10;')}"`)
    .join('');
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(6);
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** XML 1.0 has no way to write most control characters. */
export function escapeXml(text: string): string {
  return text
    .replace(/[&<>"]/g, (character) => entities[character]!)
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd');
}
