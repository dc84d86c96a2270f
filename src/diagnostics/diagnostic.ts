// One record for every message about a script: the terminal, JSON output and editors all read it.

import type { Span } from '../source.ts';

/** The family of a diagnostic, with which its message begins. */
export type DiagnosticType = 'SyntaxError' | 'SemanticError' | 'LimitError' | 'Warning';

/** Another place that matters, and what to see there. */
export interface Label {
  readonly span: Span;
  readonly text: string;
}

/** One edit that fixes the fault. */
export interface Fix {
  readonly description: string;
  /**
   * A sure fix may be made without asking: the script does not compile as it is, and its author can have meant nothing
   * else. A possible fix is only offered: there are other ways to fix the fault, or the fix changes what a script does.
   */
  readonly sure: boolean;
  readonly span: Span;
  readonly replacement: string;
}

/** One message of the compiler about a script. */
export interface Diagnostic {
  readonly code: string;
  readonly type: DiagnosticType;
  readonly severity: 'error' | 'warning';
  /** What is wrong, one sentence, no trailing newline. */
  readonly message: string;
  /** What to do about it; null if the message is enough. */
  readonly help: string | null;
  readonly span: Span;
  readonly labels: readonly Label[];
  readonly fix: Fix | null;
}

/** Ends the phase that reports more errors than the sink takes. */
export class TooManyErrors extends Error {}

/** Nobody reads more, and each error may cost a search through all names. */
export const mostErrors = 2000;
/** More warnings are dropped. */
const mostWarnings = 2000;

/** Collects what the phases find, in the order in which they find it. */
export class DiagnosticSink {
  readonly #found: Diagnostic[] = [];
  readonly #seen = new Set<string>();
  /** Where syntax was wrong. */
  readonly #misplaced = new Set<string>();
  readonly #mostErrors: number;
  #errors = 0;
  #warnings = 0;

  /** `most` is the greatest number of errors that it takes. */
  constructor(most = Infinity) {
    this.#mostErrors = most;
  }

  /**
   * Adds a diagnostic. A second one with the same code at the same place is dropped, and so is what wrong syntax comes
   * to mean at its place. Throws TooManyErrors.
   */
  add(diagnostic: Diagnostic): void {
    const place = `${diagnostic.span.file.name} ${diagnostic.span.start} ${diagnostic.span.end}`;
    const key = `${diagnostic.code} ${place}`;
    if (this.#seen.has(key)) return;
    if (diagnostic.type === 'SyntaxError') this.#misplaced.add(place);
    else if (diagnostic.type !== 'LimitError' && this.#misplaced.has(place)) return;
    if (diagnostic.severity === 'warning') {
      this.#warnings += 1;
      if (this.#warnings > mostWarnings) return;
    } else {
      this.#errors += 1;
    }
    this.#seen.add(key);
    this.#found.push(diagnostic);
    // The last error stays in the list; the caller may add behind it why the compiler stopped.
    if (this.#errors === this.#mostErrors) throw new TooManyErrors(`there are ${this.#errors} errors`);
  }

  get hasErrors(): boolean {
    return this.#errors > 0;
  }

  /** The diagnostic that was added last. */
  get last(): Diagnostic | undefined {
    return this.#found.at(-1);
  }

  /** Everything found, sorted by file and place. */
  sorted(): readonly Diagnostic[] {
    return this.#found.toSorted(
      (a, b) =>
        compareNames(a.span.file.name, b.span.file.name) || a.span.start - b.span.start || a.span.end - b.span.end,
    );
  }
}

function compareNames(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
