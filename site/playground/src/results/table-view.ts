// Values as a table: structs have a column for each field, arrays one for each place.

import { element } from '../page/element.ts';
import type { Cell, TableData } from './collected.ts';
import { VirtualRows } from './virtual-rows.ts';

const rowHeight = 26;
const mostColumns = 60;

export class TableView {
  readonly root: HTMLElement;
  readonly #head = element('div', { class: 'table-head', role: 'row' });
  readonly #list: VirtualRows;
  #data: TableData = { columns: [], rows: [] };
  #template = '';

  constructor() {
    this.#list = new VirtualRows(
      { count: () => this.#data.rows.length, row: (index) => this.#draw(index) },
      { rowHeight, label: 'Values as a table', role: 'table' },
    );
    this.#list.stay();
    this.#list.root.classList.add('table');
    this.#list.root.prepend(this.#head);
    this.root = this.#list.root;
  }

  show(data: TableData): void {
    const columns = data.columns.slice(0, mostColumns);
    this.#data = { columns, rows: data.rows };
    this.#template = `6ch ${columns.map((name, at) => `${widthOf(name, at, data)}ch`).join(' ')}`;
    const heads = columns.map((name) => element('span', { role: 'columnheader' }, name));
    this.#head.replaceChildren(element('span', { role: 'columnheader', class: 'row-number' }, '#'), ...heads);
    this.#head.style.gridTemplateColumns = this.#template;
    this.#list.root.setAttribute('aria-rowcount', String(data.rows.length));
    this.#list.update();
  }

  #draw(index: number): HTMLElement {
    const cells = this.#data.rows[index]!;
    const row = element(
      'div',
      { class: 'row table-row', role: 'row', 'aria-rowindex': index + 1 },
      element('span', { class: 'row-number', role: 'cell' }, String(index)),
      ...this.#data.columns.map((_, at) => cellOf(cells[at])),
    );
    row.style.gridTemplateColumns = this.#template;
    return row;
  }
}

function cellOf(cell: Cell | undefined): HTMLElement {
  const kind = typeof cell === 'number' ? 'number' : cell === null || cell === undefined ? 'none' : 'text';
  return element(
    'span',
    { role: 'cell', class: `cell-${kind}`, title: kind === 'text' ? String(cell) : null },
    textOf(cell),
  );
}

function textOf(cell: Cell | undefined): string {
  if (cell === undefined) return '';
  return typeof cell === 'number' && !Number.isInteger(cell) ? String(Number(cell.toPrecision(10))) : String(cell);
}

/** What the first rows need. */
function widthOf(name: string, at: number, { rows }: TableData): number {
  const texts = rows.slice(0, 100).map((cells) => textOf(cells[at]).length);
  return Math.min(Math.max(name.length, 4, ...texts) + 3, 40);
}
