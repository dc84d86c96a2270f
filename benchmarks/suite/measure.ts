// The measuring itself: competitors asked in turns, in fresh processes, and their results compared. Whatever else the
// machine does meanwhile hits all of them.

import type { Competitor, OnDemand } from '../competitors/competitor.ts';
import type { Sample, Session, Start } from '../competitors/session.ts';
import type { Kernel } from './kernels.ts';
import type { Settings, Times } from './results.ts';

export interface Measurement {
  readonly result: number;
  readonly times: Readonly<Record<string, Times>>;
  readonly failures: Readonly<Record<string, string>>;
}

interface Contender {
  readonly id: string;
  /** The browser that it runs in, or null. A browser works even when nobody asks it, so each is open by itself. */
  readonly browser: OnDemand | null;
  readonly start: Start;
  readonly first: number[];
  readonly steady: number[];
}

/** Builds the kernel for each competitor and measures them. */
export async function measure(
  kernel: Kernel,
  competitors: readonly Competitor[],
  settings: Settings,
  output: string,
): Promise<Measurement> {
  const failures: Record<string, string> = {};
  let contenders: Contender[] = [];
  /** Goes on without a competitor that fails, and says so in the end. */
  const attempt = async <T>(id: string, work: () => Promise<T>): Promise<T | null> => {
    try {
      return await work();
    } catch (error) {
      failures[id] = (error as Error).message;
      contenders = contenders.filter((contender) => contender.id !== id);
      return null;
    }
  };

  for (const { id, build, onDemand: browser = null } of competitors) {
    const start = await attempt(id, () => build(kernel, output));
    if (start !== null) contenders.push({ id, browser, start, first: [], steady: [] });
  }

  let result: number | null = null;
  /** One fresh process of each of these. */
  const askProcesses = async (round: number, browser: OnDemand | null): Promise<void> => {
    const here = (): readonly Contender[] => contenders.filter((contender) => contender.browser === browser);
    const sessions = new Map<string, Session>();
    for (const { id, start } of here()) {
      const session = await attempt(id, start);
      if (session !== null) sessions.set(id, session);
    }
    const askAll = async (runs: number, take: (contender: Contender) => number[] | null): Promise<void> => {
      for (const contender of rotate(here(), round)) {
        await attempt(contender.id, async () => {
          for (const sample of await sessions.get(contender.id)!.ask(runs)) {
            result ??= sample.result;
            checkResult(sample, result);
            take(contender)?.push(Number(sample.milliseconds.toFixed(3)));
          }
        });
      }
    };
    await askAll(1, ({ first }) => first);
    if (settings.warmUp > 0) await askAll(settings.warmUp, () => null);
    for (let iteration = 0; iteration < settings.repetitions; iteration++) await askAll(1, ({ steady }) => steady);
    for (const session of sessions.values()) await session.stop();
  };
  const browsers = [...new Set([null, ...contenders.map(({ browser }) => browser)])];
  for (let round = 0; round < settings.processes; round++)
    for (const browser of browsers) await askProcesses(round, browser);
  return {
    result: result ?? NaN,
    times: Object.fromEntries(contenders.map(({ id, first, steady }) => [id, { first, steady }])),
    failures,
  };
}

/** Another one begins each round, so that nobody always runs behind the same neighbour. */
function rotate<T>(values: readonly T[], by: number): readonly T[] {
  const at = by % Math.max(values.length, 1);
  return [...values.slice(at), ...values.slice(0, at)];
}

/** All compute the same, to the last bit. */
function checkResult({ result }: Sample, expected: number): void {
  if (result !== expected) throw new Error(`computed ${result} where others computed ${expected}`);
}
