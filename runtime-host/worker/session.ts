// The owner's side of one instance in a worker: hands out what is yielded, answers what is asked, and ends the worker when
// the run is given up or its time is over. Whatever the owner's own functions throw ends the script, as it does elsewhere.

import { answerToJson, failureToJson } from '../marshalling/answer-json.ts';
import type { AnswerJson } from '../marshalling/answer-json.ts';
import { AbortError, HostError, InternalError, ScriptError } from '../errors/errors.ts';
import type { Environment, Program } from '../run/execution.ts';
import { Failure, proceed } from '../errors/failures.ts';
import type { Awaitable } from '../errors/failures.ts';
import { HostCalls } from '../run/host-calls.ts';
import type { Answer } from '../marshalling/parts.ts';
import type { LimitExtension, LimitRequest } from '../limits/options.ts';
import { describeRefusal } from '../limits/rules.ts';
import { PartReader } from '../marshalling/parts.ts';
import { areArguments } from '../marshalling/type-guards.ts';
import { isInstance, partOf } from '../primordials/untampered.ts';
import { isAsked } from '../plugins/used-plugin.ts';
import type { UsedFunction, UsedPlugin } from '../plugins/used-plugin.ts';
import { PluginWork } from '../plugins/work.ts';
import type { Receiver } from '../run/run-execution.ts';
import type { Numbers } from '../marshalling/staging.ts';
import { formatOutput } from '../values/text.ts';
import type { ScriptValue } from '../values/script-value.ts';
import { Deadline } from './deadline.ts';
import { unpackError } from './errors.ts';
import { AnswerWriter } from './mailbox.ts';
import type { Ending, FromWorker, Opening, Work, WorkerThread } from './messages.ts';
import { bytesOf, unpackValue } from './packing.ts';
import type { Reply, Told } from './reply.ts';
import { CallTraffic } from './traffic.ts';
import { windowOf } from './flow-control.ts';

/** How a piece of work ended: as the worker said, or by what ended the worker. */
export type Ended = { readonly kind: 'told'; readonly ending: Ending } | { readonly kind: 'killed'; readonly error: unknown };

export interface SessionOptions {
  readonly program: Program;
  readonly environment: Environment;
  readonly opening: Opening;
  readonly receiver: Receiver;
}

export class Session {
  readonly #thread: WorkerThread;
  readonly #options: SessionOptions;
  readonly #answers: AnswerWriter | null;
  readonly #calls: HostCalls;
  readonly #plugins: PluginWork;
  /** The functions of plugins that a script may ask for, by id. */
  readonly #functions: ReadonlyMap<string, { readonly used: UsedPlugin; readonly fn: UsedFunction }>;
  /** Ends what host calls wait for. */
  readonly #end = new AbortController();
  #outside: { readonly error: unknown } | null = null;
  #settle: ((ended: Ended) => void) | null = null;
  /** Units of values that are with the receiver and unread; the script waits where they are more than `#most`. */
  #unread = 0;
  #most = 0;
  /** Null where time is not limited. */
  #deadline: Deadline | null = null;
  /** How much of the time of the question that is being answered was not the script's. */
  #pausedMs = 0;
  #pausedSince = 0;
  /** What ended the worker; null while it lives. */
  #killed: { readonly error: unknown } | null = null;
  readonly #traffic: CallTraffic;
  /** Whether a question of the script is open. */
  #isAsked = false;
  /** The worker may be somebody else's: nothing that comes late may reach it. */
  #hasLeft = false;

  constructor(thread: WorkerThread, options: SessionOptions) {
    this.#thread = thread;
    this.#options = options;
    const { opening, environment, program } = options;
    this.#answers = opening.mailbox === null ? null : new AnswerWriter(opening.mailbox);
    this.#traffic = new CallTraffic(environment.limits?.options ?? null, (wanted) => {
      // What is waited for is the worker, and not the host.
      thread.keepAlive(true);
      this.#reply(plain(wanted));
    });
    this.#calls = new HostCalls(environment.world, program.namespaces, {
      suspends: true,
      reader: new PartReader(),
      signal: this.#end.signal,
      throwIfAborted: () => this.#throwIfEnded(),
      pause: () => {
        this.#pausedSince = performance.now();
        this.#deadline?.pause();
      },
      resume: () => {
        this.#pausedMs += performance.now() - this.#pausedSince;
        this.#deadline?.resume();
      },
      discount: () => {},
      limits: environment.limits === null ? null : { allow: (kind, amount, held) => this.#traffic.allow(kind, amount, held), room: () => this.#traffic.room, note: () => {} },
      abandon: () => this.#end.abort(),
      untilAborted: (promise) => promise.then((value) => {
        this.#throwIfEnded();
        return value;
      }),
      throwOutside: (error) => this.#throwOutside(error),
      makeEnd: (failure) => failure,
      isOutside: (error) => this.#outside !== null && this.#outside.error === error,
      isScripts: () => false,
    }, environment.answerCall ?? undefined);
    this.#plugins = new PluginWork({ log: (line) => environment.world.log(line), tell: (line) => this.#calls.tell(line), signal: this.#end.signal, ask: (request, called) => this.#calls.askPlugin(request, called) });
    this.#functions = new Map(program.plugins.filter(isAsked).flatMap((used) => used.functions.map((fn) => [fn.id, { used, fn }])));
    thread.listen((message) => {
      // Whatever goes wrong with a message is the end of the worker, and not of the process.
      try {
        this.#take(message);
      } catch (error) {
        this.kill(error);
      }
    }, (error) => this.kill(error));
    thread.post(opening);
  }

  /** Whether code of a plugin is what runs at this moment. */
  get isInPlugin(): boolean {
    return this.#plugins.isRunning;
  }

  /**
   * Nothing that comes late reaches the worker any more. Says whether it can be somebody else's from now on: not where it has a
   * question open, whose answer may be on its way.
   */
  leave(): boolean {
    this.#hasLeft = true;
    return !this.#isAsked;
  }

  /** Ends what is still open for the script, which does nothing any more. */
  abandon(): void {
    this.#end.abort();
  }

  /** Has the worker do something; one thing at a time. Never rejects. */
  do(work: Work): Promise<Ended> {
    return new Promise((resolve) => {
      if (this.#killed !== null) {
        resolve({ kind: 'killed', error: this.#killed.error });
        return;
      }
      this.#settle = resolve;
      this.#most = windowOf(this.#options.environment.limits?.options ?? null, work.kind === 'run' && work.waitsAtYields).most;
      this.#thread.keepAlive(true);
      try {
        this.#thread.post(work);
      } catch (error) {
        this.kill(new HostError('the arguments cannot be told to a worker', { cause: error }));
      }
    });
  }

  /** Ends the worker, whatever it is doing; the work rejects with this. */
  kill(error: unknown): void {
    if (this.#isOver) return;
    this.#killed = { error };
    this.#thread.end();
    this.#end.abort();
    this.#finish({ kind: 'killed', error });
  }

  get #isOver(): boolean {
    return this.#killed !== null || this.#hasLeft;
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
          this.#thread.keepAlive(false);
        } else this.#answer(message.called, message.values.map((value) => unpackValue(value) as ScriptValue));
        return;
      case 'fetch':
        this.#answers!.putMore();
        return;
      case 'ended': {
        const { kind: _kind, ...ending } = message;
        this.#finish({ kind: 'told', ending });
      }
    }
  }

  #finish(ended: Ended): void {
    this.#calls.end();
    this.#traffic.end(new AbortError('the run was aborted'));
    this.#deadline?.stop();
    this.#deadline = null;
    this.#thread.keepAlive(false);
    const settle = this.#settle;
    this.#settle = null;
    settle?.(ended);
  }

  #startDeadline(): void {
    this.#traffic.begin();
    const timeMs = this.#options.environment.limits?.options.timeMs ?? 0;
    if (timeMs === 0) return;
    this.#deadline = new Deadline(timeMs, (limitMs) => this.kill(new ScriptError('TimeoutError', describeRefusal('timeMs', limitMs), [])));
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
    // The time of whoever reads is not the script's.
    this.#deadline?.discount(performance.now() - start);
    if (!(taken instanceof Promise)) {
      this.#tellTaken(units);
      return;
    }
    this.#unread += units;
    if (this.#unread > this.#most) {
      // A script that waits for its reader does not keep the process alive, here as elsewhere.
      this.#thread.keepAlive(false);
      this.#deadline?.pause();
    }
    void taken.then(() => this.#release(units));
  }

  #release(units: number): void {
    // The worker may be somebody else's by now.
    if (this.#settle === null) return;
    const waited = this.#unread > this.#most;
    this.#unread -= units;
    if (waited && this.#unread <= this.#most) {
      this.#thread.keepAlive(true);
      this.#deadline?.resume();
    }
    this.#tellTaken(units);
  }

  #tellTaken(units: number): void {
    const unread = this.#options.receiver.unread();
    // The script ends itself long before, unless somebody has taken its place.
    if (unread.bytes > this.#traffic.mostUnread) {
      this.kill(new ScriptError('MemoryLimitError', 'this run yields more than may be unread', []));
      return;
    }
    if (this.#answers !== null) this.#answers.take(units, unread);
    else this.#thread.post({ kind: 'taken', units, unread });
  }

  /** Whatever goes wrong here is the script's failure or its end, and nobody else's. */
  #answer(called: string, values: readonly ScriptValue[]): void {
    this.#isAsked = true;
    let answer: Awaitable<Reply>;
    try {
      answer = this.#find(called, values);
      if (!(answer instanceof Promise)) {
        this.#reply(answer);
        return;
      }
    } catch (error) {
      this.#fail(error);
      return;
    }
    this.#thread.keepAlive(this.#traffic.isAsking);
    const goOn = <Value>(give: (value: Value) => void) => (value: Value): void => {
      if (this.#isOver) return;
      this.#thread.keepAlive(true);
      give(value);
    };
    answer.then(goOn((reply: Reply) => this.#reply(reply))).catch(goOn((error: unknown) => this.#fail(error)));
  }

  #find(called: string, values: readonly ScriptValue[]): Awaitable<Reply> {
    const { random, clock } = this.#options.environment;
    const numbers = called === 'Math.random' ? random : called === 'Date.now' ? clock : null;
    if (typeof numbers === 'function') return plain({ number: numbers() });
    if (called === 'onLimit') return proceed(this.#extend(JSON.parse(values[0] as string) as LimitRequest), plain);
    this.#pausedMs = 0;
    return proceed(this.#call(called, values), (answer: Answer) => {
      const beside: Numbers[] = [];
      return this.#replyOf(answerToJson(answer, beside), beside);
    });
  }

  #call(called: string, values: readonly ScriptValue[]): Awaitable<Answer> {
    const found = this.#functions.get(called);
    if (found !== undefined && !areArguments(found.used, found.fn, values)) throw new InternalError(`the worker calls ${called} otherwise than it is declared`, [], null);
    if (found !== undefined) return this.#calls.answer(called, values, () => this.#plugins.do(found.used, found.fn, values));
    const fn = this.#options.program.imports.has(called) ? this.#calls.find(called) : null;
    if (fn === null || !values.every((value) => typeof value === 'string')) throw new InternalError(`the worker asked for ${called}`, [], null);
    return fn(...(values as readonly string[]));
  }

  #replyOf(answer: AnswerJson, beside: readonly Numbers[] = []): Reply {
    const used = this.#traffic.takeUsed();
    try {
      return { text: JSON.stringify({ answer, pausedMs: this.#pausedMs, used } satisfies Told), beside };
    } catch (error) {
      this.#traffic.note(used);
      if (!(error instanceof RangeError)) throw error;
      // As JSON a text can be six times as long as it is.
      throw new Failure('PluginError', 'the answer is too long for a worker');
    }
  }

  /** Asks the owner whether a limit may be raised; the worker looks whether that is allowed. */
  #extend(request: LimitRequest): Awaitable<LimitExtension | null> {
    const { onLimit, most } = this.#options.environment.limits!.options;
    this.#deadline?.pause();
    return proceed(onLimit!(Object.freeze(request)), (answer: unknown) => {
      this.#deadline?.resume();
      const newLimit: unknown = typeof answer === 'object' && answer !== null ? partOf(answer, 'newLimit') : null;
      if (typeof newLimit !== 'number' || newLimit > Number.MAX_SAFE_INTEGER || !(newLimit > request.limit)) return null;
      const granted = Math.min(newLimit, most?.[request.kind] || Number.MAX_VALUE);
      if (request.kind === 'timeMs') this.#deadline?.extend(Math.max(granted, request.limit));
      this.#traffic.extend(request.kind, granted);
      if (request.kind === 'memoryBytes') this.#thread.extendMemory?.(granted);
      return { newLimit: granted };
    });
  }

  #reply(reply: Reply): void {
    if (this.#isOver) return;
    this.#isAsked = false;
    if (this.#answers !== null) this.#answers.put(reply);
    else this.#thread.post({ kind: 'answer', reply: { ...reply, beside: reply.beside.map(standingAlone) } });
  }

  #fail(error: unknown): void {
    if (isInstance(error, Failure)) this.#reply(this.#replyOf(failureToJson(error)));
    else this.kill(error);
  }

  #throwIfEnded(): void {
    if (this.#killed !== null) this.#throwOutside(new AbortError('the run was aborted'));
  }

  #throwOutside(error: unknown): never {
    this.#outside = { error };
    throw error;
  }
}

/** A message copies all of the memory that an array is a part of. */
function standingAlone(numbers: Numbers): Numbers {
  return numbers.byteLength === numbers.buffer.byteLength ? numbers : numbers.slice();
}

function plain(json: unknown): Reply {
  return { text: JSON.stringify(json), beside: [] };
}

/** What a failed piece of work rejects with. */
export function errorOf(ended: Ended): unknown {
  if (ended.kind === 'killed') return ended.error;
  return ended.ending.end.kind === 'failed' ? unpackError(ended.ending.end.error) : null;
}
