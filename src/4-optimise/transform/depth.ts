// Call depth: recursive functions pass on how many bytes of stack are left.
//
//   int f(int n) { return f(n - 1); }
// takes a hidden parameter, and so does every function on a path of the call graph from one recursive function to
// another. At the beginning of each of them the emitter subtracts the size of its frame, which is counted here: what
// later passes make of a function does not change how deep calls can nest. The other functions do not take the
// parameter: the text of the program bounds the number of their frames.

import { stackFrame } from '../../language/settings.ts';
import type { Local } from '../../mir/program.ts';
import type { Pass } from '../pass.ts';

/** Variables of the compiler's own that every function may have. */
const hiddenVariables = 3;

/** The bytes of the stack that a call of a function with these locals counts for. */
export function frameOf(locals: readonly Local[]): number {
  return stackFrame(locals.length + hiddenVariables);
}

export const depth: Pass = {
  name: 'depth',
  summary: 'recursive functions count down how deep calls may nest',
  isRequired: true,
  keeps: ['mod-ref', 'recursion', 'ranges'],
  run: (program, { settings, analyses }) => {
    if (!settings.countsDepth) return program;
    const between = analyses.get('recursion').betweenRecursion();
    if (between.size === 0) return program;
    const functions = [...program.functions].map(
      ([id, fn]) => [id, between.has(id) ? { ...fn, frameBytes: frameOf(fn.locals) } : fn] as const,
    );
    return { ...program, functions: new Map(functions) };
  },
};
