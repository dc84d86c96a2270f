// How the command ends: its exit codes, and the errors that lead to them.

import { escapeControls } from '../diagnostics/display.ts';

export const exitCodes = {
  fine: 0,
  /** The script has errors, or nothing to run. */
  diagnostics: 1,
  /** Wrong options or arguments, files that cannot be read or written, modules that cannot be run. */
  wrongUse: 2,
  /** The script raised an error that nothing caught. */
  scriptError: 3,
  /** A fault of Sluice (EX_SOFTWARE of sysexits.h). */
  internalFault: 70,
  /** Ctrl-C has ended the run: the exit code that shells use for SIGINT. */
  interrupted: 130,
} as const;

/** A wrong use of the command: one sentence for the user, what to type instead, and the help that says more. */
export class UsageError extends Error {
  /** The command whose help says more; null for the general help, undefined if no help applies. */
  readonly command: string | null | undefined;
  /** The command line that was probably meant, quoted for a shell; undefined if it is not known. */
  readonly line: string | undefined;

  constructor(message: string, command?: string | null, line?: string) {
    super(message);
    this.command = command;
    this.line = line;
  }
}

/** A file that cannot be read or written, and why. */
export class FileFault extends UsageError {
  readonly reason: string;
  /** The neighbouring file that was probably meant. */
  readonly nearest: string | null;

  /** `what` is the work that failed: `read a.slu`. */
  constructor(what: string, reason: string, nearest: string | null) {
    super(`cannot ${what}: ${reason}${nearest === null ? '' : `; did you mean ${escapeControls(nearest)}?`}`);
    this.reason = reason;
    this.nearest = nearest;
  }
}

/** Standard output cannot be written to. */
export class OutputFault extends UsageError {
  constructor(reason: string) {
    super(`cannot write to standard output: ${reason}`);
  }
}

/** The reader of the output has closed it. */
export class ClosedOutput extends Error {}
