// Pages for people: one with all files, and one for each, with its text. They load nothing and need no script; text of
// scripts is escaped.

import { createSourceFile, lineIndexAt } from '../../source.ts';
import type { SourceFile } from '../../source.ts';
import { formatPercent, linesOf, missedOutcomes, percentOf, summaryOf, totalOf } from '../coverage.ts';
import type { CountedOutcome, FileCoverage, Share, Summary } from '../coverage.ts';
import { css } from './html-style.ts';

/** A part of a text in a colour of its own, `comment`. */
export interface Paint {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
}

export interface Page {
  /** Relative to the folder of the report, with `/`. */
  readonly path: string;
  readonly content: string;
}

/** `paintOf` gives the parts of a text that are painted, in order, none of which overlaps another. */
export function htmlReport(
  files: readonly FileCoverage[],
  paintOf: (file: FileCoverage) => readonly Paint[] = () => [],
): readonly Page[] {
  const paths = pathsOf(files);
  const summaries = files.map(summaryOf);
  return [
    { path: 'index.html', content: indexPage(files, summaries, paths) },
    ...files.map((file, at) => ({
      path: paths[at]!,
      content: filePage(file, summaries[at]!, paths[at]!, paintOf(file)),
    })),
  ];
}

/** Each below the folder, whatever its file is called, and each another. */
function pathsOf(files: readonly FileCoverage[]): readonly string[] {
  const taken = new Set(['index.html']);
  return files.map(({ path }) => {
    const parts = path.split(/[/\\]/).filter((part) => part !== '' && part !== '.');
    const safe = parts.map((part) => (part === '..' ? '__' : part.replaceAll(/[^\p{L}\p{N}._-]/gu, '_'))).join('/');
    let name = `${safe}.html`;
    for (let again = 2; taken.has(name.toLowerCase()); again++) name = `${safe}-${again}.html`;
    taken.add(name.toLowerCase());
    return name;
  });
}

function page(title: string, body: readonly string[]): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(title)}</title>
<style>${css}</style>
${body.join('\n')}
</html>
`;
}

function indexPage(files: readonly FileCoverage[], summaries: readonly Summary[], paths: readonly string[]): string {
  const rows = files.map((file, at) => {
    const { lines, branches, functions } = summaries[at]!;
    const href = paths[at]!.split('/').map(encodeURIComponent).join('/');
    return (
      `<tr><th scope="row"><a href="${href}">${escape(file.path)}</a></th>` +
      `${[lines, branches, functions].map(cells).join('')}</tr>`
    );
  });
  return page('Coverage', [
    '<header><h1>Coverage</h1>',
    `${totals(totalOf(summaries))}</header>`,
    '<main><table class="files"><thead><tr><th scope="col">File</th>' +
      `${['Lines', 'Branches', 'Functions'].map((name) => `<th scope="col" colspan="2">${name}</th>`).join('')}</tr></thead>`,
    `<tbody>${rows.join('\n')}</tbody></table></main>`,
  ]);
}

function filePage(file: FileCoverage, summary: Summary, path: string, paint: readonly Paint[]): string {
  const up = '../'.repeat(path.split('/').length - 1);
  return page(`${file.path}: coverage`, [
    `<header><p><a href="${up}index.html">All files</a></p><h1>${escape(file.path)}</h1>`,
    `${totals(summary)}</header>`,
    `<main><table class="code"><tbody>${codeLines(file, paint).join('\n')}</tbody></table></main>`,
  ]);
}

function totals({ lines, branches, functions }: Summary): string {
  const one = (name: string, share: Share): string =>
    `<div class="${levelOf(share)}"><dt>${name}</dt><dd>${formatPercent(share)} % ` +
    `<small>${share.hit} of ${share.found}</small></dd></div>`;
  return `<dl>${one('Lines', lines)}${one('Branches', branches)}${one('Functions', functions)}</dl>`;
}

function cells(share: Share): string {
  const value = percentOf(share).toFixed(1);
  const bar = `<meter min="0" max="100" low="50" high="80" optimum="100" value="${value}"></meter>`;
  return `<td class="${levelOf(share)}">${bar} ${formatPercent(share)} %</td><td>${share.hit}/${share.found}</td>`;
}

function levelOf(share: Share): 'high' | 'medium' | 'low' {
  const percent = percentOf(share);
  if (percent >= 80) return 'high';
  return percent < 50 ? 'low' : 'medium';
}

function codeLines(file: FileCoverage, paint: readonly Paint[]): readonly string[] {
  const counts = linesOf(file);
  const source = createSourceFile(file.path, file.text);
  const missed = missedOutcomes(file);
  const notes = Map.groupBy(missed, ({ start }) => lineIndexAt(source, start));
  const faults = byLine(source, missed);
  const colours = byLine(source, paint);
  // Behind the last line feed there is no line.
  const starts = source.lineStarts.filter((start, at) => at === 0 || start < source.text.length);
  return starts.map((start, at) => {
    const end = source.lineStarts[at + 1] ?? source.text.length;
    const count = counts.get(at + 1);
    const state = count === undefined ? '' : count === 0n ? ' class="missed"' : ' class="hit"';
    const texts = [...new Set((notes.get(at) ?? []).map(({ missing }) => missing))];
    const note = texts.length === 0 ? '' : `<td class="note">${escape(texts.join('; '))}</td>`;
    return (
      `<tr${state} id="L${at + 1}"><td class="number"><a href="#L${at + 1}">${at + 1}</a></td>` +
      `<td class="count">${count === undefined ? '' : `${count}×`}</td>` +
      `<td><code>${lineText(source.text, start, end, colours.get(at) ?? [], faults.get(at) ?? [])}</code></td>${note}</tr>`
    );
  });
}

/** The parts that are on each line, by its index. */
function byLine<Part extends { readonly start: number; readonly end: number }>(
  source: SourceFile,
  parts: readonly Part[],
): ReadonlyMap<number, readonly Part[]> {
  const lines = new Map<number, Part[]>();
  for (const part of parts) {
    const last = lineIndexAt(source, Math.max(part.start, part.end - 1));
    for (let line = lineIndexAt(source, part.start); line <= last; line++) {
      const known = lines.get(line);
      if (known === undefined) lines.set(line, [part]);
      else known.push(part);
    }
  }
  return lines;
}

/** The line in pieces that are painted alike and miss the same. */
function lineText(
  text: string,
  start: number,
  end: number,
  colours: readonly Paint[],
  faults: readonly CountedOutcome[],
): string {
  const edges = [start, end, ...[...colours, ...faults].flatMap((part) => [part.start, part.end])];
  const cuts = [...new Set(edges)].filter((edge) => start <= edge && edge <= end).toSorted((a, b) => a - b);
  return cuts
    .slice(0, -1)
    .map((from, at) => {
      const piece = text.slice(from, cuts[at + 1]).replace(/\r?\n$/, '');
      if (piece === '') return '';
      const covers = (part: { readonly start: number; readonly end: number }): boolean =>
        part.start <= from && from < part.end;
      const colour = colours.find(covers);
      const painted = colour === undefined ? escape(piece) : `<span class="${colour.kind}">${escape(piece)}</span>`;
      const fault = faults.find(covers);
      return fault === undefined ? painted : `<mark title="${escape(fault.missing)}">${painted}</mark>`;
    })
    .join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escape(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character]!);
}
