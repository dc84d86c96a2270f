// Where the instances of a script run: the interface for this thread and for workers (worker/workers.ts).

import { checkNamedCall } from '../marshalling/call-arguments.ts';
import { LocalCalls } from './call.ts';
import { Execution } from './execution.ts';
import type { Environment, Program } from './execution.ts';
import type { InstanceCalls } from './script-types.ts';
import type { BeginRun, Suspension } from './run-execution.ts';

export interface ExecutionBackend {
  /** Makes a run of main in this environment. */
  readonly beginRun: (environment: Environment) => BeginRun;
  /** Makes an instance for calls; `suspension` says whether it may wait. */
  readonly makeCalls: (environment: Environment, suspension: Suspension) => InstanceCalls;
}

export function localBackend(program: Program): ExecutionBackend {
  return {
    beginRun: (environment) => (receiver, suspension) => new Execution(program, environment, receiver, suspension),
    makeCalls: (environment, suspension) => new LocalCalls(program, environment, suspension, checkNamedCall),
  };
}
