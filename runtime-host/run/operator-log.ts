// Lines for the host's operator about what one script does: each is told once, and not many are, however often the
// script does it. What was left out is counted, and told at the end.

import type { Log } from '../permissions/gate.ts';

const mostLines = 50;

export class OperatorLog {
  readonly #log: Log;
  readonly #describe: (more: string) => string;
  readonly #told = new Set<string>();
  #leftOut = 0;

  /** `describe` makes a line of how many were left out. */
  constructor(log: Log, describe: (more: string) => string = (more) => `${more} more lines were left out`) {
    this.#log = log;
    this.#describe = describe;
  }

  readonly tell: Log = (line) => {
    if (this.#told.has(line)) return;
    if (this.#told.size < mostLines) {
      this.#told.add(line);
      this.#log(line);
    } else {
      this.#leftOut += 1;
    }
  };

  /** Tells how many lines were left out, if there were any. */
  close(): void {
    if (this.#leftOut === 0) return;
    this.#log(this.#describe(this.#leftOut.toLocaleString('en-US')));
    this.#leftOut = 0;
  }
}
