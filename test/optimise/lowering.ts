// Scripts as Mir: what the tests of the passes look at.

import { settingsOf } from '../../src/4-optimise/pass.ts';
import { runPasses } from '../../src/4-optimise/passes.ts';
import { lower } from '../../src/3-lower/lower.ts';
import type { MirProgram } from '../../src/mir/mir.ts';
import { programOf } from '../check/checking.ts';

/** The Mir of a script without any diagnostic, as lowering makes it. */
export function mirOf(text: string): MirProgram {
  return lower(programOf(text));
}

/** The Mir of a script behind all passes. */
export function optimised(text: string, countsFuel = false): MirProgram {
  return runPasses(mirOf(text), settingsOf({ guards: { use: countsFuel } }), { optimise: true });
}
