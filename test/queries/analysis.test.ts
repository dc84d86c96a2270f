// What an analysis keeps of the one before: an editor makes one at each keystroke, for hours.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { analyse, completionsAt } from '../../src/queries/index.ts';
import type { Analysis } from '../../src/queries/index.ts';
import { createSourceFile } from '../../src/source.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** A second analysis, and a weak reference to the one that it was made with. */
function makeTwo(): readonly [Analysis, WeakRef<Analysis>] {
  const text = 'type P { int x; }\nint f(P p) { return p.x; }\nmain() { return f({ x: 1 }); }\n';
  const first = analyse(createSourceFile('a.slu', text), null);
  completionsAt(first, 'a.slu', text.indexOf('p.x') + 2);
  return [analyse(createSourceFile('a.slu', `${text}\n`), null, { previous: first }), new WeakRef(first)];
}

it('does not hold the one before', async () => {
  const [second, first] = makeTwo();
  // What a weak reference has shown stays until the next turn.
  await new Promise((resolve) => setTimeout(resolve));
  collectGarbage();
  expect(first.deref()).toBeUndefined();
  expect(second.entry.syntax.items).toHaveLength(3);
});
