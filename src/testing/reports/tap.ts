// TAP, the Test Anything Protocol, version 14: one point for each test, what failed as a YAML block behind it.

import { escapeControls } from '../../diagnostics/display.ts';
import type { Failure } from '../compare.ts';
import type { FileResult } from '../results.ts';
import { describeFailure } from './describe.ts';
import { pointsOf } from './points.ts';

export function tapReport(results: readonly FileResult[]): string {
  const points = results.flatMap(pointsOf);
  const lines = points.flatMap(({ path, name, failures, skipped, ms }, at) => {
    const title = `${path}${name === null ? '' : ` > ${name}`}`;
    const about = skipped === null ? `time=${ms.toFixed(3)}ms` : `SKIP ${skipped}`;
    const words = `${failures.length === 0 ? 'ok' : 'not ok'} ${at + 1} - ${plain(title)} # ${about}`;
    return [words, ...(failures.length === 0 ? [] : yamlOf(failures))];
  });
  return ['TAP version 14', `1..${points.length}`, ...lines].join('\n');
}

/** `#` would begin a directive. */
function plain(text: string): string {
  return escapeControls(text).replaceAll('\\', '\\\\').replaceAll('#', '\\#');
}

/** Texts as JSON strings, which YAML reads the same. */
function yamlOf(failures: readonly Failure[]): string[] {
  const [first, ...others] = failures.map(describeFailure);
  const { message, type, file, line, column, expected, actual, stack } = first!;
  const rows: [string, unknown][] = [
    ['message', message],
    ['severity', 'fail'],
    ['type', type],
    ['file', file],
    ['line', line],
    ['column', column],
    ...(expected === null
      ? []
      : ([
          ['expected', expected],
          ['actual', actual],
        ] as [string, unknown][])),
    ...(stack.length === 0 ? [] : ([['stack', stack]] as [string, unknown][])),
    ...(others.length === 0
      ? []
      : ([['others', others.map((one) => `${one.file}:${one.line}: ${one.message}`)]] as [string, unknown][])),
  ];
  return ['  ---', ...rows.map(([key, value]) => `  ${key}: ${JSON.stringify(value)}`), '  ...'];
}
