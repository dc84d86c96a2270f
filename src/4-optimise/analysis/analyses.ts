// The analyses of a program. Each is made when a pass first asks for it. Behind a pass it is made anew, unless the pass
// says that it keeps it valid.

import type { MirFunction, MirProgram } from '../../mir/program.ts';
import { FixedMatrices } from './fixed-matrices.ts';
import { ProgramChanges } from './mod-ref.ts';
import { Recursion } from './recursion.ts';
import { Ranges } from './ranges.ts';

/** The analyses by their names. */
interface Results {
  readonly 'mod-ref': ProgramChanges;
  readonly recursion: Recursion;
  readonly ranges: Ranges;
  readonly 'fixed-matrices': FixedMatrices;
}
export type AnalysisName = keyof Results;

const makers: { readonly [Name in AnalysisName]: (program: MirProgram) => Results[Name] } = {
  'mod-ref': (program) => new ProgramChanges(program),
  recursion: (program) => new Recursion(program),
  ranges: (program) => new Ranges(program),
  'fixed-matrices': (program) => new FixedMatrices(program),
};

export class Analyses {
  readonly #program: MirProgram;
  readonly #known: Partial<Results>;

  constructor(program: MirProgram, known: Partial<Results> = {}) {
    this.#program = program;
    this.#known = { ...known };
  }

  get<Name extends AnalysisName>(name: Name): Results[Name] {
    const known: Partial<Results>[Name] = this.#known[name];
    if (known !== undefined) return known;
    const made = makers[name](this.#program);
    (this.#known as { -readonly [Key in AnalysisName]?: Results[Key] })[name] = made;
    return made;
  }

  /** The analyses of the program that a pass made of this one; those in `kept` stay valid. */
  of(program: MirProgram, kept: readonly AnalysisName[]): Analyses {
    if (program === this.#program) return this;
    const known = Object.fromEntries(
      Object.entries(this.#known).filter(([name]) => kept.includes(name as AnalysisName)),
    );
    return new Analyses(program, known);
  }
}

/** Every function of a program. */
export function functionsOf({ functions, initialiser, entry }: MirProgram): readonly MirFunction[] {
  return [...functions.values(), initialiser, entry].filter((fn) => fn !== null);
}
