// The shape of a row of the catalog.

export interface Fault<Parameters> {
  readonly code: string;
  /** One sentence in the words of the person who wrote the script. */
  readonly message: (parameters: Parameters) => string;
  /** What to do; null if the message is enough. */
  readonly help: string | null;
  /** Markdown for `sluice explain`: the rule and why it is so. */
  readonly explanation: string;
  /** A script that raises the fault, and the corrected script. */
  readonly wrong: string;
  readonly right: string;
  /** Limits under which the wrong script raises the fault; the right script is compiled without them. */
  readonly limits?: { readonly sourceBytes?: number; readonly timeMs?: number };
  /** Checking alone does not find it: the script must be compiled. */
  readonly needsCompile?: boolean;
  /** The files that the scripts import, by path. */
  readonly files?: Readonly<Record<string, string>>;
}

/** An example for a page: a script whose only fault is its length is shown by its beginning. */
export function shownExample(script: string): string {
  return script.length <= 400 ? script : `${script.slice(0, 80)} … (${script.length} characters)`;
}

/** Declares a row; the type of its message's parameter is the type of the fault's parameters. */
export function fault<Parameters>(row: Fault<Parameters>): Fault<Parameters> {
  return row;
}
