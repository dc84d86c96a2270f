// The report as a page that needs nothing but itself: style and charts are within it.

import { readFileSync } from 'node:fs';
import { drawChart } from './charts.ts';
import { textOf } from './document.ts';
import type { Block, Cell, Report, Table } from './document.ts';
import { escapeText } from './escape.ts';

const style = readFileSync(new URL('page.css', import.meta.url), 'utf8');

export function writePage({ title, lead, sections }: Report): string {
  const anchors = sections.map((section) => `<a href="#${anchor(section.title)}">${escapeText(section.title)}</a>`);
  const bodies = sections.map(
    (section) =>
      `<section id="${anchor(section.title)}">\n<h2>${escapeText(section.title)}</h2>\n${section.blocks.map(writeBlock).join('\n')}\n</section>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeText(title)}</title>
<style>
${style}</style>
</head>
<body>
<header>
<h1>${escapeText(title)}</h1>
<p class="lead">${escapeText(lead)}</p>
<nav aria-label="Sections">${anchors.join('\n')}</nav>
</header>
<main>
${bodies.join('\n')}
</main>
</body>
</html>
`;
}

function anchor(title: string): string {
  return title.toLowerCase().replaceAll(' ', '-');
}

function writeBlock(block: Block): string {
  switch (block.kind) {
    case 'paragraph':
      return `<p>${escapeText(block.text)}</p>`;
    case 'table':
      return writeTable(block.table);
    case 'charts':
      return `<div class="charts">\n${block.charts.map(drawChart).join('\n')}\n</div>`;
  }
}

function writeTable({ caption, head, rows, wordy }: Table): string {
  const kind = (at: number): string => (at === 0 || wordy.includes(at) ? ' class="words"' : '');
  const heads = head.map((name, at) => `<th scope="col"${kind(at)}>${escapeText(name)}</th>`);
  const lines = rows.map(
    (row) =>
      `<tr>${row.map((cell, at) => (at === 0 ? `<th scope="row" class="words">${escapeText(textOf(cell))}</th>` : `<td${kind(at)}>${writeCell(cell)}</td>`)).join('')}</tr>`,
  );
  return `<div class="scroll" tabindex="0" role="region" aria-label="${escapeText(caption)}"><table>
<caption>${escapeText(caption)}</caption>
<thead><tr>${heads.join('')}</tr></thead>
<tbody>
${lines.join('\n')}
</tbody>
</table></div>`;
}

function writeCell(cell: Cell): string {
  return typeof cell === 'string' ? escapeText(cell) : `<span class="${cell.verdict}">${escapeText(cell.text)}</span>`;
}
