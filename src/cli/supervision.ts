// Supervises a run for a waiting person: Ctrl-C ends it, and a status line explains a long silence.

import type { Thread } from '../../runtime-host/run/thread.ts';
import { exitCodes } from './exit.ts';
import { Interrupt } from './interrupt.ts';
import { stderr, stdout } from './output.ts';
import { Progress } from './progress.ts';

export interface Supervision {
  /** The hooks for scripts that run in this thread. */
  readonly thread: Thread;
  /** Runs the code that starts a run; before it, Ctrl-C ends the process as usual. */
  readonly enter: <Value>(work: () => Value) => Value;
  /** Wraps a question to a person. */
  readonly whileAsking: <Value>(ask: () => Promise<Value>) => Promise<Value>;
  readonly close: () => void;
}

/** `onEnd` is called before Ctrl-C ends the process; `hasPlugins` says that JavaScript of plugins runs too. */
export function superviseRun(hasPlugins: boolean, onEnd: () => void): Supervision {
  const progress =
    stderr.isTerminal && process.env['TERM'] !== 'dumb'
      ? new Progress({ stdout, stderr, now: () => performance.now() })
      : null;
  const interrupt = new Interrupt(() => {
    try {
      progress?.close();
      stdout.flush();
      onEnd();
      // A terminal shows `^C` where the cursor was.
      stderr.line(`${stderr.isTerminal ? '\n' : ''}sluice: Ctrl-C has ended the run`);
    } finally {
      process.exit(exitCodes.interrupted);
    }
  });
  let hasBegun = false;
  return {
    thread: { goOn: interrupt.goOn, ...(progress === null ? {} : { onPoll: progress.refresh }) },
    enter: (work) => {
      if (!hasBegun) {
        hasBegun = true;
        progress?.begin();
        interrupt.begin(!hasPlugins);
      }
      return interrupt.enter(work);
    },
    whileAsking: (ask) => (progress === null ? ask() : progress.pauseDuring(ask)),
    close: () => {
      progress?.close();
      interrupt.close();
    },
  };
}
