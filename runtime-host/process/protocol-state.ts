// The state of the protocol between a process and its owner, which refuses messages out of order.

import type { FromWorker, ToWorker } from '../worker/messages.ts';
import { WireError } from './wire.ts';

/** No run asks more often than this about its limits. */
const mostExtensions = 100;

type State = 'starting' | 'idle' | 'called-up' | 'at-work' | 'asking';

/** The state in which each message is allowed, and the state that follows. */
const allowed: Readonly<Partial<Record<FromWorker['kind'], readonly [from: State, to: State]>>> = {
  ready: ['starting', 'idle'],
  begun: ['called-up', 'at-work'],
  yield: ['at-work', 'at-work'],
  ask: ['at-work', 'asking'],
  ended: ['at-work', 'idle'],
};

export class ProtocolState {
  #state: State = 'starting';
  #work: 'run' | 'call' = 'run';
  #extensions = 0;

  /** The owner sends this message. */
  told({ kind }: ToWorker): void {
    if (kind === 'answer' && this.#state === 'asking') this.#state = 'at-work';
    if (kind !== 'run' && kind !== 'call') return;
    this.#state = 'called-up';
    this.#work = kind;
    this.#extensions = 0;
  }

  /** The process sends this message. Throws WireError if it is out of order. */
  heard(message: FromWorker): void {
    const turn = allowed[message.kind];
    // A module that cannot be opened fails before the run has begun.
    const isEarly = message.kind === 'ended' && message.end.kind === 'failed' && this.#state === 'called-up';
    if (turn === undefined || !(turn[0] === this.#state || isEarly)) throw new WireError('a message comes out of turn');
    if (message.kind === 'yield' && this.#work === 'call') throw new WireError('a call yields when it ends');
    if (message.kind === 'ended' && message.end.kind !== 'failed' && message.end.kind !== this.#work)
      throw new WireError('another piece of work has ended');
    if (message.kind === 'ask' && message.called === 'onLimit' && ++this.#extensions > mostExtensions)
      throw new WireError('too many questions about limits');
    this.#state = turn[1];
  }
}
