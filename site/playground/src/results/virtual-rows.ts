// A list of which only the rows in sight are elements, so that a hundred thousand cost as much as twenty. All rows are
// of one height.

import { element } from '../page/element.ts';

export interface RowSource {
  readonly count: () => number;
  readonly row: (index: number) => HTMLElement;
}

/** Browsers do not lay out elements of more pixels. */
const tallest = 8_000_000;
const margin = 12;

export class VirtualRows {
  readonly root: HTMLElement;
  readonly #space: HTMLElement;
  readonly #source: RowSource;
  readonly #rowHeight: number;
  #from = -1;
  #to = -1;
  #follows = true;

  constructor(source: RowSource, options: { readonly rowHeight: number; readonly label: string; role?: string }) {
    const { rowHeight, label, role } = options;
    this.#source = source;
    this.#rowHeight = rowHeight;
    this.#space = element('div', { class: 'rows-space' });
    // Who moves through it by keyboard needs the focus in it.
    this.root = element('div', { class: 'rows', tabindex: 0, role: role ?? 'group', 'aria-label': label }, this.#space);
    this.root.addEventListener('scroll', () => this.#draw(false), { passive: true });
    this.root.addEventListener('wheel', () => this.#noteFollowing(), { passive: true });
    this.root.addEventListener('keydown', () => this.#noteFollowing());
    this.root.addEventListener('pointerup', () => this.#noteFollowing());
    new ResizeObserver(() => this.#draw(false)).observe(this.root);
  }

  /** How many rows can be shown. */
  static most(rowHeight: number): number {
    return Math.floor(tallest / rowHeight);
  }

  /** Draws what has changed; stays at the end if it was there. */
  update(): void {
    this.#space.style.height = `${this.#source.count() * this.#rowHeight}px`;
    if (this.#follows) this.root.scrollTop = this.#source.count() * this.#rowHeight;
    this.#draw(true);
  }

  /** From the first row again. */
  reset(): void {
    this.#follows = true;
    this.root.scrollTop = 0;
    this.update();
  }

  /** Stays where it is, instead of at the end. */
  stay(): void {
    this.#follows = false;
  }

  #noteFollowing(): void {
    requestAnimationFrame(() => {
      const { scrollTop, scrollHeight, clientHeight } = this.root;
      this.#follows = scrollTop + clientHeight >= scrollHeight - 2 * this.#rowHeight;
    });
  }

  #draw(isForced: boolean): void {
    const { scrollTop, clientHeight } = this.root;
    const count = this.#source.count();
    const from = Math.max(0, Math.floor(scrollTop / this.#rowHeight) - margin);
    const to = Math.min(count, Math.ceil((scrollTop + clientHeight) / this.#rowHeight) + margin);
    if (!isForced && from === this.#from && to === this.#to) return;
    [this.#from, this.#to] = [from, to];
    const rows: HTMLElement[] = [];
    for (let index = from; index < to; index++) {
      const row = this.#source.row(index);
      row.style.top = `${index * this.#rowHeight}px`;
      rows.push(row);
    }
    this.#space.replaceChildren(...rows);
  }
}
