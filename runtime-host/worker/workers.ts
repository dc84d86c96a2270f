// Runs a script's instances in the workers or processes of a pool, each instance in its own. Arguments are checked
// here, before they are sent to a worker.

import type { ManifestExport } from '../../src/abi/manifest.ts';
import { checkNamedCall } from '../marshalling/call-arguments.ts';
import { AbortError, HostError } from '../errors/errors.ts';
import type { Environment, Program } from '../run/execution.ts';
import { canSuspend } from '../engine/features.ts';
import type { ExecutionBackend } from '../run/execution-backend.ts';
import { busyInstance, closed, endedInstance } from '../run/instance.ts';
import type { InstanceCalls, CallResult } from '../run/script-types.ts';
import type { CheckedArguments } from '../marshalling/marshalled-values.ts';
import { isAsked } from '../plugins/used-plugin.ts';
import type { Outcome, Receiver, RunExecution, Suspension } from '../run/run-execution.ts';
import type { ScriptValue } from '../values/script-value.ts';
import type { Lease, LeaseRequest, PendingLease } from './lease.ts';
import { canShareMemory } from './mailbox.ts';
import type { NumberSource, Opening, StartWorker } from './messages.ts';
import { packArguments, unpackValue } from './packing.ts';
import type { WorkerPool } from './pool.ts';
import { PooledWorker } from './pooled-worker.ts';
import { errorOf, Session } from './session.ts';
import type { Ended } from './session.ts';
import { SingleUseThread } from './single-use-thread.ts';
import type { ThreadPool } from './thread-pool.ts';

export interface IsolationOptions {
  readonly isolation: 'worker' | 'process';
  readonly pool: WorkerPool;
  readonly start: StartWorker;
  /** Distinguishes these workers from those of other files. */
  readonly file: string;
  /** Whether somebody else may have compiled the module. */
  readonly isForeign: boolean;
}

/** Gets a worker or process for each instance of one script. */
class InstanceLauncher {
  readonly program: Program;
  readonly isolation: IsolationOptions['isolation'];
  readonly #threads: ThreadPool;
  readonly #request: LeaseRequest;

  constructor(program: Program, { isolation, pool, start, file, isForeign }: IsolationOptions) {
    this.program = program;
    this.isolation = isolation;
    const shared = isolation === 'worker';
    this.#threads = shared ? pool.workers : pool.processes;
    this.#request = {
      caller: this,
      program,
      isForeign,
      kind: shared ? file : this,
      // A process is started for one script only, and takes much memory.
      startsAhead: shared && isForeign,
      start: () => (shared ? new PooledWorker(start(), file) : new SingleUseThread(start())),
    };
    // The first one starts now, so that it is ready when it is needed.
    this.#threads.warm(this.#request);
  }

  /** Requests a worker or process. */
  enter(): PendingLease {
    return this.#threads.enter(this.#request);
  }

  /** Throws HostError for an environment that a worker cannot use. */
  check({ random, clock, limits }: Environment): void {
    if (this.isolation !== 'worker' || canShareMemory()) return;
    const { manifest, plugins } = this.program;
    const asked =
      sourceOf(random, Math.random) === 'owner'
        ? 'random'
        : sourceOf(clock, Date.now) === 'owner'
          ? 'clock'
          : limits?.options.onLimit !== undefined
            ? 'limits.onLimit'
            : null;
    if (asked !== null)
      throw new HostError(
        `the option ${asked} cannot be a function here: a script in a worker must wait for it, ` +
          'which takes memory that is shared, and this page is not cross-origin isolated',
      );
    if (!canSuspend() && ((manifest.waits ?? []).length > 0 || plugins.some(isAsked)))
      throw new HostError(
        'this script waits for its host, which in a worker takes memory that is shared, for which the page must ' +
          'be cross-origin isolated, or an engine that can suspend WebAssembly (JSPI)',
      );
  }

  /** Begins an instance. Throws HostError. */
  open(lease: Lease, environment: Environment, receiver: Receiver): Session {
    const { program } = this;
    // The pool was closed just now.
    if (lease.ended !== null) throw lease.ended.error;
    const { onLimit, ...limits } = environment.limits?.options ?? {};
    const opening: Opening = {
      kind: 'open',
      program: lease.thread.open(program, this.#request.isForeign),
      random: sourceOf(environment.random, Math.random),
      clock: sourceOf(environment.clock, Date.now),
      limits: environment.limits === null ? null : limits,
      asksAtLimits: onLimit !== undefined,
      mailbox: lease.thread.mailbox,
    };
    try {
      return new Session(lease, { program, environment, opening, receiver });
    } catch (error) {
      lease.release(false);
      throw new HostError('this script cannot be told to a worker', { cause: error });
    }
  }
}

/** Starts a first worker or process at once. */
export function isolatedBackend(program: Program, options: IsolationOptions): ExecutionBackend {
  const launcher = new InstanceLauncher(program, options);
  return {
    beginRun: (environment) => (receiver, suspension) => new IsolatedRun(launcher, environment, receiver, suspension),
    makeCalls: (environment) => new IsolatedCalls(launcher, environment),
  };
}

function sourceOf(numbers: number | (() => number), engine: () => number): NumberSource {
  return typeof numbers === 'number' ? numbers : numbers === engine ? 'engine' : 'owner';
}

/** Whether the worker can serve others: not after behaviour that no module of Sluice has. */
function isSound(ended: Ended): boolean {
  if (ended.kind === 'killed') return false;
  const { end } = ended.ending;
  return end.kind !== 'failed' || end.error.kind === 'script';
}

class IsolatedRun implements RunExecution {
  readonly #launcher: InstanceLauncher;
  readonly #environment: Environment;
  readonly #receiver: Receiver;
  readonly #suspension: Suspension;
  #pending: PendingLease | null = null;
  #session: Session | null = null;
  #aborted = false;
  instantiateMs = 0;
  runMs = 0;
  fuelUsed: number | null = null;

  constructor(launcher: InstanceLauncher, environment: Environment, receiver: Receiver, suspension: Suspension) {
    this.#launcher = launcher;
    this.#environment = environment;
    this.#receiver = receiver;
    this.#suspension = suspension;
  }

  /** Whether code of a plugin runs at this moment, in this thread. */
  get isInPlugin(): boolean {
    return this.#session?.isInPlugin === true;
  }

  async run(values: CheckedArguments): Promise<Outcome> {
    if (this.#aborted) return { kind: 'failed', error: aborted() };
    const packed = packArguments(values);
    try {
      this.#launcher.check(this.#environment);
      this.#pending = this.#launcher.enter();
      const lease = await this.#pending.lease;
      if (this.#aborted) {
        lease.release(true);
        throw aborted();
      }
      this.#session = this.#launcher.open(lease, this.#environment, this.#receiver);
    } catch (error) {
      return { kind: 'failed', error };
    }
    const started = performance.now();
    const session = this.#session;
    const ended = await session.do({
      kind: 'run',
      values: packed,
      waitsAtYields: this.#suspension === 'at-calls-and-yields',
    });
    if (ended.kind === 'killed') {
      this.runMs = performance.now() - started;
      return { kind: 'failed', error: ended.error };
    }
    const { end, instantiateMs, runMs, fuelUsed } = ended.ending;
    this.instantiateMs = instantiateMs;
    this.runMs = runMs;
    this.fuelUsed = fuelUsed;
    if (end.kind === 'failed') session.abandon();
    session.leave(isSound(ended));
    this.#session = null;
    if (end.kind !== 'run') return { kind: 'failed', error: errorOf(ended, this.#environment) };
    if (end.result === null) return { kind: 'finished', result: null };
    const { value, printsAsJson } = end.result;
    return { kind: 'finished', result: { value: unpackValue(value) as ScriptValue, printsAsJson } };
  }

  abort(): void {
    this.#aborted = true;
    this.#pending?.leave(aborted());
    this.#session?.kill(aborted());
  }
}

/** Ends the workers of instances that were garbage-collected. */
const forgotten = new FinalizationRegistry<Session>((session) => session.kill(closed));

/** The yielded values of a call arrive with its end. */
const noReceiver: Receiver = { take: () => {}, unread: () => ({ items: 0, bytes: 0 }) };

/** The calls of one instance. */
class IsolatedCalls implements InstanceCalls {
  readonly #launcher: InstanceLauncher;
  readonly #environment: Environment;
  #pending: PendingLease | null = null;
  #session: Session | null = null;
  #isBusy = false;
  #isSound = true;
  /** The error that ended it. */
  #end: { readonly error: unknown } | null = null;

  constructor(launcher: InstanceLauncher, environment: Environment) {
    this.#launcher = launcher;
    this.#environment = environment;
  }

  async call(name: string, values: unknown[]): Promise<CallResult> {
    const { described, checked } = checkNamedCall(this.#launcher.program.manifest, name, values);
    if (this.#isBusy) throw busyInstance();
    // Its worker may have ended meanwhile.
    this.#end ??= this.#session?.killed ?? null;
    if (this.#end !== null) throw endedInstance(this.#end.error);
    this.#isBusy = true;
    try {
      return await this.#callChecked(described, checked);
    } finally {
      this.#isBusy = false;
    }
  }

  callSync(name: unknown): never {
    throw new HostError(
      `callSync cannot call ${typeof name === 'string' ? name : 'a function'}: the script runs in a ` +
        `${this.#launcher.isolation}, which answers later; use call() instead`,
    );
  }

  close(): void {
    const isFree = this.#end === null && !this.#isBusy;
    this.#end ??= { error: closed };
    this.#pending?.leave(closed);
    if (this.#session === null) return;
    forgotten.unregister(this);
    if (isFree) {
      this.#session.abandon();
      this.#session.leave(this.#isSound);
    } else this.#session.kill(closed);
  }

  async #callChecked({ name }: ManifestExport, checked: CheckedArguments): Promise<CallResult> {
    const packed = packArguments(checked);
    const session = (this.#session ??= await this.#open());
    const ended = await session.do({ kind: 'call', name, values: packed });
    this.#isSound &&= isSound(ended);
    if (ended.kind === 'told' && ended.ending.end.kind === 'call') {
      const { value, yields } = ended.ending.end.call;
      return { value: unpackValue(value), yields: yields.map((one) => unpackValue(one) as ScriptValue) };
    }
    const error = errorOf(ended, this.#environment);
    if (ended.kind === 'killed' || !ended.ending.goesOn) {
      this.#end ??= { error };
      session.abandon();
      session.leave(this.#isSound);
    }
    throw error;
  }

  /** After an instance was refused a place, it may ask again. */
  async #open(): Promise<Session> {
    this.#launcher.check(this.#environment);
    this.#pending = this.#launcher.enter();
    const lease = await this.#pending.lease;
    if (this.#end !== null) {
      lease.release(true);
      throw this.#end.error;
    }
    const session = this.#launcher.open(lease, this.#environment, noReceiver);
    forgotten.register(this, session, this);
    return session;
  }
}

function aborted(): AbortError {
  return new AbortError('the run was aborted');
}
