// Counts which code of a compiled file its tests run: the counters of each instance add up.

import { countExport } from '../../abi/imports.ts';
import { coverageOf } from '../../coverage/coverage.ts';
import type { FileCoverage } from '../../coverage/coverage.ts';
import type { Counter } from '../../coverage/counters.ts';
import { instrument } from '../../coverage/instrument.ts';
import type { MirProgram } from '../../mir/program.ts';
import { isTestFile } from '../../testing/tests.ts';

type Count = (counter: number) => bigint;

export class CoverageRecorder {
  #counters: readonly Counter[] = [];
  readonly #counts: bigint[] = [];
  #instances: Count[] = [];

  /** The program with counters for all code but that of tests. Types of plugins have none. */
  instrument(program: MirProgram): MirProgram {
    const instrumented = instrument(program, ({ name }) => !isTestFile(name));
    this.#counters = instrumented.counters;
    return instrumented.program;
  }

  add(exports: Readonly<Record<string, unknown>>): void {
    const count = exports[countExport];
    if (typeof count === 'function') this.#instances.push(count as Count);
  }

  /** Takes what the instances have counted, which do no more. */
  collect(): void {
    for (const count of this.#instances)
      for (const counter of this.#counters.keys())
        this.#counts[counter] = (this.#counts[counter] ?? 0n) + count(counter);
    this.#instances = [];
  }

  coverage(): readonly FileCoverage[] {
    return coverageOf(this.#counters, this.#counts);
  }
}
