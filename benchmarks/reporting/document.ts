// What a report is made of, whatever it is written as: sections of paragraphs, tables and charts.

import type { Chart } from './charts.ts';

export interface Report {
  readonly title: string;
  readonly lead: string;
  readonly sections: readonly Section[];
}

export interface Section {
  readonly title: string;
  readonly blocks: readonly Block[];
}

export type Block =
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'table'; readonly table: Table }
  /** Drawn in a page only: all that is in a chart is in a table too. */
  | { readonly kind: 'charts'; readonly charts: readonly Chart[] };

export interface Table {
  readonly caption: string;
  readonly head: readonly string[];
  /** The first cell of each row names it. */
  readonly rows: readonly (readonly Cell[])[];
  /** Which columns hold words; the others hold numbers. */
  readonly wordy: readonly number[];
}

export type Cell = string | { readonly text: string; readonly verdict: 'met' | 'missed' };

export const paragraph = (text: string): Block => ({ kind: 'paragraph', text });

export const textOf = (cell: Cell): string => (typeof cell === 'string' ? cell : cell.text);
