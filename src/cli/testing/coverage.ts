// `--coverage`: what there is to say of the code that the tests of all files have run.

import { mkdirSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { parse } from '../../1-parse/parse.ts';
import type { SyntaxTokenKind } from '../../1-parse/syntax-tree.ts';
import { formatPercent, mergeCoverage, percentOf, summaryOf, totalOf } from '../../coverage/coverage.ts';
import type { FileCoverage } from '../../coverage/coverage.ts';
import { htmlReport } from '../../coverage/reports/html.ts';
import type { Paint } from '../../coverage/reports/html.ts';
import { lcovReport } from '../../coverage/reports/lcov.ts';
import { coverageTable } from '../../coverage/reports/text.ts';
import type { TableStyle } from '../../coverage/reports/text.ts';
import { DiagnosticSink } from '../../diagnostics/diagnostic.ts';
import { escapeControls } from '../../diagnostics/display.ts';
import { createSourceFile } from '../../source.ts';
import { UsageError } from '../exit.ts';
import { reasonOf, writeFiles } from '../files.ts';
import type { CoverageOptions } from './coverage-options.ts';

export interface CoverageReport {
  /** For people. */
  readonly lines: readonly string[];
  /** Why the tests are not enough; null if they are. */
  readonly fault: string | null;
}

/** Writes `lcov.info` and the pages, and gives what is printed. Throws UsageError. */
export function reportCoverage(
  tested: readonly FileCoverage[],
  { folder, least }: CoverageOptions,
  style: TableStyle,
): CoverageReport {
  const files = mergeCoverage(tested.map((file) => ({ ...file, path: fromHere(file.path) })));
  const pages = htmlReport(files, paintOf).map(({ path, content }) => ({ path: join(folder, 'html', path), content }));
  const written = [{ path: join(folder, 'lcov.info'), content: lcovReport(files) }, ...pages];
  for (const place of new Set(written.map(({ path }) => dirname(path)))) makeFolder(place);
  writeFiles(written);
  const { lines } = totalOf(files.map(summaryOf));
  const index = join(folder, 'html', 'index.html');
  return {
    lines: [...coverageTable(files, style), style.faint(`${escapeControls(index)} shows them line by line`)],
    fault:
      least === null || percentOf(lines) >= least
        ? null
        : `${formatPercent(lines)} % of the lines are covered, and --coverage-min asks for ${least} %`,
  };
}

/** The same for each way to the file. */
function fromHere(path: string): string {
  return relative('.', resolve(path)).split(sep).join('/');
}

/** Throws UsageError. */
export function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    const { code } = error as { code?: string };
    const isFile = code === 'ENOTDIR' || code === 'EEXIST';
    throw new UsageError(
      `cannot make ${escapeControls(path)}: ${isFile ? 'there is a file of that name' : reasonOf(code)}`,
      'test',
    );
  }
}

const painted: Partial<Record<SyntaxTokenKind, string>> = {
  'line-comment': 'comment',
  'block-comment': 'comment',
  keyword: 'keyword',
  string: 'string',
  'template-start': 'string',
  'template-text': 'string',
  'template-end': 'string',
  number: 'literal',
};

function paintOf({ path, text }: FileCoverage): readonly Paint[] {
  const { tokens } = parse(createSourceFile(path, text), new DiagnosticSink());
  return tokens.flatMap(({ kind, start, end }) => {
    const colour = painted[kind];
    return colour === undefined ? [] : [{ start, end, kind: colour }];
  });
}
