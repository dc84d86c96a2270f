// Time by function, as the engine's own profiler samples it, of the script as `sluice run` compiles it.

import { Session } from 'node:inspector/promises';
import { entryName, functionOfOutlined, initialiserName, nameInModule } from '../../abi/names.ts';
import type { EmitOptions } from '../../5-emit/emitted-program.ts';
import type { CompileChoice } from '../../compile.ts';
import type { MirFunction } from '../../mir/program.ts';
import { positionAt } from '../../source.ts';
import { foldProfile, timesOf } from '../../profile/cpu.ts';
import type { CpuProfile, ScriptFunction } from '../../profile/cpu.ts';
import { timeTable } from '../../profile/table.ts';
import { terminalStyle } from '../output.ts';
import type { Profile, Profiler } from './profiler.ts';

const microsecondsPerSample = 250;

export class CpuProfiler implements Profiler {
  readonly options: EmitOptions = {};
  readonly thread = {};
  readonly choice: CompileChoice;
  /** The functions of the script by their names in the module. */
  readonly #functions = new Map<string, ScriptFunction>();
  readonly #session = new Session();

  constructor() {
    this.choice = {
      instrument: (program) => {
        for (const [id, fn] of program.functions) this.#functions.set(nameInModule(id), describe(fn));
        if (program.entry !== null) this.#functions.set(entryName, describe(program.entry));
        if (program.initialiser !== null) this.#functions.set(initialiserName, describe(program.initialiser));
        return program;
      },
    };
  }

  async begin(): Promise<void> {
    this.#session.connect();
    await this.#session.post('Profiler.enable');
    await this.#session.post('Profiler.setSamplingInterval', { interval: microsecondsPerSample });
    await this.#session.post('Profiler.start');
  }

  async end(): Promise<Profile> {
    const { profile } = await this.#session.post('Profiler.stop');
    this.#session.disconnect();
    const folded = foldProfile(profile as CpuProfile, (wasmName) => this.#resolve(wasmName));
    return { lines: ['', ...timeTable(timesOf(folded), terminalStyle())], content: JSON.stringify(folded) };
  }

  /** The engine may put the name of the module in front. */
  #resolve(wasmName: string): ScriptFunction | 'library' {
    const own = functionOfOutlined(wasmName) ?? wasmName;
    return this.#functions.get(own) ?? this.#functions.get(own.slice(own.indexOf('.') + 1)) ?? 'library';
  }
}

function describe({ name, span }: MirFunction): ScriptFunction {
  return { name, file: span.file.name, line: positionAt(span.file, span.start).line };
}
