// Lines for the host's operator about one script: each line is logged once, and the number of lines is limited, however
// often the script causes them. The rest is counted and reported at the end.

import type { Log } from '../permissions/gate.ts';

const mostLines = 50;

export class OperatorLog {
  readonly #log: Log;
  readonly #describe: (more: string) => string;
  readonly #told = new Set<string>();
  #leftOut = 0;

  /** `describe` makes a line from the number of lines that were left out. */
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

  /** Logs how many lines were left out, if any. */
  close(): void {
    if (this.#leftOut === 0) return;
    this.#log(this.#describe(this.#leftOut.toLocaleString('en-US')));
    this.#leftOut = 0;
  }
}
