// Scripts as Mir: what the tests of the passes observe at.

import { settingsOf } from '../../src/4-optimise/pass.ts';
import { runPasses } from '../../src/4-optimise/passes.ts';
import { lower } from '../../src/3-lower/lower.ts';
import type { MirProgram } from '../../src/mir/program.ts';
import { requireVerified } from '../../src/mir/verify.ts';
import { programOf } from '../check/checking.ts';

/** The Mir of a script without any diagnostic, as lowering makes it. */
export function mirOf(text: string): MirProgram {
  const program = lower(programOf(text));
  requireVerified(program, 'behind lower');
  return program;
}

/** The Mir of a script behind all passes, behind each of which it is well formed. */
export function optimised(text: string, countsFuel = false): MirProgram {
  return runPasses(mirOf(text), settingsOf({ guards: { use: countsFuel } }), {
    optimise: true,
    observe: (pass, program) => requireVerified(program, `behind ${pass}`, { countsFuel }),
  });
}
