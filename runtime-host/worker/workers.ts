// Workers as the home of a script's instances: each instance has one to itself. Arguments are checked here, before a worker
// hears of them.

import type { ManifestExport } from '../../src/abi/manifest.ts';
import { checkNamedCall } from '../marshalling/call-arguments.ts';
import { AbortError, HostError } from '../errors/errors.ts';
import type { Environment, Program } from '../run/execution.ts';
import { canSuspend } from '../engine/features.ts';
import type { Home } from '../run/execution-backend.ts';
import { busyInstance, closed, endedInstance } from '../run/instance.ts';
import type { InstanceCalls } from '../run/instance.ts';
import type { CheckedArguments } from '../marshalling/parts.ts';
import { isAsked } from '../plugins/used-plugin.ts';
import type { Outcome, Receiver, RunExecution, Suspension } from '../run/run-execution.ts';
import type { CallResult } from '../run/script-types.ts';
import type { ScriptValue } from '../values/script-value.ts';
import { canShareMemory, makeMailbox } from './mailbox.ts';
import type { NumberSource, Opening, StartWorker, WorkerThread } from './messages.ts';
import { packArguments, unpackValue } from './packing.ts';
import { WorkerPool } from './pool.ts';
import { errorOf, Session } from './session.ts';

/** What makes sessions, each with a worker of its own. */
interface Ground {
  readonly program: Program;
  readonly pool: WorkerPool;
  readonly isolation: 'worker' | 'process';
}

/** Starts the first worker at once. */
export function workerHome(program: Program, start: StartWorker, isolation: Ground['isolation']): Home {
  const ground: Ground = { program, pool: new WorkerPool(start, isolation === 'worker'), isolation };
  return {
    beginRun: (environment) => (receiver, suspension) => new WorkerRun(ground, environment, receiver, suspension),
    makeCalls: (environment) => new WorkerCalls(ground, environment),
  };
}

/** Throws HostError for an environment that cannot be asked from a worker. */
function openSession(ground: Ground, environment: Environment, receiver: Receiver): { readonly session: Session; readonly thread: WorkerThread } {
  const { program, pool, isolation } = ground;
  const { module, manifest, imports, plugins } = program;
  const [random, clock] = [sourceOf(environment.random, Math.random), sourceOf(environment.clock, Date.now)];
  const onLimit = environment.limits?.options.onLimit;
  const { onLimit: _onLimit, ...limits } = environment.limits?.options ?? {};
  const mailbox = isolation === 'worker' && canShareMemory() ? makeMailbox() : null;
  if (isolation === 'worker' && mailbox === null) {
    const asked = random === 'owner' ? 'random' : clock === 'owner' ? 'clock' : onLimit !== undefined ? 'limits.onLimit' : null;
    if (asked !== null) throw new HostError(`the option ${asked} cannot be a function here: a script in a worker must wait for it, which takes memory that is shared, and this page is not cross-origin isolated`);
    if (!canSuspend() && ((manifest.waits ?? []).length > 0 || plugins.some(isAsked))) throw new HostError('this script waits for its host, which in a worker takes memory that is shared, for which the page must be cross-origin isolated, or an engine that can suspend WebAssembly (JSPI)');
  }
  const opening: Opening = { kind: 'open', module, manifest, imports, plugins: plugins.map((used) => ({ ...used, bytes: null, owned: null })), random, clock, limits: environment.limits === null ? null : limits, asksAtLimits: onLimit !== undefined, mailbox };
  const thread = pool.take();
  try {
    return { session: new Session(thread, { program, environment, opening, receiver }), thread };
  } catch (error) {
    thread.end();
    throw new HostError('this script cannot be told to a worker', { cause: error });
  }
}

/** Gives the worker of a session to whoever comes next, if it is free. */
function leave({ pool }: Ground, session: Session, thread: WorkerThread): void {
  if (session.leave()) pool.give(thread);
  else thread.end();
}

function sourceOf(numbers: number | (() => number), engine: () => number): NumberSource {
  return typeof numbers === 'number' ? numbers : numbers === engine ? 'engine' : 'owner';
}

class WorkerRun implements RunExecution {
  readonly #ground: Ground;
  readonly #environment: Environment;
  readonly #receiver: Receiver;
  readonly #suspension: Suspension;
  #session: Session | null = null;
  #aborted = false;
  instantiateMs = 0;
  runMs = 0;
  fuelUsed: number | null = null;

  constructor(ground: Ground, environment: Environment, receiver: Receiver, suspension: Suspension) {
    this.#ground = ground;
    this.#environment = environment;
    this.#receiver = receiver;
    this.#suspension = suspension;
  }

  /** Whether code of a plugin is what runs at this moment, in this thread. */
  get isInPlugin(): boolean {
    return this.#session?.isInPlugin === true;
  }

  async run(values: CheckedArguments): Promise<Outcome> {
    if (this.#aborted) return { kind: 'failed', error: aborted() };
    let thread: WorkerThread;
    const packed = packArguments(values);
    try {
      ({ session: this.#session, thread } = openSession(this.#ground, this.#environment, this.#receiver));
    } catch (error) {
      return { kind: 'failed', error };
    }
    const started = performance.now();
    const ended = await this.#session.do({ kind: 'run', values: packed, waitsAtYields: this.#suspension === 'at-calls-and-yields' });
    if (ended.kind === 'killed') {
      this.runMs = performance.now() - started;
      return { kind: 'failed', error: ended.error };
    }
    const { end, instantiateMs, runMs, fuelUsed } = ended.ending;
    this.instantiateMs = instantiateMs;
    this.runMs = runMs;
    this.fuelUsed = fuelUsed;
    if (end.kind === 'failed') this.#session.abandon();
    leave(this.#ground, this.#session, thread);
    this.#session = null;
    if (end.kind !== 'run') return { kind: 'failed', error: errorOf(ended) };
    if (end.result === null) return { kind: 'finished', result: null };
    const { value, printsAsJson } = end.result;
    return { kind: 'finished', result: { value: unpackValue(value) as ScriptValue, printsAsJson } };
  }

  abort(): void {
    this.#aborted = true;
    this.#session?.kill(aborted());
  }
}

/** Ends the workers of instances that nobody has any more. */
const forgotten = new FinalizationRegistry<Session>((session) => session.kill(closed));

/** What an instance yields comes with the end of the call. */
const noReceiver: Receiver = { take: () => {}, unread: () => ({ items: 0, bytes: 0 }) };

/** The calls of one instance. */
class WorkerCalls implements InstanceCalls {
  readonly #ground: Ground;
  readonly #environment: Environment;
  #worker: { readonly session: Session; readonly thread: WorkerThread } | null = null;
  #isBusy = false;
  /** What ended it. */
  #end: { readonly error: unknown } | null = null;

  constructor(ground: Ground, environment: Environment) {
    this.#ground = ground;
    this.#environment = environment;
  }

  async call(name: string, values: unknown[]): Promise<CallResult> {
    const { described, checked } = checkNamedCall(this.#ground.program.manifest, name, values);
    if (this.#isBusy) throw busyInstance();
    if (this.#end !== null) throw endedInstance(this.#end.error);
    this.#isBusy = true;
    try {
      return await this.#callChecked(described, checked);
    } finally {
      this.#isBusy = false;
    }
  }

  callSync(name: string): never {
    throw new HostError(`callSync cannot call ${name}: the script runs in a ${this.#ground.isolation}, which answers later; use call() instead`);
  }

  close(): void {
    const isFree = this.#end === null && !this.#isBusy;
    this.#end ??= { error: closed };
    if (this.#worker === null) return;
    forgotten.unregister(this);
    if (isFree) {
      this.#worker.session.abandon();
      leave(this.#ground, this.#worker.session, this.#worker.thread);
    } else this.#worker.session.kill(closed);
  }

  async #callChecked({ name }: ManifestExport, checked: CheckedArguments): Promise<CallResult> {
    const { session } = (this.#worker ??= this.#open());
    const ended = await session.do({ kind: 'call', name, values: packArguments(checked) });
    if (ended.kind === 'told' && ended.ending.end.kind === 'call') {
      const { value, yields } = ended.ending.end.call;
      return { value: unpackValue(value), yields: yields.map((one) => unpackValue(one) as ScriptValue) };
    }
    const error = errorOf(ended);
    if (ended.kind === 'killed' || !ended.ending.goesOn) {
      this.#end ??= { error };
      session.kill(error);
    }
    throw error;
  }

  #open(): { readonly session: Session; readonly thread: WorkerThread } {
    const worker = openSession(this.#ground, this.#environment, noReceiver);
    forgotten.register(this, worker.session, this);
    return worker;
  }
}

function aborted(): AbortError {
  return new AbortError('the run was aborted');
}
