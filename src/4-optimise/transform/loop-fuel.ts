// Fuel of loops: where nothing in a counted loop can fail, wait or be seen from outside before it ends, its iterations are
// charged at once, by how far its variable got.
//
//   loop 1 while (i < n) #counted i < n by 1      loop 1 while (i < n) #counted i < n by 1 pure
//     total = (total + i)                           total = (total + i)
//
// Notes that here; emit counts. Does not apply to loops that call, allocate or check anything.
// Source: as gas metering by basic blocks, for loops with a known trip count.

import { hasLoop } from '../../mir/children.ts';
import { rewriteBlocks } from '../../mir/rewrite.ts';
import { notePure } from '../analysis/pure.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass } from '../pass.ts';

export const loopFuel: Pass = {
  name: 'loop-fuel',
  summary: 'iterations of loops in which nothing can fail are charged at once',
  isRequired: false,
  keeps: ['mod-ref', 'recursion', 'ranges'],
  run: (program, context) => {
    if (!context.settings.countsFuel) return program;
    return mapFunctions(program, context, (fn) =>
      hasLoop(fn.body)
        ? {
            ...fn,
            body: rewriteBlocks(fn.body, (block) =>
              block.map((node) => (node.kind === 'loop' ? notePure(node) : node)),
            ),
          }
        : fn,
    );
  },
};
