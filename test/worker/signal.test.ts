// Runs that an AbortSignal ends: before they start, in the queue of a pool, while they run, and after their end.

import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { AbortError, createPool, HostError } from '../../runtime-host/api/node.ts';
import type { RunOptions } from '../../runtime-host/api/node.ts';
import { endless, load } from './loading.ts';

const waiting = 'main() { yield "here"; return Env.get("N"); }';
const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

async function failureOf(promise: Promise<unknown>): Promise<Error> {
  return promise.then(
    () => expect.unreachable(),
    (error: unknown) => error as Error,
  );
}

describe.each(['none', 'worker', 'process'] as const)('a signal of a run: %s', (isolation) => {
  it('that was aborted before lets nothing run', async () => {
    const script = await load('main() { while (true) {} }', { isolation });
    const reason = new Error('the client is gone');
    const run = script.run({}, { signal: AbortSignal.abort(reason) });
    const error = await failureOf(run.result);
    expect(error).toBeInstanceOf(AbortError);
    expect(error).toMatchObject({ message: 'the run was aborted', cause: reason });
    await expect(run.forEach(() => expect.unreachable())).rejects.toBe(error);
  });

  it('ends a run that waits for its host, with its reason', async () => {
    const asked = Promise.withResolvers<void>();
    const script = await load(waiting, {
      isolation,
      permissions: () => {
        asked.resolve();
        return new Promise<never>(() => {});
      },
    });
    const controller = new AbortController();
    const run = script.run({}, { signal: controller.signal });
    // Nobody has started it.
    expect(listeners(controller.signal)).toBe(0);
    const failed = failureOf(run.result);
    await asked.promise;
    expect(listeners(controller.signal)).toBe(1);
    controller.abort('no longer wanted');
    expect(await failed).toMatchObject({ name: 'AbortError', cause: 'no longer wanted' });
    expect(listeners(controller.signal)).toBe(0);
  });

  it('is not listened to after the end, and changes nothing then', async () => {
    const script = await load('main(int n) { yield n; return n / n; }', { isolation });
    const controller = new AbortController();
    const { signal } = controller;
    const runs = [1, 0].map((n) => script.run({ n }, { signal }));
    const outcomes = await Promise.all(runs.map(({ result }) => result.catch((error: Error) => error.name)));
    expect(listeners(signal)).toBe(0);
    controller.abort();
    expect(outcomes).toEqual([1n, 'DivisionByZeroError']);
    expect(await Promise.all(runs.map(({ result }) => result.catch((error: Error) => error.name)))).toEqual(outcomes);
  });

  it('leaves the AbortError of abort() as it is', async () => {
    const script = await load('main() { return 1; }', { isolation });
    const controller = new AbortController();
    const run = script.run({}, { signal: controller.signal });
    run.abort();
    controller.abort('later');
    expect((await failureOf(run.result)).cause).toBeUndefined();
  });
});

it.each(['worker', 'process'] as const)('a signal ends a script that computes for ever: %s', async (isolation) => {
  const script = await load(endless, { isolation });
  const error = await failureOf(script.run({}, { signal: AbortSignal.timeout(200) }).result);
  expect(error).toBeInstanceOf(AbortError);
  expect(error.cause).toMatchObject({ name: 'TimeoutError' });
});

it('a signal takes a run out of the queue of its pool', async () => {
  await using pool = createPool({ maxWorkers: 1, maxWaiting: 0 });
  const busy = (await load(endless, { pool })).run();
  const ended = failureOf(busy.result);
  const controller = new AbortController();
  const queued = (await load('main() { return 1; }', { pool })).run({}, { signal: controller.signal });
  const failed = failureOf(queued.result);
  await expect.poll(() => pool.stats.queued).toBe(1);
  controller.abort('gone');
  expect(await failed).toMatchObject({ name: 'AbortError', cause: 'gone' });
  expect(pool.stats.queued).toBe(0);
  busy.abort();
  await ended;
});

it.each<readonly [unknown, string]>([
  [{ timeMs: 1 }, 'a run has no option timeMs: there is signal; limits and all others are those of loadScript'],
  [{ signal: new AbortController() }, 'the option signal is an AbortSignal'],
  [{ signal: null }, 'the option signal is an AbortSignal'],
  [AbortSignal.abort(), 'the options of a run must be a plain object'],
  [1, 'the options of a run must be a plain object'],
])('options of a run that cannot be some are refused: %o', async (options, message) => {
  const script = await load('main() { return 1; }', { isolation: 'none' });
  expect(() => script.run({}, options as RunOptions)).toThrow(new HostError(message));
});
