// One record for every message about a script: the terminal, JSON output and editors read the same.

import type { Span } from '../source.ts';

/** The family of a diagnostic, as messages begin with it. */
export type DiagnosticType = 'SyntaxError' | 'SemanticError' | 'LimitError' | 'Warning';

/** Another place that matters, with what is to be seen there. */
export interface Label {
  readonly span: Span;
  readonly text: string;
}

/** One edit that mends it. */
export interface Fix {
  readonly description: string;
  /**
   * A sure one may be made without asking: the script does not compile as it stands, and its author can have
   * meant nothing else. A possible one is offered: it is one of several ways, or changes what a script does.
   */
  readonly sure: boolean;
  readonly span: Span;
  readonly replacement: string;
}

/** One thing that the compiler has to say of a script. */
export interface Diagnostic {
  readonly code: string;
  readonly type: DiagnosticType;
  readonly severity: 'error' | 'warning';
  /** What is wrong, one sentence, no trailing newline. */
  readonly message: string;
  /** What to do about it; null where the message says it all. */
  readonly help: string | null;
  readonly span: Span;
  readonly labels: readonly Label[];
  readonly fix: Fix | null;
}

/** There are so many mistakes that whoever finds them stops. */
export class TooManyErrors extends Error {}

/** Nobody reads more, and each may cost a search through all names there are. */
export const mostErrors = 2000;
/** More warnings are dropped. */
const mostWarnings = 2000;

/** Collects what the rooms find, in the order they find it. */
export class DiagnosticSink {
  readonly #found: Diagnostic[] = [];
  readonly #seen = new Set<string>();
  readonly #mostErrors: number;
  #errors = 0;
  #warnings = 0;

  /** `most` errors are as many as it takes. */
  constructor(most = Infinity) {
    this.#mostErrors = most;
  }

  /** Adds a diagnostic; the same code at the same place is taken once. Throws TooManyErrors. */
  add(diagnostic: Diagnostic): void {
    const key = `${diagnostic.code} ${diagnostic.span.file.name} ${diagnostic.span.start} ${diagnostic.span.end}`;
    if (this.#seen.has(key)) return;
    if (diagnostic.severity === 'warning') {
      this.#warnings += 1;
      if (this.#warnings > mostWarnings) return;
    } else {
      this.#errors += 1;
    }
    this.#seen.add(key);
    this.#found.push(diagnostic);
    // What stops the compiler may be said behind the last of them.
    if (this.#errors === this.#mostErrors) throw new TooManyErrors(`there are ${this.#errors} errors`);
  }

  get hasErrors(): boolean {
    return this.#errors > 0;
  }

  /** The last that was added. */
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
