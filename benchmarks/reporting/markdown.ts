// The report as Markdown: words and tables.

import { textOf } from './document.ts';
import type { Block, Report, Table } from './document.ts';
import { escapeCell } from './escape.ts';

export function writeMarkdown({ title, lead, sections }: Report): string {
  const parts = sections.flatMap((section) => [`## ${section.title}`, ...section.blocks.flatMap(writeBlock)]);
  return `${[`# ${title}`, lead, 'The same with charts is in [index.html](index.html); every single time is in [results.json](results.json).', ...parts].join('\n\n')}\n`;
}

function writeBlock(block: Block): readonly string[] {
  if (block.kind === 'charts') return [];
  return [block.kind === 'paragraph' ? block.text : writeTable(block.table)];
}

function writeTable({ head, rows, wordy }: Table): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const rule = head.map((_, at) => (at === 0 || wordy.includes(at) ? '---' : '---:'));
  return [
    line(head.map(escapeCell)),
    line(rule),
    ...rows.map((row) => line(row.map((cell) => escapeCell(textOf(cell))))),
  ].join('\n');
}
