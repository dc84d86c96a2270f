// Starts the page: what the link or the last visit holds, or the first example.

import welcome from '../examples/welcome.slu?raw';
import { loadExample, examples } from './examples.ts';
import { isolate, prepareOffline } from './page/offline.ts';
import { readSaved } from './page/saved.ts';
import { unpackFragment } from './page/share.ts';
import type { Shared } from './page/share.ts';
import { Playground } from './playground.ts';

/** What the page begins with. A link comes before what was here last. */
async function firstScript(): Promise<{ readonly shared: Shared; readonly complaint: string | null }> {
  const begin = readSaved() ?? { script: welcome };
  try {
    return { shared: (await ofFragment()) ?? begin, complaint: null };
  } catch (error) {
    return { shared: begin, complaint: (error as Error).message };
  }
}

/** What the address asks for: a script, or an example; null if neither. */
async function ofFragment(): Promise<Shared | null> {
  const fragment = location.hash.slice(1);
  const example = examples.find(({ id }) => fragment === `example=${id}`);
  if (example === undefined) return unpackFragment(fragment);
  const { script, files } = await loadExample(example);
  return { script, files, arguments: example.arguments ?? {} };
}

await isolate();
const { shared, complaint } = await firstScript();
const playground = new Playground(shared);
if (complaint !== null) playground.say(complaint);

addEventListener('hashchange', () => {
  ofFragment().then(
    (shared) => (shared === null ? undefined : playground.open(shared)),
    (error: unknown) => playground.say((error as Error).message),
  );
});

await playground.warm();
document.documentElement.dataset['ready'] = 'true';
// For measurements from outside.
Object.assign(globalThis, { playground });
document.documentElement.dataset['offline'] = String(await prepareOffline());
