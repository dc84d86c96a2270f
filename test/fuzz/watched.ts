// A process that works on one seed after another, and is ended where one has no end: a program that the compiler made
// endless would keep the fuzzer from all others, since nothing in its own process could stop it.

import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';

/** What came of a seed. */
export interface Findings {
  readonly differences: readonly string[];
  readonly texts: number;
}

/** What the process sends: that it found something, of which it now looks for the smallest program; then all. */
export type Message = { readonly kind: 'found'; readonly what: string } | ({ readonly kind: 'done' } & Findings);

/** Milliseconds for a seed, and for making smaller what was found. */
export interface Patience {
  readonly search: number;
  readonly reduction: number;
}

export class Watched {
  readonly #module: string | URL;
  readonly #args: readonly string[];
  readonly #patience: Patience;
  #child: ChildProcess | null = null;

  constructor(module: string | URL, args: readonly string[], patience: Patience) {
    this.#module = module;
    this.#args = args;
    this.#patience = patience;
  }

  /** Rejects where the process ends by itself, or cannot begin. */
  run(seed: number): Promise<Findings> {
    this.#child ??= fork(this.#module, this.#args);
    const child = this.#child;
    return new Promise((resolve, reject) => {
      let found: string | null = null;
      let timer = setTimeout(giveUp, this.#patience.search);
      const close = (): void => {
        clearTimeout(timer);
        child.removeAllListeners();
      };
      const giveUpOn = (what: string): void => {
        close();
        this.end();
        resolve({ differences: [`seed ${seed}: ${what}`], texts: 0 });
      };
      const { search } = this.#patience;
      function giveUp(): void {
        giveUpOn(
          found === null
            ? `no end within ${search / 1000} s`
            : `${found}\n(a smaller program that shows it was not found)`,
        );
      }
      child.on('message', (message: Message) => {
        if (message.kind === 'found') {
          found = message.what;
          clearTimeout(timer);
          timer = setTimeout(giveUp, this.#patience.reduction);
          return;
        }
        close();
        resolve(message);
      });
      child.once('error', (error) => {
        close();
        reject(error);
      });
      child.once('exit', (code, signal) => {
        close();
        this.#child = null;
        reject(new Error(`the process of seed ${seed} ended with ${signal ?? code}`));
      });
      child.send({ seed });
    });
  }

  /** Ends the process, whatever it is at. */
  end(): void {
    this.#child?.removeAllListeners();
    this.#child?.kill('SIGKILL');
    this.#child = null;
  }
}
