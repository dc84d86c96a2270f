// Fuel by function and loop, counted in the module, and stacks that are taken where it asks for more.

import type { Script, ScriptRun } from '../../../runtime-host/api/node.ts';
import { captureStack, readFrames, scriptFrames } from '../../../runtime-host/errors/stack-trace.ts';
import type { Thread } from '../../../runtime-host/run/thread.ts';
import { countExport } from '../../abi/imports.ts';
import type { EmitOptions } from '../../5-emit/emitted-program.ts';
import type { CompileChoice } from '../../compile.ts';
import type { Charge } from '../../profile/charges.ts';
import { fuelProfile } from '../../profile/fuel.ts';
import { instrument } from '../../profile/instrument.ts';
import { Samples, unitsPerSample } from '../../profile/samples.ts';
import { speedscopeFile } from '../../profile/speedscope.ts';
import { fuelTable } from '../../profile/table.ts';
import { terminalStyle } from '../output.ts';
import { packageVersion } from '../package.ts';
import type { Profile, Profiler } from './profiler.ts';

export class FuelProfiler implements Profiler {
  readonly options: EmitOptions = { optimise: false, iterationsPerCall: unitsPerSample };
  readonly choice: CompileChoice;
  readonly thread: Thread;
  #charges: readonly Charge[] = [];
  #count: (counter: number) => bigint = () => 0n;
  readonly #samples = new Samples<string>();
  /** Most samples have a stack that another one had: each is kept once. */
  readonly #stacks = new Map<string, string>();

  /** `thread` has the hooks of the command, which go on. */
  constructor(thread: Thread) {
    this.choice = {
      instrument: (program) => {
        const instrumented = instrument(program);
        this.#charges = instrumented.charges;
        return instrumented.program;
      },
    };
    this.thread = {
      onInstance: (exports) => void (this.#count = exports[countExport] as (counter: number) => bigint),
      onPoll: (units) => {
        thread.onPoll?.(units);
        this.#samples.add(units, () => this.#stack());
      },
    };
  }

  #stack(): string {
    const stack = captureStack();
    const known = this.#stacks.get(stack);
    if (known === undefined) this.#stacks.set(stack, stack);
    return known ?? stack;
  }

  async begin(): Promise<void> {}

  async end(run: ScriptRun, { name, manifest }: Script): Promise<Profile> {
    const counts = this.#charges.map((_, counter) => this.#count(counter));
    const profile = fuelProfile(this.#charges, counts, BigInt(run.fuelUsed ?? 0));
    const places = new Map(
      [...this.#stacks.keys()].map((text) => [
        text,
        scriptFrames(readFrames(text), manifest.locations, -1, manifest.name),
      ]),
    );
    const samples = this.#samples.list.map(({ stack, units }) => ({ stack: places.get(stack)!, units }));
    return {
      lines: ['', ...fuelTable(profile, terminalStyle())],
      content: speedscopeFile(name, profile, samples, `sluice@${packageVersion()}`),
    };
  }
}
