// The shape of a row of the catalog.

export interface Fault<Parameters> {
  readonly code: string;
  /** One sentence in the words of the person who wrote the script. */
  readonly message: (parameters: Parameters) => string;
  /** What to do; null where the message says it all. */
  readonly help: string | null;
  /** Markdown for `sluice explain`: the rule and why it is so. */
  readonly explanation: string;
  /** A script that raises it, and the same script made right. */
  readonly wrong: string;
  readonly right: string;
  /** With which the wrong script raises it; the right one is compiled without. */
  readonly limits?: { readonly sourceBytes?: number; readonly timeMs?: number };
  /** Checking alone does not find it. */
  readonly needsCompile?: boolean;
  /** What the scripts import, by path. */
  readonly files?: Readonly<Record<string, string>>;
}

/** An example for a page: a script that is wrong by its length alone is shown by its beginning. */
export function shownExample(script: string): string {
  return script.length <= 400 ? script : `${script.slice(0, 80)} … (${script.length} characters)`;
}

/** Declares a row; the message function's parameter is the typed parameters of the fault. */
export function fault<Parameters>(row: Fault<Parameters>): Fault<Parameters> {
  return row;
}
