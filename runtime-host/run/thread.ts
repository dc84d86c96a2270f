// What a thread that has one script to run does for it beside the engine: that of the command line, which a person
// waits for.

/** Everything may be left out. */
export interface Thread {
  /** In place of `WebAssembly.promising`: the export runs on a stack that is larger than the engine's. */
  readonly promising?: typeof WebAssembly.promising;
  /** Called thousands of times a second while the script computes. */
  readonly onPoll?: () => void;
  /** In place of calling it at once: makes a script go on that has waited. */
  readonly goOn?: (work: () => void) => void;
}
