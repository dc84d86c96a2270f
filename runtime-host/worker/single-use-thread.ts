// A process as a thread of a pool: it is started for one module and serves one instance.

import type { Program } from '../run/execution.ts';
import type { ProgramReference, WorkerThread } from './messages.ts';
import { ForwardingThread, packProgram } from './pool-thread.ts';
import type { PoolThread } from './pool-thread.ts';

export class SingleUseThread extends ForwardingThread implements PoolThread {
  readonly mailbox = null;
  readonly isAlive = true;

  has(): boolean {
    return true;
  }

  open(program: Program): ProgramReference {
    return { id: 0, program: packProgram(program), forget: [] };
  }

  rest(): boolean {
    return false;
  }

  listen(...listeners: Parameters<WorkerThread['listen']>): void {
    this.thread.listen(...listeners);
  }

  end(): Promise<void> | void {
    return this.thread.end();
  }
}
