// Stands for the process of seeds in watched.test.ts: some of its seeds have no end.

import type { Message } from './watched.ts';

function work(seed: number): Message {
  if (seed === 3) process.send!({ kind: 'found', what: 'a difference' } satisfies Message);
  if (seed === 4) process.exit(7);
  while (seed === 2 || seed === 3) continue;
  return { kind: 'done', differences: seed === 5 ? ['seed 5: another'] : [], texts: 1 };
}

process.on('message', ({ seed }: { readonly seed: number }) => process.send!(work(seed)));
process.on('disconnect', () => process.exit());
