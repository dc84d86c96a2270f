// Nodes as they are in another text, in which the same words stand elsewhere.

import type { SourceFile, Span } from '../source.ts';

export class SpanMover {
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
