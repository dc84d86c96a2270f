// The first formatting of a session would wait until what reads the configuration is loaded, and for the engine, which
// compiles what has run a few times. Both happen before, while nobody types: a document is formatted, and nothing
// comes of it.

import { formatFile } from '../formatter/format.ts';
import { isUri } from './names.ts';
import type { Session } from './session.ts';

/** Milliseconds without a change, in front of the first round and of each other. */
const quietMs = 400;
const roundMs = 60;
/** After so many, engines have compiled it. */
const rounds = 8;
/** UTF-16 units of a document that is formatted in a moment that nobody notices. */
const longest = 60_000;

export class FormatterWarmUp {
  readonly #session: Session;
  #left = rounds;
  #timer: ReturnType<typeof setTimeout> | null = null;

  constructor(session: Session) {
    this.#session = session;
  }

  /** A document was opened or has changed: the next round waits until it is quiet. */
  postpone(name: string, ms = quietMs): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#left > 0) this.#timer = setTimeout(() => void this.#round(name), ms);
  }

  /** For good: a round that is under way is the last. */
  stop(): void {
    this.#left = 0;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  async #round(name: string): Promise<void> {
    this.#timer = null;
    const { analyses, environment } = this.#session;
    const entry = analyses.isCurrent(name) ? analyses.ofName(name)?.entry : undefined;
    if (entry === undefined || entry.source.text.length > longest) return;
    this.#left -= 1;
    try {
      const configured = isUri(name) ? {} : await environment.formatOptions?.(name);
      formatFile(entry.syntax, entry.source.text, configured);
    } catch {
      // Whoever asks for it is told.
    }
    if (this.#timer === null) this.postpone(name, roundMs);
  }
}
