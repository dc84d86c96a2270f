// The third room: a checked program becomes one that does the same and runs faster. Nothing here may change what a
// program does, down to which error it ends with and what a clause then sees.

import type { CheckedFunction, CheckedProgram } from '../2-check/typed-tree.ts';
import { addResumePoints } from './resume-points.ts';

/** The same program, each function of it improved. */
export function optimise(program: CheckedProgram): CheckedProgram {
  return {
    ...program,
    functions: new Map([...program.functions].map(([id, fn]) => [id, optimiseFunction(fn)])),
    initialiser: program.initialiser === null ? null : optimiseFunction(program.initialiser),
    entry: program.entry === null ? null : optimiseFunction(program.entry),
  };
}

function optimiseFunction(fn: CheckedFunction): CheckedFunction {
  return addResumePoints(fn);
}
