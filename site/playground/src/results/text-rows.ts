// Values as text, line by line as they came: how the command line prints them, with errors and the result at the end.

import type { Failure, Frame, ShownValue } from '../engine/messages.ts';
import { element } from '../page/element.ts';
import { VirtualRows } from './virtual-rows.ts';

const rowHeight = 22;
const mostRows = VirtualRows.most(rowHeight);

interface Row {
  readonly kind: 'value' | 'result' | 'error' | 'frame' | 'note';
  readonly text: string;
  /** The number of the value; null for further lines of one. */
  readonly number: number | null;
  readonly frame: Frame | null;
}

export class TextRows {
  readonly root: HTMLElement;
  readonly #list: VirtualRows;
  readonly #jump: (frame: Frame) => void;
  #rows: Row[] = [];
  #values = 0;

  constructor(jump: (frame: Frame) => void) {
    this.#jump = jump;
    this.#list = new VirtualRows(
      { count: () => this.#rows.length, row: (index) => this.#draw(this.#rows[index]!) },
      { rowHeight, label: 'Values as text', role: 'log' },
    );
    // The page says in a sentence what came: a reader that spoke each value would never end.
    this.#list.root.setAttribute('aria-live', 'off');
    this.root = this.#list.root;
  }

  clear(): void {
    this.#rows = [];
    this.#values = 0;
    this.#list.reset();
  }

  addValues(values: readonly ShownValue[]): void {
    for (const { text } of values) {
      if (this.#rows.length >= mostRows) break;
      this.#put('value', text, this.#values++);
    }
    this.#list.update();
  }

  addResult(result: ShownValue): void {
    this.#put('result', result.text, null);
    this.#list.update();
  }

  addNote(text: string): void {
    this.#put('note', text, null);
    this.#list.update();
  }

  addFailure({ name, message, frames }: Failure): void {
    this.#put('error', `${name}: ${message}`, null);
    for (const frame of frames)
      this.#rows.push({
        kind: 'frame',
        text: `at ${frame.function} (${frame.file}:${frame.line}:${frame.column})`,
        number: null,
        frame,
      });
    this.#list.update();
  }

  /** To be called when it comes into sight. */
  update(): void {
    this.#list.update();
  }

  #put(kind: Row['kind'], text: string, number: number | null): void {
    text
      .split('\n')
      .forEach((line, at) => this.#rows.push({ kind, text: line, number: at === 0 ? number : null, frame: null }));
  }

  #draw({ kind, text, number, frame }: Row): HTMLElement {
    const gutter = element(
      'span',
      { class: 'row-number', 'aria-hidden': 'true' },
      kind === 'result' ? '→' : String(number ?? ''),
    );
    const body =
      frame === null
        ? element('span', { class: 'row-text' }, text)
        : element('button', { class: 'row-text frame', type: 'button', onclick: () => this.#jump(frame) }, text);
    return element('div', { class: `row row-${kind}` }, gutter, body);
  }
}
