// Call depth: recursive functions hand on how many bytes of frames there may still be.
//
//   int f(int n) { return f(n - 1); }
// takes a hidden parameter, and so does what lies between recursive calls; emit counts it down at the beginning of
// each. Functions that no recursion passes through know nothing of it: their frames are bounded by the text of the
// program.

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
