// Calls from a script to the guarded library. Each may wait: then the script is suspended; if it cannot be, the call is
// refused. An error is stored until the module asks for it and raises it itself.

import { callDone } from '../../src/abi/imports.ts';
import { findErrorType } from '../../src/language/errors.ts';
import { guardedNamespaceNames } from '../../src/library/generated/namespaces.ts';
import { CallScope } from '../namespaces/call-scope.ts';
import type { Allow } from '../namespaces/call-scope.ts';
import { foreign, HostError } from '../errors/errors.ts';
import { describeThrown, Failure, handled, proceed } from '../errors/failures.ts';
import type { Awaitable } from '../errors/failures.ts';
import { howToWait } from '../engine/features.ts';
import type { GuardedNamespace } from '../namespaces/namespace.ts';
import type { PluginConstraints } from '../namespaces/plugin/grant.ts';
import type { PermissionRequest } from '../namespaces/requests.ts';
import type { Traffic } from '../limits/meter.ts';
import { OperatorLog } from './operator-log.ts';
import { Composite } from '../marshalling/marshalled-values.ts';
import type { Answer } from '../marshalling/marshalled-values.ts';
import type { ValueReader } from '../marshalling/value-reader.ts';
import type { Grant } from '../permissions/grants.ts';
import type { GrantProblem } from '../permissions/read-grant.ts';
import { createObject, disregard, hasOwn, isInstance } from '../primordials/untampered.ts';
import { captureStack } from '../errors/stack-trace.ts';
import type { ScriptValue } from '../values/script-value.ts';
import type { RunCapabilities } from './capabilities.ts';

/** The answer for a failed call; any value except `callDone` has this meaning. */
const callFailed = 2;

/** What a host call needs from its run. */
export interface CallingRun {
  /** Whether the engine may suspend the script. */
  readonly suspends: boolean;
  readonly reader: ValueReader;
  /** Aborted with the run. */
  readonly signal: AbortSignal;
  /** Throws if the run is aborted. */
  readonly throwIfAborted: () => void;
  /** Wraps the time of a permission handler, which is not the script's. */
  readonly pause: () => void;
  readonly resume: () => void;
  /** Subtracts milliseconds that passed elsewhere and are not the script's. */
  readonly discount: (milliseconds: number) => void;
  /** Null if there are no limits. */
  readonly limits: CallLimits | null;
  /** Ends work that the run has begun and cannot wait for. */
  readonly abandon: () => void;
  /** Waits for the promise, unless the run is aborted first. */
  readonly untilAborted: <Value>(promise: Promise<Value>) => Promise<Value>;
  /** Notes an error that passes through the script unchanged, and throws it. */
  readonly throwOutside: (error: unknown) => never;
  /** Converts a failure that no clause of the script can catch to the error that is thrown. */
  readonly makeEnd: (failure: Failure) => unknown;
  /** Whether an error has been noted in this way. */
  readonly isOutside: (error: unknown) => boolean;
  /** Whether it is an error of the language that was made for this script. */
  readonly isScripts: (error: unknown) => boolean;
}

type HostFunction = (...texts: string[]) => Awaitable<Answer>;
/** The namespaces that a module imports from and whose functions ask for permission, by name. */
export type GuardedNamespaces = Readonly<Record<string, GuardedNamespace>>;

type LibraryFunction = (scope: CallScope, ...texts: string[]) => Awaitable<Answer>;

/**
 * A layer between a script and the library, plugins included: it sends calls out of a worker, or records or replays a
 * log. The library takes texts, plugins take any values. `live` calls the library. Throws, or rejects with, a Failure,
 * or an error that ends the run.
 */
export type AnswerCall = (
  called: string,
  values: readonly ScriptValue[],
  live: () => Awaitable<Answer>,
  run: AnsweredRun,
) => Awaitable<Answer>;

/** The run whose calls are answered. */
export type AnsweredRun = Pick<CallingRun, 'discount' | 'limits'>;

/** The limits of a run's traffic. */
export interface CallLimits {
  readonly allow: Allow;
  /** The methods of Meter. */
  readonly room: () => Traffic;
  readonly note: (used: Traffic) => void;
}

/** A function that a plugin supplies. */
export interface PluginCall {
  readonly called: string;
  /** False for a function that returns no promise. */
  readonly waits: boolean;
  /** The arguments, from the operands of the call and the values that were passed before it. */
  readonly take: (wires: readonly unknown[]) => readonly ScriptValue[];
  readonly work: (values: readonly ScriptValue[]) => Awaitable<Answer>;
}

export class HostCalls {
  readonly #capabilities: RunCapabilities;
  readonly #namespaces: GuardedNamespaces;
  /** Their functions for this run, made on demand. */
  readonly #functions = createObject(null) as Record<string, Readonly<Record<string, LibraryFunction>>>;
  readonly #run: CallingRun;
  readonly #answerCall: AnswerCall;
  readonly #log: OperatorLog;
  #failure: Failure | null = null;
  /** The latest call. */
  #scope: CallScope | null = null;
  /** The latest grant of that call; null if there is none, or if a denial followed. */
  #granted: { readonly request: PermissionRequest; readonly called: string } | null = null;

  /** `namespaces` is empty if somebody else answers all calls. */
  constructor(
    capabilities: RunCapabilities,
    namespaces: GuardedNamespaces,
    run: CallingRun,
    answerCall: AnswerCall = (_called, _values, live) => live(),
  ) {
    this.#capabilities = capabilities;
    this.#namespaces = namespaces;
    this.#run = run;
    this.#answerCall = answerCall;
    this.#log = new OperatorLog(capabilities.log);
  }

  /** Logs a line for the host's operator about the script. */
  tell(line: string): void {
    this.#log.tell(line);
  }

  /** The run or call has ended, or another one begins. */
  end(): void {
    this.#log.close();
    this.#failure = null;
  }

  /**
   * A library function for a caller in another thread or process. Throws, or rejects with, a Failure, or an error that
   * ends the run.
   */
  find(called: string): HostFunction | null {
    const [namespace = '', name = ''] = called.split('.');
    return hasOwn(this.#namespaces, namespace) && hasOwn(this.#functionsOf(namespace), name)
      ? (...texts) => this.#answerTexts(namespace, name, texts)
      : null;
  }

  /** The functions that a module imports, by namespace. */
  imports(names: ReadonlySet<string>): Record<string, Record<string, unknown>> {
    const imports = createObject(null) as Record<string, Record<string, unknown>>;
    for (const imported of names) {
      const [namespace = '', name = ''] = imported.split('.');
      if (!isGuarded(namespace)) continue;
      imports[namespace] ??= {};
      imports[namespace][name] = this.#import(imported, true, (...texts: string[]) => {
        // A text may be null; a module may also pass any other reference.
        if (!texts.every((text) => text === null || typeof text === 'string')) throw foreign();
        return this.#answerTexts(namespace, name, texts);
      });
    }
    return imports;
  }

  #answerTexts(namespace: string, name: string, texts: readonly string[]): Awaitable<Answer> {
    return this.answer(`${namespace}.${name}`, texts, (scope) => this.#functionsOf(namespace)[name]!(scope, ...texts));
  }

  /** The id of the error type of the last failed call; the reads then begin at its message. */
  takeFailure(): number {
    const failure = this.#failure;
    if (failure === null) throw new Error('a host call neither answered nor failed');
    this.#failure = null;
    this.#run.reader.readFrom(failure.message);
    return findErrorType(failure.type)!.id;
  }

  #functionsOf(namespace: string): Readonly<Record<string, LibraryFunction>> {
    return (this.#functions[namespace] ??= this.#namespaces[namespace]!.bind(
      this.#capabilities,
      (request, called, read) => this.#ask(request, called, read),
    ) as Readonly<Record<string, LibraryFunction>>);
  }

  /** Asks the gate; an answer after the run was given up opens nothing. */
  #ask<Limits extends object>(
    request: PermissionRequest,
    called: string,
    read: (grant: Grant) => Limits | GrantProblem,
  ): Awaitable<Limits> {
    this.#granted = null;
    this.#run.pause();
    let limits: Awaitable<Limits>;
    try {
      limits = this.#capabilities.gate.ask(request, called, read, this.#log.tell);
    } catch (error) {
      this.#run.resume();
      throw error;
    }
    const opened = (granted: Limits): Limits => {
      this.#granted = { request, called };
      return granted;
    };
    if (limits instanceof Promise)
      return this.#run
        .untilAborted(limits)
        .finally(() => this.#run.resume())
        .then(opened);
    this.#run.resume();
    this.#run.throwIfAborted();
    return opened(limits);
  }

  /** Asks for the permission of a plugin's function. */
  askPlugin(request: PermissionRequest, called: string): Awaitable<PluginConstraints> {
    return this.#ask(request, called, this.#capabilities.readPluginGrant);
  }

  /** An import that a plugin supplies; the module reads its result afterwards. */
  pluginImport({ called, waits, take, work }: PluginCall): unknown {
    return this.#import(called, waits, (...wires) => {
      const values = take(wires);
      return this.answer(called, values, () => work(values));
    });
  }

  /**
   * An import that returns its number directly; `fail` throws the module's error for a failure, or the error that ends
   * the run. `looksAtEnd` says whether a call first checks if the run must end.
   */
  numberImport(
    { called, waits, take, work }: PluginCall,
    looksAtEnd: boolean,
    fail: (error: unknown, stack?: string) => never,
  ): unknown {
    const call = (...wires: readonly unknown[]): Awaitable<Answer> => {
      let answer: Awaitable<Answer>;
      try {
        if (looksAtEnd) this.#run.throwIfAborted();
        const values = take(wires);
        answer = this.answer(called, values, () => work(values));
      } catch (error) {
        return fail(error);
      }
      if (!(answer instanceof Promise)) return answer;
      if (!this.#run.suspends) return fail(this.#refuseWait(called, answer));
      // Taken now, since the frames of the script will have left the stack later.
      const stack = captureStack();
      return handled(this.#run.untilAborted(answer).catch((error: unknown) => fail(error, stack)));
    };
    return this.#suspending(waits, call);
  }

  #suspending(waits: boolean, call: (...wires: never[]) => unknown): unknown {
    return this.#run.suspends && waits ? new WebAssembly.Suspending(call) : call;
  }

  #import(called: string, waits: boolean, ask: (...wires: never[]) => Awaitable<Answer>): unknown {
    return this.#suspending(waits, (...wires: never[]): Awaitable<number> => {
      this.#run.throwIfAborted();
      let answer: Awaitable<Answer>;
      try {
        answer = ask(...wires);
      } catch (error) {
        return this.#fail(error);
      }
      return answer instanceof Promise ? this.#wait(called, answer) : this.#succeed(answer);
    });
  }

  #wait(called: string, answer: Promise<Answer>): Promise<number> {
    if (!this.#run.suspends) this.#run.throwOutside(this.#refuseWait(called, answer));
    const scope = this.#scope;
    return handled(
      this.#run.untilAborted(answer).then(
        (value) => this.#succeed(value),
        (error: unknown) => {
          // The run may have ended without an answer: then the answer is not needed any more.
          scope?.giveUp();
          return this.#fail(error);
        },
      ),
    );
  }

  #refuseWait(called: string, answer: Promise<Answer>): HostError {
    disregard(answer);
    // Otherwise a handler that grants later would start work after the script was told that it cannot be done.
    this.#run.abandon();
    return new HostError(`${called} has to wait for the host, and this call cannot: ${howToWait()}`);
  }

  #succeed(answer: Answer): number {
    if (answer !== undefined) this.#run.reader.readFrom(isList(answer) ? new Composite('array', answer) : answer);
    return callDone;
  }

  #fail(error: unknown): number {
    // A reached limit is already an error of the script.
    if (this.#run.isScripts(error)) throw error;
    if (!isInstance(error, Failure)) this.#run.throwOutside(error);
    if (error.endsRun) throw this.#run.makeEnd(error);
    this.#failure = error;
    return callFailed;
  }

  /** The answer to a call, whoever gives it. Throws, or rejects with, a Failure, or an error that ends the run. */
  answer(
    called: string,
    values: readonly ScriptValue[],
    live: (scope: CallScope) => Awaitable<Answer>,
  ): Awaitable<Answer> {
    const scope = new CallScope(this.#run.signal, this.#run.limits?.allow ?? null);
    const give = (answer: Answer): Awaitable<Answer> =>
      proceed(
        scope.answer(() => sizeOf(answer)),
        () => answer,
      );
    this.#scope = scope;
    this.#granted = null;
    return this.#answerCall(
      called,
      values,
      () => {
        try {
          const answer = proceed(live(scope), give);
          return answer instanceof Promise
            ? answer.catch((error: unknown) => this.#throwHarmless(called, error, scope)).finally(() => scope.close())
            : answer;
        } catch (error) {
          return this.#throwHarmless(called, error, scope);
        }
      },
      this.#run,
    );
  }

  /** Any error that is no Failure, and does not end the run, is reported to the operator alone. */
  #throwHarmless(called: string, error: unknown, scope: CallScope): never {
    // Errors of a call that was given up do not matter.
    scope.throwIfOver();
    // The handler granted the request, but a constraint of the grant refuses it.
    if (this.#granted !== null && isInstance(error, Failure) && error.type === 'SecurityError')
      this.#capabilities.gate.tell(
        { ...this.#granted, answer: 'denied', limits: null, reason: error.message },
        this.#log.tell,
      );
    if (isInstance(error, Failure) || this.#run.isOutside(error) || this.#run.isScripts(error)) throw error;
    this.tell(`${called} failed in the host: ${describeThrown(error)}`);
    const [namespace = ''] = called.split('.');
    throw new Failure(
      hasOwn(this.#namespaces, namespace) ? this.#namespaces[namespace]!.fault : 'SecurityError',
      `${called} failed: the host could not do it`,
    );
  }
}

function isGuarded(namespace: string): boolean {
  for (let at = 0; at < guardedNamespaceNames.length; at++) if (guardedNamespaceNames[at] === namespace) return true;
  return false;
}

/** The approximate size in bytes; a single number counts as 0. */
function sizeOf(answer: Answer): number {
  if (typeof answer === 'string') return answer.length;
  return answer instanceof Composite ? answer.size : isList(answer) ? new Composite('array', answer).size : 0;
}

function isList(answer: Answer): answer is readonly string[] {
  return Array.isArray(answer);
}
