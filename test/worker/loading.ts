// What tests of scripts in workers and processes start from.

import { createMemoryPlatform, Granted, loadScript } from '../../runtime-host/api/node.ts';
import type { LimitOptions, Script, ScriptError, ScriptOptions } from '../../runtime-host/api/node.ts';
import { compile } from '../../src/compile.ts';

/** The file that is shipped: it starts faster than the sources. */
export const workerUrl = new URL('../../dist/runtime-host/node/worker-main.js', import.meta.url);

/** In a worker, if the options say nothing else. */
export async function load(text: string, options: ScriptOptions = {}): Promise<Script> {
  const { artifact, diagnostics } = await compile('test.slu', text);
  if (artifact === null) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return loadScript(artifact.wasm, { isolation: 'worker', workerUrl, ...options });
}

export const endless = 'main() { yield "here"; int i = 0; while (true) { i++; } }';

export interface BegunRun {
  readonly run: ReturnType<Script['run']>;
  /** Gives what it rejects with. */
  readonly ended: Promise<unknown>;
}

/** Begins a run and gives it when the script is at its first yield, or past it. */
export async function begun(script: Script): Promise<BegunRun> {
  const run = script.run();
  let ended: Promise<unknown> = Promise.resolve();
  await new Promise<void>((resolve) => {
    ended = run.forEach(() => resolve()).catch((error: unknown) => error);
  });
  return { run, ended };
}

/** Exports of every kind, and what they are loaded with. */
export const exportsText = `int calls = 0;
  type P { int x; double[] ds; }
  export int count() { calls++; return calls; }
  export P both(P p, string s) { yield s; yield p; return p; }
  export int loop() { while (true) { } }
  export int broken() { yield "before"; int[] xs = []; return xs[1]; }
  export string file() { return File.read("/a.txt"); }
  export int deep(int n) { return deep(n + 1) + 1; }
  export int depth(int n) { return n == 0 ? 0 : depth(n - 1) + 1; }
  export double half(double x, double by = 2.0) { return x / by; }
  export int sum(int ...xs[]) { return xs.sum(); }`;
export const exportsOptions: ScriptOptions = {
  platform: createMemoryPlatform({ files: { '/a.txt': 'alpha' } }),
  permissions: async () => Granted,
};

/** `main(int n)` of this yields n texts, waits for its host, and fails for some n. */
export const manyText =
  'main(int n) { int sum = 0; for (int i = 0; i < 100000; i++) sum += (i * n) % 7; for (int i = 0; ' +
  'i < n; i++) yield `${n}:${i}`; if (n % 5 == 4) throw "own"; return sum + Env.get("N").length(); }';
export const manyOptions: ScriptOptions = { environment: { N: 'four' }, permissions: async () => Granted };

/** What a run of it yields, and what it returns or says as it fails. */
export function expectedOfMany(n: number): { readonly seen: readonly unknown[]; readonly result: unknown } {
  let sum = 4;
  for (let i = 0; i < 100_000; i++) sum += (i * n) % 7;
  return {
    seen: Array.from({ length: n }, (_, i) => `${n}:${i}`),
    result: n % 5 === 4 ? 'own' : BigInt(sum),
  };
}

export async function runOfMany(
  script: Script,
  n: number,
): Promise<{ readonly seen: readonly unknown[]; readonly result: unknown }> {
  const seen: unknown[] = [];
  const run = script.run({ n });
  const result = await run
    .forEach((value) => seen.push(value))
    .then(
      () => run.result,
      (error: Error) => error.message,
    );
  return { seen, result };
}

/** Computes for a moment. */
export const summing = 'main(int n) { int sum = 0; for (int i = 0; i < 100000; i++) sum += (i * n) % 7; return sum; }';

/** What it returns. */
export function sumOf(n: number): bigint {
  let sum = 0;
  for (let i = 0; i < 100_000; i++) sum += (i * n) % 7;
  return BigInt(sum);
}

/** What a promise came to: its value in an object, or the error itself. */
export const settled = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => ({ value }),
    (error: unknown) => error,
  );

/** All that is seen of a run that one of its limits ends. */
export async function outcomeOf(isolation: 'none' | 'worker' | 'process', limits: LimitOptions): Promise<unknown> {
  const text =
    'int f(int n) { return n == 0 ? 0 : f(n - 1) + 1; } main() { for (int i = 0; i < 1000; i++) { yield i; f(3); } }';
  const run = (await load(text, { isolation, limits })).run();
  const seen: unknown[] = [];
  const error = await run
    .forEach((value) => seen.push(value))
    .then(
      () => {
        throw new Error('it ended');
      },
      (thrown: ScriptError) => thrown,
    );
  // What it says of deeper calls is of the place where the script runs.
  const stack = error.stack?.replace(/nested too deep: .*/, 'nested too deep');
  return { seen, name: error.name, stack, frames: error.frames, fuel: run.fuelUsed };
}

/**
 * What a script yields whose host, and whose reader each time, take longer than all of its time. Of that it needs a few
 * milliseconds itself, and on a busy machine some hundred.
 */
export async function waitsBeyondItsTime(isolation: 'worker' | 'process'): Promise<readonly unknown[]> {
  const timeMs = 1_000;
  const longer = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1.5 * timeMs));
  const script = await load('main() { yield 1; yield Env.get("A"); }', {
    isolation,
    limits: { timeMs },
    platform: createMemoryPlatform({ files: {} }),
    permissions: () => longer().then(() => Granted),
  });
  const seen: unknown[] = [];
  for await (const value of script.run()) {
    seen.push(value);
    await longer();
  }
  return seen;
}
