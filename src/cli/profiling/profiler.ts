// What measures a run.

import type { Script, ScriptRun } from '../../../runtime-host/api/node.ts';
import type { Thread } from '../../../runtime-host/run/thread.ts';
import type { EmitOptions } from '../../5-emit/emitted-program.ts';
import type { CompileChoice } from '../../compile.ts';

/** What is measured, from compiling to the end of the run. */
export interface Profiler {
  readonly options: EmitOptions;
  readonly choice: CompileChoice;
  readonly thread: Thread;
  readonly begin: () => Promise<void>;
  /** What there is to say. */
  readonly end: (run: ScriptRun, script: Script) => Promise<Profile>;
}

export interface Profile {
  /** For people. */
  readonly lines: readonly string[];
  /** The content of the file. */
  readonly content: string;
}
