// The worker's side: one instance of a script, which asks its owner for everything that it cannot compute itself.

import type { Manifest } from '../../src/abi/manifest.ts';
import { answerFromJson, failureToJson } from '../marshalling/answer-json.ts';
import { LocalCalls } from '../run/call.ts';
import { Execution } from '../run/execution.ts';
import type { Environment, Program } from '../run/execution.ts';
import { Failure, proceed } from '../errors/failures.ts';
import type { Awaitable } from '../errors/failures.ts';
import type { AnswerCall } from '../run/host-calls.ts';
import type { Answer } from '../marshalling/marshalled-values.ts';
import type { MemoryGauge } from '../limits/meter.ts';
import type { LimitExtension, LimitRequest } from '../limits/options.ts';
import { limitsOf } from '../limits/run-limits.ts';
import { stackOfTrap, trapped } from '../plugins/traps.ts';
import { PluginCalls } from '../run/plugin-calls.ts';
import type { Outcome, Receiver } from '../run/run-execution.ts';
import type { CallResult } from '../run/script-types.ts';
import { isAsked } from '../plugins/used-plugin.ts';
import type { UsedPlugin } from '../plugins/used-plugin.ts';
import { stagingOf } from '../marshalling/staging.ts';
import { noCapabilities } from '../run/capabilities.ts';
import { packError } from './errors.ts';
import { blockingTransport, suspendingTransport } from './transport.ts';
import type { Transport, Post } from './transport.ts';
import { workerVersion } from './messages.ts';
import type { Ending, NumberSource, Opening, PackedProgram, ToWorker, Work } from './messages.ts';
import { packValue, unpackArguments } from './packing.ts';
import type { Reply, Told, Wanted } from './reply.ts';
import { windowOf } from './flow-control.ts';

/** What the engine of the worker offers. */
export interface WorkerEngine {
  /** Null if nothing measures the heap. */
  readonly memory: MemoryGauge | null;
  /** The default of `depthBytes` in LimitOptions if the owner gives none; null for the default of other threads. */
  readonly depthBytes: number | null;
  /** How a script waits for its owner, if the engine has its own way. */
  readonly makeTransport?: (post: Post) => Transport;
}

/** Reports to the owner that the worker has started, and returns the function that takes the owner's messages. */
export function serveOwner(post: Post, engine: WorkerEngine): (message: ToWorker) => void {
  const programs = new Map<number, Program>();
  const heapBytes = (): number | null => engine.memory?.used() ?? null;
  const end = ({ ending, moves = [] }: Delivery): void =>
    post({ kind: 'ended', ...ending, heapBytes: heapBytes() }, moves);
  let instance: WorkerInstance | null = null;
  /** The reason why there is no instance. */
  let fault: unknown = null;
  post({ kind: 'ready', version: workerVersion, heapBytes: heapBytes() });
  return (message) => {
    switch (message.kind) {
      case 'open':
        instance = null;
        try {
          instance = new WorkerInstance(message, programs, { post, end }, engine);
        } catch (error) {
          fault = error;
        }
        return;
      case 'run':
      case 'call':
        if (instance === null) end({ ending: failed(fault) });
        else instance.work(message);
        return;
      case 'collect':
        // The last instance is not needed any more.
        instance = null;
        engine.memory?.collect?.();
        post({ kind: 'collected', heapBytes: heapBytes() });
        return;
      case 'answer':
      case 'taken':
        instance?.transport.take(message);
    }
  };
}

/** An ending, in the instance's view. */
type InstanceEnding = Omit<Ending, 'heapBytes'>;

/** The end of work that could not be done. */
function failed(error: unknown): InstanceEnding {
  return {
    end: { kind: 'failed', error: packError(error) },
    instantiateMs: 0,
    runMs: 0,
    fuelUsed: null,
    goesOn: false,
  };
}

/** The channel of an instance to its owner. */
interface Owner {
  readonly post: Post;
  readonly end: (delivery: Delivery) => void;
}

/** The state of one instance. */
class WorkerInstance {
  readonly transport: Transport;
  readonly #program: Program;
  readonly #environment: Environment;
  readonly #owner: Owner;
  readonly #isLimited: boolean;
  #calls: LocalCalls | null = null;

  constructor(
    { program: { id, program, forget }, random, clock, limits, asksAtLimits, mailbox }: Opening,
    programs: Map<number, Program>,
    owner: Owner,
    { memory, depthBytes, makeTransport }: WorkerEngine,
  ) {
    const { post } = owner;
    this.transport =
      makeTransport !== undefined
        ? makeTransport(post)
        : mailbox === null
          ? suspendingTransport(post)
          : blockingTransport(mailbox, post);
    this.#owner = owner;
    for (const old of forget) programs.delete(old);
    if (program !== null) programs.set(id, unpackProgram(program, this.transport.suspends));
    this.#program = programs.get(id)!;
    this.#environment = {
      // The engine's own sequence continues from run to run, so a script could predict later numbers.
      random: random === 'engine' ? freshSeed() : this.#numbers(random, Math.random, 'Math.random'),
      clock: this.#numbers(clock, Date.now, 'Date.now'),
      capabilities: noCapabilities,
      answerCall: this.#answerCall,
      timesWaits: false,
      thread: null,
      // The owner adds the advice.
      depthHelp: null,
      limits:
        limits === null && depthBytes === null
          ? null
          : limitsOf(
              {
                ...limits,
                depthBytes: limits?.depthBytes ?? depthBytes,
                ...(asksAtLimits ? { onLimit: this.#onLimit } : {}),
              },
              memory,
            ),
    };
    this.#isLimited = limits !== null;
  }

  work(work: Work): void {
    this.#owner.post({ kind: 'begun' });
    try {
      const done = work.kind === 'run' ? this.#run(work) : this.#call(work);
      if (done instanceof Promise)
        void done
          .then((ending) => this.#owner.end(ending))
          .catch((error: unknown) => this.#owner.end({ ending: failed(error) }));
      else this.#owner.end(done);
    } catch (error) {
      this.#owner.end({ ending: failed(error) });
    }
  }

  #run({ values, waitsAtYields }: Work & { readonly kind: 'run' }): Awaitable<Delivery> {
    const execution: Execution = new Execution(
      this.#program,
      this.#environment,
      this.#receiver(waitsAtYields, (milliseconds) => execution.discount(milliseconds)),
      this.transport.suspends ? 'at-calls-and-yields' : 'never',
    );
    return proceed(execution.run(unpackArguments(values)), (outcome: Outcome): Delivery => {
      const times = {
        instantiateMs: execution.instantiateMs,
        runMs: execution.runMs,
        fuelUsed: this.#isLimited ? execution.fuelUsed : null,
        goesOn: false,
      };
      if (outcome.kind === 'failed')
        return { ending: { end: { kind: 'failed', error: packError(outcome.error) }, ...times } };
      if (outcome.result === null) return { ending: { end: { kind: 'run', result: null }, ...times } };
      const { value, moves } = packValue(outcome.result.value);
      return {
        ending: { end: { kind: 'run', result: { value, printsAsJson: outcome.result.printsAsJson } }, ...times },
        moves,
      };
    });
  }

  #call({ name, values }: Work & { readonly kind: 'call' }): Awaitable<Delivery> {
    const calls = (this.#calls ??= new LocalCalls(
      this.#program,
      this.#environment,
      this.transport.suspends ? 'at-calls' : 'never',
      null,
    ));
    const times = { instantiateMs: 0, runMs: 0, fuelUsed: null };
    const give = (result: CallResult): Delivery => {
      const [value, ...yields] = [result.value, ...result.yields].map(packValue);
      const moves = [value!, ...yields].flatMap((parcel) => parcel.moves);
      return {
        ending: {
          end: { kind: 'call', call: { value: value!.value, yields: yields.map((parcel) => parcel.value) } },
          ...times,
          goesOn: true,
        },
        moves,
      };
    };
    const fail = (error: unknown): Delivery => ({
      ending: { end: { kind: 'failed', error: packError(error) }, ...times, goesOn: calls.goesOn },
    });
    try {
      const called = calls.callChecked(
        this.#program.manifest.exports!.find((fn) => fn.name === name)!,
        unpackArguments(values),
      );
      return called instanceof Promise ? called.then(give, fail) : give(called);
    } catch (error) {
      return fail(error);
    }
  }

  /** Sends yielded values; the script waits until each has been read, or only if too much is unread. */
  #receiver(waitsAtYields: boolean, discount: (milliseconds: number) => void): Receiver {
    const { least, most } = windowOf(this.#environment.limits?.options ?? null, waitsAtYields);
    let sent = 0;
    return {
      take: (value, _text, printsAsJson) => {
        const { value: packed, moves, size } = packValue(value);
        const units = Math.max(size, least);
        sent = (sent + units) | 0;
        this.#owner.post({ kind: 'yield', value: packed, printsAsJson, units }, moves);
        if (this.transport.hasRoom(sent, most)) return undefined;
        const start = performance.now();
        const waiting = this.transport.waitForRoom(sent, most);
        // A suspended script has paused its clock itself.
        if (!(waiting instanceof Promise)) discount(performance.now() - start);
        return waiting;
      },
      unread: () => this.transport.unread,
    };
  }

  /**
   * Gets the owner's answer. In between, the owner may ask whether the call may use more traffic, since the run's
   * limits are here.
   */
  readonly #answerCall: AnswerCall = (called, values, _live, { discount, limits }) => {
    const take = ({ text, beside }: Reply): Awaitable<Answer> => {
      const told = JSON.parse(text) as Told | Wanted;
      limits?.note(told.used);
      if ('answer' in told) {
        discount(told.pausedMs);
        return answerFromJson(told.answer, beside);
      }
      const { kind, amount, held } = told.wants;
      try {
        // This never waits: the worker's code blocks while the owner is asked.
        void limits!.allow(kind, amount, held);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        return proceed(this.transport.ask('giveUp', [JSON.stringify(failureToJson(error))]), take);
      }
      return proceed(this.transport.ask('goOn', [], limits!.room()), take);
    };
    return proceed(this.transport.ask(called, values, limits === null ? null : limits.room()), take);
  };

  // Without shared memory the option is refused in workers.ts.
  readonly #onLimit = (request: LimitRequest): LimitExtension | null =>
    JSON.parse((this.transport.ask('onLimit', [JSON.stringify(request)]) as Reply).text) as LimitExtension | null;

  #numbers(source: NumberSource, engine: () => number, called: string): number | (() => number) {
    if (typeof source === 'number') return source;
    // Without shared memory such functions are refused in workers.ts.
    return source === 'engine'
      ? engine
      : () => (JSON.parse((this.transport.ask(called, []) as Reply).text) as { readonly number: number }).number;
  }
}

function unpackProgram({ module, manifest, imports, plugins }: PackedProgram, suspends: boolean): Program {
  return {
    module,
    imports,
    namespaces: {},
    pluginSupport: plugins.length === 0 ? null : { PluginCalls, stackOfTrap, trapped, ownWork: null },
    staging: stagingOf(module),
    ...(suspends ? allWaiting(module, manifest, plugins) : { manifest, plugins }),
  };
}

/** A whole number of 53 bits. */
function freshSeed(): number {
  const [high, low] = crypto.getRandomValues(new Int32Array(2));
  return high! * 2 ** 21 + (low! >>> 11);
}

/** If the engine suspends the script, every call of a plugin at the owner waits, and so may every export. */
function allWaiting(
  module: WebAssembly.Module,
  manifest: Manifest,
  plugins: readonly UsedPlugin[],
): Pick<Program, 'manifest' | 'plugins'> {
  if (!plugins.some(isAsked)) return { manifest, plugins };
  const waits = WebAssembly.Module.exports(module).map(({ name }) => name);
  return {
    manifest: { ...manifest, waits },
    plugins: plugins.map((used) => ({ ...used, functions: used.functions.map((fn) => ({ ...fn, waits: true })) })),
  };
}

/** An ending, and its buffers that may be moved instead of copied. */
interface Delivery {
  readonly ending: InstanceEnding;
  readonly moves?: readonly ArrayBuffer[];
}
