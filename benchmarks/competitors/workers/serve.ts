// What a session of a process asks, answered in JavaScript's engine as c/native.c answers it: a line when the work is
// loaded, then for each line of the input as many runs as it says, each with its milliseconds and its result.

import { createInterface } from 'node:readline';

/** Runs the work as often as the input asks for. */
export async function serve(run: () => unknown): Promise<void> {
  process.stdout.write('loaded\n');
  for await (const line of createInterface({ input: process.stdin })) {
    for (let iterations = Number(line); iterations > 0; iterations--) {
      const began = performance.now();
      let result = run();
      // Without a promise there is nothing to wait for.
      if (result instanceof Promise) result = await result;
      const took = performance.now() - began;
      process.stdout.write(`${took} ${Number(result)}\n`);
    }
  }
}
