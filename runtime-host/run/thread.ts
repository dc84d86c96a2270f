// Hooks of a thread that runs a single script: that of the command line, which a person waits for.

/** All hooks are optional. */
export interface Thread {
  /** Replaces `WebAssembly.promising`: the export runs on a larger stack than the engine's default. */
  readonly promising?: typeof WebAssembly.promising;
  /** Called with the exports of each instance that is made. It must not throw. */
  readonly onInstance?: (exports: Readonly<Record<string, unknown>>) => void;
  /** Called thousands of times a second while the script computes. */
  readonly onPoll?: (units: number) => void;
  /**
   * Called for each value that the script hands out, before anybody takes it and with the script still on the engine's
   * stack. It must not throw.
   */
  readonly onOutput?: (kind: 'yield' | 'result', text: () => string) => void;
  /** Replaces an immediate call: resumes a script that has waited. */
  readonly goOn?: (work: () => void) => void;
}
