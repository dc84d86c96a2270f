// The table for people: a row for each file with what its tests have not reached.

import { escapeControls } from '../../diagnostics/display.ts';
import type { Style } from '../../diagnostics/render.ts';
import { createSourceFile } from '../../source.ts';
import { formatPercent, lineAt, linesOf, missedOutcomes, percentOf, summaryOf, totalOf } from '../coverage.ts';
import type { FileCoverage, Share } from '../coverage.ts';

export interface TableStyle extends Style {
  readonly passed: (text: string) => string;
}

interface Row {
  readonly name: string;
  readonly lines: Share;
  readonly branches: Share;
  readonly missing: string;
}

/** Nothing where no file was covered. */
export function coverageTable(files: readonly FileCoverage[], style: TableStyle): readonly string[] {
  if (files.length === 0) return ['', 'coverage: these tests have no code but their own'];
  const rows: readonly Row[] = [
    ...files.map((file) => ({ name: escapeControls(file.path), ...summaryOf(file), missing: describeMissing(file) })),
    ...(files.length === 1 ? [] : [{ name: 'all files', ...totalOf(files.map(summaryOf)), missing: '' }]),
  ];
  const width = Math.max(...rows.map(({ name }) => name.length), 4);
  const head = style.faint(`${'file'.padEnd(width)}     lines  branches  never reached`);
  return [
    '',
    head,
    ...rows.map(({ name, lines, branches, missing }) =>
      [
        name.padEnd(width),
        painted(lines, 10, style),
        painted(branches, 10, style),
        missing === '' ? '' : `  ${missing}`,
      ].join(''),
    ),
  ];
}

/** Green from 80 % on, red below 50 %. */
function painted(share: Share, width: number, style: TableStyle): string {
  const text = `${formatPercent(share)} %`.padStart(width);
  const percent = percentOf(share);
  if (percent >= 80) return style.passed(text);
  return percent < 50 ? style.error(text) : style.warning(text);
}

/** Lines that nothing reached, as ranges of those with code; and the lines that were reached where a branch was not. */
function describeMissing(file: FileCoverage): string {
  const lines = linesOf(file);
  const source = createSourceFile(file.path, file.text);
  const isMissed = (line: number): boolean => lines.get(line) === 0n;
  const inBranches = missedOutcomes(file).map(({ start }) => lineAt(source, start));
  const ofBranches = [...new Set(inBranches)].filter((line) => !isMissed(line)).toSorted((a, b) => a - b);
  return [
    ...rangesOf([...lines.keys()], isMissed),
    ...(ofBranches.length === 0
      ? []
      : [`${ofBranches.length === 1 ? 'a branch' : 'branches'} in ${ofBranches.join(', ')}`]),
  ].join(', ');
}

/** Lines without code between two of a range belong to it. */
function rangesOf(lines: readonly number[], isIn: (line: number) => boolean): readonly string[] {
  const ranges: { readonly first: number; last: number }[] = [];
  let open: { readonly first: number; last: number } | null = null;
  for (const line of lines) {
    if (!isIn(line)) open = null;
    else if (open !== null) open.last = line;
    else {
      open = { first: line, last: line };
      ranges.push(open);
    }
  }
  return ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`));
}
