// Answers the questions of a script in a worker: calls of the library and of plugins, and numbers and limits that the
// owner has. An error of the owner's own functions ends the script, as in this thread.

import { answerToJson, failureToJson } from '../marshalling/answer-json.ts';
import type { AnswerJson } from '../marshalling/answer-json.ts';
import { AbortError, InternalError } from '../errors/errors.ts';
import type { Environment, Program } from '../run/execution.ts';
import { Failure, proceed } from '../errors/failures.ts';
import type { Awaitable } from '../errors/failures.ts';
import { HostCalls } from '../run/host-calls.ts';
import type { Answer } from '../marshalling/marshalled-values.ts';
import type { LimitExtension, LimitRequest } from '../limits/options.ts';
import { ValueReader } from '../marshalling/value-reader.ts';
import { areArguments } from '../marshalling/type-guards.ts';
import { isInstance, partOf } from '../primordials/untampered.ts';
import { isAsked } from '../plugins/used-plugin.ts';
import type { UsedFunction, UsedPlugin } from '../plugins/used-plugin.ts';
import { PluginWork } from '../plugins/work.ts';
import type { Numbers } from '../marshalling/staging.ts';
import type { ScriptValue } from '../values/script-value.ts';
import type { Reply, Told } from './reply.ts';
import type { CallTraffic } from './traffic.ts';

/** The session whose script asks. */
export interface AnsweredSession {
  readonly traffic: CallTraffic;
  readonly isKilled: () => boolean;
  /** Called around time that is not the script's. */
  readonly pause: () => void;
  readonly resume: () => void;
  /** Called when a limit was raised. */
  readonly extend: (kind: LimitRequest['kind'], limit: number) => void;
}

export class OwnerAnswers {
  readonly #program: Program;
  readonly #environment: Environment;
  readonly #session: AnsweredSession;
  readonly #calls: HostCalls;
  readonly #plugins: PluginWork;
  /** The functions of plugins that the script may call, by id. */
  readonly #functions: ReadonlyMap<string, { readonly used: UsedPlugin; readonly fn: UsedFunction }>;
  /** Ends the waits of host calls. */
  readonly #end = new AbortController();
  #outside: { readonly error: unknown } | null = null;
  /** The part of the current question's time that was not the script's. */
  #pausedMs = 0;
  #pausedSince = 0;

  constructor(program: Program, environment: Environment, session: AnsweredSession) {
    this.#program = program;
    this.#environment = environment;
    this.#session = session;
    const { traffic } = session;
    this.#calls = new HostCalls(
      environment.capabilities,
      program.namespaces,
      {
        suspends: true,
        reader: new ValueReader(),
        signal: this.#end.signal,
        throwIfAborted: () => this.#throwIfEnded(),
        pause: () => {
          this.#pausedSince = performance.now();
          session.pause();
        },
        resume: () => {
          this.#pausedMs += performance.now() - this.#pausedSince;
          session.resume();
        },
        discount: () => {},
        limits:
          environment.limits === null
            ? null
            : {
                allow: (kind, amount, held) => traffic.allow(kind, amount, held),
                room: () => traffic.room,
                note: () => {},
              },
        abandon: () => this.abandon(),
        untilAborted: (promise) =>
          promise.then((value) => {
            this.#throwIfEnded();
            return value;
          }),
        throwOutside: (error) => this.#throwOutside(error),
        makeEnd: (failure) => failure,
        isOutside: (error) => this.#outside !== null && this.#outside.error === error,
        isScripts: () => false,
      },
      environment.answerCall ?? undefined,
    );
    this.#plugins = new PluginWork({
      log: (line) => environment.capabilities.log(line),
      tell: (line) => this.#calls.tell(line),
      signal: this.#end.signal,
      throwOutside: (error) => this.#throwOutside(error),
      ask: (request, called) => this.#calls.askPlugin(request, called),
    });
    this.#functions = new Map(
      program.plugins.filter(isAsked).flatMap((used) => used.functions.map((fn) => [fn.id, { used, fn }])),
    );
  }

  /** Whether code of a plugin runs at this moment. */
  get isInPlugin(): boolean {
    return this.#plugins.isRunning;
  }

  /** Called when a run or call has ended. */
  finish(): void {
    this.#calls.end();
  }

  /** Ends work that is still open for a script that does nothing any more. */
  abandon(): void {
    this.#end.abort();
  }

  /** The answer to a question. Throws, or rejects with, a Failure, or an error that ends the script. */
  find(called: string, values: readonly ScriptValue[]): Awaitable<Reply> {
    const { random, clock } = this.#environment;
    const numbers = called === 'Math.random' ? random : called === 'Date.now' ? clock : null;
    if (typeof numbers === 'function') return plainReply({ number: numbers() });
    if (called === 'onLimit') return proceed(this.#extend(JSON.parse(values[0] as string) as LimitRequest), plainReply);
    this.#pausedMs = 0;
    return proceed(this.#call(called, values), (answer: Answer) => {
      const beside: Numbers[] = [];
      return this.#replyOf(answerToJson(answer, beside), beside);
    });
  }

  /** The reply for a Failure; rethrows any other error. */
  failed(error: unknown): Reply {
    if (!isInstance(error, Failure)) throw error;
    return this.#replyOf(failureToJson(error));
  }

  #call(called: string, values: readonly ScriptValue[]): Awaitable<Answer> {
    const found = this.#functions.get(called);
    if (found !== undefined && !areArguments(found.used, found.fn, values))
      throw new InternalError(`the worker calls ${called} otherwise than it is declared`, [], null);
    if (found !== undefined)
      return this.#calls.answer(called, values, () => this.#plugins.do(found.used, found.fn, values));
    const fn = this.#program.imports.has(called) ? this.#calls.find(called) : null;
    if (fn === null || !values.every((value) => typeof value === 'string'))
      throw new InternalError(`the worker asked for ${called}`, [], null);
    return fn(...values);
  }

  #replyOf(answer: AnswerJson, beside: readonly Numbers[] = []): Reply {
    const { traffic } = this.#session;
    const used = traffic.takeUsed();
    try {
      return { text: JSON.stringify({ answer, pausedMs: this.#pausedMs, used } satisfies Told), beside };
    } catch (error) {
      traffic.note(used);
      if (!(error instanceof RangeError)) throw error;
      // As JSON, a text can be six times as long.
      throw new Failure('PluginError', 'the answer is too long for a worker');
    }
  }

  /** Asks the owner whether a limit may be raised; the worker checks whether the answer is allowed. */
  #extend(request: LimitRequest): Awaitable<LimitExtension | null> {
    const { onLimit, most } = this.#environment.limits!.options;
    this.#session.pause();
    return proceed(onLimit!(Object.freeze(request)), (answer: unknown) => {
      this.#session.resume();
      const newLimit: unknown = typeof answer === 'object' && answer !== null ? partOf(answer, 'newLimit') : null;
      if (typeof newLimit !== 'number' || newLimit > Number.MAX_SAFE_INTEGER || !(newLimit > request.limit))
        return null;
      const granted = Math.min(newLimit, most?.[request.kind] || Number.MAX_VALUE);
      this.#session.extend(request.kind, request.kind === 'timeMs' ? Math.max(granted, request.limit) : granted);
      return { newLimit: granted };
    });
  }

  #throwIfEnded(): void {
    if (this.#session.isKilled()) this.#throwOutside(new AbortError('the run was aborted'));
  }

  #throwOutside(error: unknown): never {
    this.#outside = { error };
    throw error;
  }
}

export function plainReply(json: unknown): Reply {
  return { text: JSON.stringify(json), beside: [] };
}
