// Nodes as they are in another text, in which the same words stand elsewhere.

import type { SourceFile, Span } from '../source.ts';
import type { Block, Item } from './syntax-tree.ts';

/** An item as it is in another text. The body of a function is copied when somebody looks at it. */
export class MovedItem {
  readonly node: Item;
  /** What the next copy is made of, and by how much its offsets change. */
  #source: Item;
  #shift: number;

  constructor(item: Item | MovedItem, file: SourceFile, change: number) {
    const [source, shift] = item instanceof MovedItem ? [item.#source, item.#shift + change] : [item, change];
    const mover = new SpanMover(file, shift);
    if (source.kind !== 'function-declaration' && source.kind !== 'main-declaration') {
      this.node = mover.move(source);
      this.#source = this.node;
      this.#shift = 0;
      return;
    }
    const { body, ...head } = source;
    this.node = Object.defineProperty(mover.move(head), 'body', {
      enumerable: true,
      configurable: true,
      get: () => this.#copyBody(mover, body),
    }) as Item;
    this.#source = source;
    this.#shift = shift;
  }

  #copyBody(mover: SpanMover, body: Block): Block {
    const value = mover.move(body);
    Object.defineProperty(this.node, 'body', { enumerable: true, configurable: true, value });
    this.#source = this.node;
    this.#shift = 0;
    return value;
  }
}

class SpanMover {
  readonly #file: SourceFile;
  readonly #shift: number;

  /** `shift` is what each offset changes by. */
  constructor(file: SourceFile, shift: number) {
    this.#file = file;
    this.#shift = shift;
  }

  /** A copy whose spans are those of the other text. */
  move<Node extends object>(node: Node): Node {
    return this.#copy(node) as Node;
  }

  #copy(value: object): object {
    if (Array.isArray(value)) return value.map((part: unknown) => (isObject(part) ? this.#copy(part) : part));
    if ('file' in value) {
      const { start, end } = value as Span;
      return { file: this.#file, start: start + this.#shift, end: end + this.#shift };
    }
    // Copied as a whole it keeps the shape that the rest of the compiler knows.
    const copy: Record<string, unknown> = { ...value };
    for (const key in copy) {
      const part = copy[key];
      if (isObject(part)) copy[key] = this.#copy(part);
    }
    return copy;
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
