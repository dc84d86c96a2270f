// The format of lcov (geninfo(1)), which editors and the services that watch coverage read: what each letter means is
// said there.

import { escapeControls } from '../../diagnostics/display.ts';
import { createSourceFile } from '../../source.ts';
import { isReached, lineAt, linesOf, summaryOf } from '../coverage.ts';
import type { FileCoverage } from '../coverage.ts';

export function lcovReport(files: readonly FileCoverage[]): string {
  return files.flatMap(recordOf).join('');
}

function recordOf(file: FileCoverage): readonly string[] {
  const source = createSourceFile(file.path, file.text);
  const { lines, branches, functions } = summaryOf(file);
  return [
    'TN:',
    `SF:${escapeControls(file.path)}`,
    ...file.functions.map(({ start, name }) => `FN:${lineAt(source, start)},${name}`),
    ...file.functions.map(({ name, count }) => `FNDA:${count},${name}`),
    `FNF:${functions.found}`,
    `FNH:${functions.hit}`,
    ...file.branches.flatMap((branch, block) => {
      const comesThere = isReached(file, branch);
      return branch.outcomes.map(
        ({ start, count }, at) => `BRDA:${lineAt(source, start)},${block},${at},${comesThere ? count : '-'}`,
      );
    }),
    `BRF:${branches.found}`,
    `BRH:${branches.hit}`,
    ...[...linesOf(file)].map(([line, count]) => `DA:${line},${count}`),
    `LF:${lines.found}`,
    `LH:${lines.hit}`,
    'end_of_record',
  ].map((line) => `${line}\n`);
}
