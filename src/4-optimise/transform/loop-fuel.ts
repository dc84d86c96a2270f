// Fuel of loops: where nothing in a counted loop can fail, wait or be seen from outside before it ends, its iterations
// are charged at once, by how far its variable got.
//
//   loop 1 while (i < n) #counted i < n by 1      loop 1 while (i < n) #counted i < n by 1 pure
//     total = (total + i)                           total = (total + i)
//
// Notes that here; emit counts. Does not apply to loops that call, allocate or check anything.
// Source: as gas metering by basic blocks, for loops with a known trip count.

import type { LibraryRegistry } from '../../library/registry.ts';
import { hasLoop } from '../../mir/children.ts';
import { effectsOf, every, isSilent } from '../../mir/effects.ts';
import type { Loop, Statement } from '../../mir/mir.ts';
import { rewriteBlocks } from '../../mir/rewrite.ts';
import { mapFunctions } from '../pass.ts';
import type { Pass } from '../pass.ts';

export const loopFuel: Pass = {
  name: 'loop-fuel',
  summary: 'iterations of loops in which nothing can fail are charged at once',
  isRequired: false,
  keeps: ['mod-ref', 'recursion', 'ranges'],
  run: (program, context) => {
    if (!context.settings.countsFuel) return program;
    const note = (node: Statement): Statement => (node.kind === 'loop' ? notePure(node, program.registry) : node);
    return mapFunctions(program, context, (fn) =>
      hasLoop(fn.body) ? { ...fn, body: rewriteBlocks(fn.body, (block) => block.map(note)) } : fn,
    );
  },
};

/** The loop, with a note where it counts and nobody sees it before its end. */
function notePure(loop: Loop, registry: LibraryRegistry): Loop {
  if (loop.counted === undefined) return loop;
  const isPure = every([...loop.body, ...loop.step], (node) => {
    const effects = effectsOf(node, registry);
    return isSilent(effects) && (effects.leaves === null || effects.leaves === loop.id);
  });
  return { ...loop, counted: { ...loop.counted, isPure } };
}
