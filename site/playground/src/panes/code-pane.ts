// The generated code: how large each function is, and the module as WebAssembly text, which is made when somebody wants
// to see it.

import type { Compiled } from '../engine/messages.ts';
import type { FunctionSize } from '../engine/vocabulary.ts';
import { bytes, count, duration, element } from '../page/element.ts';
import { VirtualRows } from '../results/virtual-rows.ts';

export class CodePane {
  readonly #summary: HTMLElement;
  readonly #sizes: HTMLElement;
  readonly #text: HTMLElement;
  readonly #rows: VirtualRows;
  #lines: readonly string[] = [];

  constructor(options: {
    readonly summary: HTMLElement;
    readonly sizes: HTMLElement;
    readonly text: HTMLElement;
    readonly load: HTMLButtonElement;
    readonly compileText: () => Promise<Compiled>;
  }) {
    this.#summary = options.summary;
    this.#sizes = options.sizes;
    this.#text = options.text;
    this.#rows = new VirtualRows(
      { count: () => this.#lines.length, row: (index) => lineOf(this.#lines[index]!, index) },
      { rowHeight: 20, label: 'WebAssembly text' },
    );
    this.#rows.stay();
    options.load.addEventListener('click', () => {
      options.load.disabled = true;
      void options
        .compileText()
        .then(({ program }) => this.#showText(program?.text ?? '(the script has errors)'))
        .finally(() => {
          options.load.disabled = false;
        });
    });
  }

  show({ program, milliseconds }: Compiled): void {
    if (program === null) return;
    const { functions } = program;
    const own = functions.filter(({ isOwn }) => isOwn).reduce((sum, { bytes }) => sum + bytes, 0);
    const all = functions.reduce((sum, { bytes }) => sum + bytes, 0);
    this.#summary.textContent =
      `${bytes(program.bytes)} in all, compiled in ${duration(milliseconds)}: ${bytes(own)} are your functions, ` +
      `${bytes(all - own)} what they use of the library, ${bytes(program.bytes - all)} types, texts and places`;
    const largest = functions[0]?.bytes ?? 1;
    this.#sizes.replaceChildren(...functions.slice(0, 200).map((row) => sizeRow(row, largest)));
  }

  #showText(text: string): void {
    this.#lines = text.split('\n');
    this.#text.replaceChildren(this.#rows.root);
    this.#rows.update();
  }
}

function sizeRow({ name, bytes: size, isOwn }: FunctionSize, largest: number): HTMLElement {
  const bar = element('span', { class: 'size-bar', 'aria-hidden': 'true' });
  bar.style.width = `${Math.max((size / largest) * 100, 0.5)}%`;
  return element(
    'li',
    { class: isOwn ? 'size is-own' : 'size' },
    element('span', { class: 'size-name' }, name),
    element('span', { class: 'size-bytes' }, `${count(size)} B`),
    bar,
  );
}

const wasmWord =
  /(;;.*$|\(;.*?;\))|("(?:[^"\\]|\\.)*")|(\$[^\s()]+)|([a-z][\w]*(?:\.[\w.]+)+|[a-z]\w*)|(-?\b\d[\w.+-]*)/g;
const wasmKinds = ['comment', 'string', 'function', 'keyword', 'number'] as const;

/** A line with its colours. */
function lineOf(line: string, index: number): HTMLElement {
  const parts: (Node | string)[] = [];
  let end = 0;
  for (const match of line.slice(0, 2_000).matchAll(wasmWord)) {
    const kind = wasmKinds[match.slice(1).findIndex((part) => part !== undefined)]!;
    parts.push(line.slice(end, match.index), element('span', { class: `tok-${kind}` }, match[0]));
    end = match.index + match[0].length;
  }
  parts.push(line.slice(end));
  return element(
    'div',
    { class: 'row row-value' },
    element('span', { class: 'row-number', 'aria-hidden': 'true' }, String(index + 1)),
    element('span', { class: 'row-text' }, ...parts),
  );
}
