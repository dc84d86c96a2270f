// The owner's side of one instance in a worker: passes yielded values on, has questions answered (owner-answers.ts),
// and ends the worker when the run is given up or its time is over.

import { AbortError, HostError, InternalError, ScriptError } from '../errors/errors.ts';
import type { Environment, Program } from '../run/execution.ts';
import type { Awaitable } from '../errors/failures.ts';
import { describeRefusal } from '../limits/rules.ts';
import type { Receiver } from '../run/run-execution.ts';
import type { Numbers } from '../marshalling/staging.ts';
import { formatOutput } from '../values/text.ts';
import type { ScriptValue } from '../values/script-value.ts';
import { Deadline } from './deadline.ts';
import { unpackError } from './errors.ts';
import { AnswerWriter } from './mailbox.ts';
import type { Ending, FromWorker, Opening, Work } from './messages.ts';
import { bytesOf, unpackValue } from './packing.ts';
import { OwnerAnswers, plainReply } from './owner-answers.ts';
import type { Reply } from './reply.ts';
import type { Lease } from './lease.ts';
import { CallTraffic } from './traffic.ts';
import { windowOf } from './flow-control.ts';

/** How a piece of work ended: as the worker reports, or by the error that ended the worker. */
export type Ended =
  | { readonly kind: 'told'; readonly ending: Ending }
  | { readonly kind: 'killed'; readonly error: unknown };

export interface SessionOptions {
  readonly program: Program;
  readonly environment: Environment;
  readonly opening: Opening;
  readonly receiver: Receiver;
}

export class Session {
  readonly #lease: Lease;
  readonly #options: SessionOptions;
  /** Null if memory is not shared. */
  readonly #mailbox: AnswerWriter | null;
  readonly #answers: OwnerAnswers;
  #settle: ((ended: Ended) => void) | null = null;
  /** Units of values that the receiver has and nobody has read; the script waits while they are more than `#most`. */
  #unread = 0;
  #most = 0;
  /** Null if time is not limited. */
  #deadline: Deadline | null = null;
  /** The error that ended the worker; null while it lives. */
  #killed: { readonly error: unknown } | null = null;
  readonly #traffic: CallTraffic;
  /** Whether a question of the script has no answer yet. */
  #isAsked = false;
  /** The worker may serve another session: nothing that comes late may reach it. */
  #hasLeft = false;

  /** Throws if the module or its options cannot be sent to a worker; the lease is the caller's then. */
  constructor(lease: Lease, options: SessionOptions) {
    this.#lease = lease;
    this.#options = options;
    const { opening, environment, program } = options;
    this.#mailbox = opening.mailbox === null ? null : new AnswerWriter(opening.mailbox);
    this.#traffic = new CallTraffic(environment.limits?.options ?? null, (wanted) => {
      // The session waits for the worker here, not for the host.
      this.#wait(false);
      this.#reply(plainReply(wanted));
    });
    this.#answers = new OwnerAnswers(program, environment, {
      traffic: this.#traffic,
      isKilled: () => this.#killed !== null,
      pause: () => this.#deadline?.pause(),
      resume: () => this.#deadline?.resume(),
      extend: (kind, limit) => {
        if (kind === 'timeMs') this.#deadline?.extend(limit);
        this.#traffic.extend(kind, limit);
        if (kind === 'memoryBytes') lease.thread.extendMemory?.(limit);
      },
    });
    lease.thread.post(opening);
    lease.onClose = (error) => this.kill(error);
    lease.thread.listen(
      (message) => {
        // An invalid message must end the worker, not the process.
        try {
          this.#take(message);
        } catch (error) {
          this.kill(error);
        }
      },
      (error) => this.kill(error),
    );
  }

  /** Whether code of a plugin runs at this moment. */
  get isInPlugin(): boolean {
    return this.#answers.isInPlugin;
  }

  /** The error that ended the worker; null if there is none. */
  get killed(): { readonly error: unknown } | null {
    return this.#killed;
  }

  /**
   * Returns the thread after the work. It may serve others if its work was `sound` and it has no open question, whose
   * answer could still arrive.
   */
  leave(isSound: boolean): void {
    if (this.#isOver) return;
    this.#hasLeft = true;
    this.#lease.release(isSound && !this.#isAsked);
  }

  /** Ends work that is still open for a script that does nothing any more. */
  abandon(): void {
    this.#answers.abandon();
  }

  /** Makes the worker do one piece of work at a time. Never rejects. */
  do(work: Work): Promise<Ended> {
    return new Promise((resolve) => {
      if (this.#killed !== null) {
        resolve({ kind: 'killed', error: this.#killed.error });
        return;
      }
      this.#settle = resolve;
      this.#most = windowOf(
        this.#options.environment.limits?.options ?? null,
        work.kind === 'run' && work.waitsAtYields,
      ).most;
      this.#wait(false);
      try {
        this.#lease.thread.post(work);
      } catch (error) {
        this.kill(new HostError('the arguments cannot be told to a worker', { cause: error }));
      }
    });
  }

  /** Ends the worker, whatever it is doing; the work rejects with this error. */
  kill(error: unknown): void {
    if (this.#isOver) return;
    this.#killed = { error };
    this.#lease.release(false);
    this.#answers.abandon();
    this.#finish({ kind: 'killed', error });
  }

  get #isOver(): boolean {
    return this.#killed !== null || this.#hasLeft;
  }

  /** While a script waits for something outside, it does not keep the process alive, and others may have its turn. */
  #wait(isWaiting: boolean): void {
    this.#lease.thread.keepAlive(!isWaiting);
    this.#lease.setWaiting(isWaiting);
  }

  #take(message: FromWorker): void {
    if (this.#isOver) return;
    switch (message.kind) {
      case 'begun':
        this.#startDeadline();
        return;
      case 'yield':
        this.#takeYield(message);
        return;
      case 'ask':
        if (this.#traffic.take(message.called, message.values, message.room)) {
          this.#isAsked = true;
          this.#wait(true);
        } else
          this.#answer(
            message.called,
            message.values.map((value) => unpackValue(value) as ScriptValue),
          );
        return;
      case 'fetch':
        this.#mailbox!.putMore();
        return;
      case 'ended': {
        const { kind: _kind, ...ending } = message;
        this.#finish({ kind: 'told', ending });
        break;
      }
      case 'ready':
      case 'collected':
      // This message belongs to the thread, not to the run.
    }
  }

  #finish(ended: Ended): void {
    this.#answers.finish();
    this.#traffic.end(new AbortError('the run was aborted'));
    this.#deadline?.stop();
    this.#deadline = null;
    // An instance waits for its next call.
    if (this.#killed === null) this.#wait(true);
    const settle = this.#settle;
    this.#settle = null;
    settle?.(ended);
  }

  #startDeadline(): void {
    this.#traffic.begin();
    const { environment, program } = this.#options;
    const timeMs = environment.limits?.options.timeMs ?? 0;
    if (timeMs === 0) return;
    const { thread } = this.#lease;
    const end = (limitMs: number): void =>
      this.kill(new ScriptError('TimeoutError', describeRefusal('timeMs', limitMs), []));
    // A module without guards cannot report where its time was up, nor can a thread that blocks until it gets an
    // answer.
    const hasGuards = (program.manifest.guards ?? []).includes('use');
    this.#deadline = new Deadline(timeMs, end, () =>
      hasGuards && !this.#isAsked ? (thread.whenResponsive?.() ?? null) : null,
    );
    this.#deadline.start();
  }

  #takeYield({ value: packed, printsAsJson, units }: FromWorker & { readonly kind: 'yield' }): void {
    if (this.#unread > this.#most) {
      this.kill(new InternalError('the worker does not wait for its reader', [], null));
      return;
    }
    const value = unpackValue(packed) as ScriptValue;
    const bytes = this.#options.environment.limits === null ? 0 : bytesOf(packed);
    const start = this.#deadline === null ? 0 : performance.now();
    let taken: Awaitable<void>;
    try {
      taken = this.#options.receiver.take(value, () => formatOutput(value, printsAsJson), printsAsJson, bytes);
    } catch (error) {
      this.kill(error);
      return;
    }
    // The consumer's time is not the script's.
    this.#deadline?.discount(performance.now() - start);
    if (!(taken instanceof Promise)) {
      this.#tellTaken(units);
      return;
    }
    this.#unread += units;
    if (this.#unread > this.#most) {
      this.#wait(true);
      this.#deadline?.pause();
    }
    void taken.then(() => this.#release(units));
  }

  #release(units: number): void {
    // The worker may serve another session by now.
    if (this.#settle === null) return;
    const waited = this.#unread > this.#most;
    this.#unread -= units;
    if (waited && this.#unread <= this.#most) {
      this.#wait(false);
      this.#deadline?.resume();
    }
    this.#tellTaken(units);
  }

  #tellTaken(units: number): void {
    // The consumer may have ended the run.
    if (this.#isOver) return;
    const unread = this.#options.receiver.unread();
    // A script of ours ends itself long before this; so other code may be running in its place.
    if (unread.bytes > this.#traffic.mostUnread) {
      this.kill(new ScriptError('MemoryLimitError', 'this run yields more than may be unread', []));
      return;
    }
    if (this.#mailbox !== null) this.#mailbox.take(units, unread);
    else this.#lease.thread.post({ kind: 'taken', units, unread });
  }

  /** Every error here becomes the script's failure or its end, and affects nothing else. */
  #answer(called: string, values: readonly ScriptValue[]): void {
    this.#isAsked = true;
    let answer: Awaitable<Reply>;
    try {
      answer = this.#lease.answer(() => this.#answers.find(called, values));
      if (!(answer instanceof Promise)) {
        this.#reply(answer);
        return;
      }
    } catch (error) {
      this.#fail(error);
      return;
    }
    this.#wait(!this.#traffic.isAsking);
    const goOn =
      <Value>(give: (value: Value) => void) =>
      (value: Value): void => {
        if (this.#isOver) return;
        this.#wait(false);
        give(value);
      };
    answer.then(goOn((reply: Reply) => this.#reply(reply))).catch(goOn((error: unknown) => this.#fail(error)));
  }

  #reply(reply: Reply): void {
    if (this.#isOver) return;
    this.#isAsked = false;
    if (this.#mailbox !== null) this.#mailbox.put(reply);
    else this.#lease.thread.post({ kind: 'answer', reply: { ...reply, beside: reply.beside.map(standingAlone) } });
  }

  #fail(error: unknown): void {
    let reply: Reply;
    try {
      reply = this.#answers.failed(error);
    } catch (outside) {
      this.kill(outside);
      return;
    }
    this.#reply(reply);
  }
}

/** A copy if necessary, since a message copies the whole memory behind an array. */
function standingAlone(numbers: Numbers): Numbers {
  return numbers.byteLength === numbers.buffer.byteLength ? numbers : numbers.slice();
}

/** The error with which a failed piece of work rejects. */
export function errorOf(ended: Ended, { depthHelp }: Environment): unknown {
  if (ended.kind === 'killed') return ended.error;
  const { end } = ended.ending;
  if (end.kind !== 'failed') return null;
  const error = unpackError(end.error);
  return depthHelp === null ? error : depthHelp(error, 'limit');
}
