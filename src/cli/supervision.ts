// A run while a person waits for it: Ctrl-C ends it, and a long silence is explained.

import type { Thread } from '../../runtime-host/run/thread.ts';
import { exitCodes } from './exit.ts';
import { Interrupt } from './interrupt.ts';
import { stderr, stdout } from './output.ts';
import { Progress } from './progress.ts';

export interface Supervision {
  /** For scripts that run in this thread. */
  readonly thread: Thread;
  /** Does what starts a run; until then Ctrl-C ends the process as it does any other. */
  readonly enter: <Value>(work: () => Value) => Value;
  /** While a person is asked something. */
  readonly whileAsking: <Value>(ask: () => Promise<Value>) => Promise<Value>;
  readonly close: () => void;
}

/** `onEnd` is called before Ctrl-C ends the process; `hasPlugins` where JavaScript of others runs too. */
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
      // A terminal shows `^C` where it was typed.
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
