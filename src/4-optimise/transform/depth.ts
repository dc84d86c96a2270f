// Call depth: recursive functions pass on how many bytes of stack are left.
//
//   int f(int n) { return f(n - 1); }
// takes a hidden parameter, and so does every function on a path of the call graph from one recursive function to
// another. The emitter subtracts the size of the frame at the beginning of each of them. The other functions do not
// take the parameter: the text of the program bounds the number of their frames.

import type { Pass } from '../pass.ts';

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
      ([id, fn]) => [id, between.has(id) ? { ...fn, takesDepth: true } : fn] as const,
    );
    return { ...program, functions: new Map(functions) };
  },
};
