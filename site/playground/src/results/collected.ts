// What a run has given so far: the values, and what the ways to show them make of these. It grows by batches and is
// never sorted or searched, so that a hundred thousand values are no more than their arrays.

import type { ShownValue, View } from '../engine/messages.ts';

export type Cell = number | string | null;

/** Beyond these values are counted, not kept. */
export const mostValues = 200_000;

/** Lines of a plot by name, with the points that they go along. */
export interface PlotData {
  readonly across: string;
  readonly xs: readonly number[];
  readonly lines: ReadonlyMap<string, readonly (number | null)[]>;
}

export interface TableData {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

export class Collected {
  views: readonly View[] = [];
  readonly values: ShownValue[] = [];
  /** With those that are not kept. */
  total = 0;
  readonly pictures: string[] = [];

  add(values: readonly ShownValue[]): void {
    this.total += values.length;
    for (const value of values.slice(0, Math.max(0, mostValues - this.values.length))) {
      this.values.push(value);
      if (this.viewOf(value).kind === 'svg' && isPicture(value.text)) this.pictures.push(value.text);
    }
  }

  viewOf({ view }: ShownValue): View {
    return this.views[view] ?? { kind: 'text' };
  }

  /** How values like these are best seen, by their types alone. */
  get best(): 'text' | 'table' | 'plot' | 'picture' {
    if (this.pictures.length > 0) return 'picture';
    const views = new Set(this.values.slice(0, 100).map((value) => this.viewOf(value)));
    const kinds = new Set([...views].map(({ kind }) => kind));
    const isDrawn = [...views].some(
      (view) => view.kind === 'lines' || (view.kind === 'series' && this.values.length > 1),
    );
    if (isDrawn && !kinds.has('text') && !kinds.has('svg')) return this.hasPoints ? 'plot' : 'text';
    return kinds.size === 1 && kinds.has('table') ? 'table' : 'text';
  }

  /** Whether there is a line to be seen: two points of one. */
  get hasPoints(): boolean {
    let points = 0;
    for (const value of this.values) {
      const view = this.viewOf(value);
      if (view.kind !== 'series' && view.kind !== 'lines') continue;
      points += view.extent === 'one' ? 1 : (value.value as { readonly length: number }).length;
      if (points > 1) return true;
    }
    return false;
  }

  get hasRows(): boolean {
    return this.values.some((value) => ['lines', 'table', 'series'].includes(this.viewOf(value).kind));
  }

  /** All numbers in the order of their coming, as lines by name. */
  plot(): PlotData {
    const across = this.#across();
    const xs: number[] = [];
    const lines = new Map<string, (number | null)[]>();
    const seriesCount = this.values.filter((value) => isWhole(this.viewOf(value))).length;
    let whole = 0;
    const put = (name: string, row: number, y: number | null): void => {
      let line = lines.get(name);
      if (line === undefined) lines.set(name, (line = []));
      while (line.length < row) line.push(null);
      line[row] = y;
    };
    for (const value of this.values) {
      const view = this.viewOf(value);
      if (view.kind === 'series' && view.extent === 'one') {
        const row = lines.get('value')?.length ?? 0;
        xs[row] ??= row;
        put('value', row, value.value as number);
      } else if (view.kind === 'series') {
        // Each array is a line from the left edge on.
        whole += 1;
        const name = seriesCount === 1 ? 'value' : `value ${whole}`;
        (value.value as Float64Array).forEach((y, row) => {
          xs[row] ??= row;
          put(name, row, y);
        });
      } else if (view.kind === 'lines') {
        const names = view.columns.map(({ name }) => name);
        for (const cells of value.value as readonly (readonly Cell[])[]) {
          const row = xs.length;
          const x = across === null ? row : cells[names.indexOf(across)];
          xs.push(typeof x === 'number' ? x : row);
          for (const name of view.lines) put(name, row, numberOrNull(cells[names.indexOf(name)]));
          if (across === null && view.across !== null)
            put(view.across, row, numberOrNull(cells[names.indexOf(view.across)]));
        }
      }
    }
    for (const line of lines.values()) while (line.length < xs.length) line.push(null);
    return sorted({ across: across ?? '#', xs, lines });
  }

  table(): TableData {
    const columns: string[] = [];
    const rows: Cell[][] = [];
    const place = new Map<string, number>();
    const put = (row: Cell[], name: string, cell: Cell): void => {
      let at = place.get(name);
      if (at === undefined) {
        at = columns.push(name) - 1;
        place.set(name, at);
      }
      row[at] = cell;
    };
    for (const value of this.values) {
      const view = this.viewOf(value);
      if (view.kind === 'lines' || view.kind === 'table') {
        for (const cells of value.value as readonly (readonly Cell[])[]) {
          const row: Cell[] = [];
          cells.forEach((cell, at) => put(row, view.columns[at]?.name ?? String(at), cell));
          rows.push(row);
        }
      } else if (view.kind === 'series' && view.extent === 'many') {
        const row: Cell[] = [];
        (value.value as Float64Array).subarray(0, 50).forEach((cell, at) => put(row, String(at), cell));
        rows.push(row);
      } else {
        const row: Cell[] = [];
        put(row, 'value', view.kind === 'series' ? (value.value as number) : value.text);
        rows.push(row);
      }
    }
    return { columns, rows };
  }

  /** The column that lines go along, if all that have lines agree on it. */
  #across(): string | null {
    const found = new Set(this.views.flatMap((view) => (view.kind === 'lines' ? [view.across] : [])));
    const isUsed = this.values.some((value) => this.viewOf(value).kind === 'series');
    return found.size === 1 && !isUsed ? [...found][0]! : null;
  }
}

function isPicture(text: string): boolean {
  // The same as `isPicture` of the package, which would bring the compiler into the page.
  return /^\s*<svg[\s>]/.test(text);
}

function isWhole(view: View): boolean {
  return view.kind === 'series' && view.extent === 'many';
}

function numberOrNull(cell: Cell | undefined): number | null {
  return typeof cell === 'number' && Number.isFinite(cell) ? cell : null;
}

/** Plots want rising points; where they are not, as with a list that begins anew, the order counts instead. */
function sorted({ across, xs, lines }: PlotData): PlotData {
  if (xs.every((x, at) => at === 0 || x >= xs[at - 1]!)) return { across, xs, lines };
  return { across: '#', xs: xs.map((_, at) => at), lines: new Map([[across, xs], ...lines]) };
}
