// Scripts as Mir: what the tests of the passes look at.

import { lower } from '../../src/3-lower/lower.ts';
import type { MirProgram } from '../../src/mir/mir.ts';
import { programOf } from '../check/checking.ts';

/** The Mir of a script without any diagnostic, as lowering makes it. */
export function mirOf(text: string): MirProgram {
  return lower(programOf(text));
}
