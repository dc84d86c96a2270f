// What the command loads first, and little more: the rest then comes with the code that the engine kept of it.

import { keepCode } from './code-cache.ts';

const doubt = keepCode();
const command = await import('./main.ts');

/** Runs the command of these words and answers with its exit code; never throws. */
export function main(words: readonly string[]): Promise<number> {
  return command.main(words, doubt);
}
