// How far a run is, on standard error: a bar where that is a terminal, and otherwise a line now and then.

import { withCommas } from '../../src/cli/thousands.ts';
import type { MapProgress } from '../commit/totals.ts';

const betweenLinesMs = 5_000;
/** Before that a rate says nothing, unless the run is over. */
const firstRateMs = 500;
const waits = 'waiting for a worker: start one with sluice map-worker';

/** Shows the progress of a run, and answers with the last value. */
export async function showProgress(
  run: AsyncIterable<MapProgress>,
  stream: NodeJS.WriteStream = process.stderr,
): Promise<MapProgress> {
  const show = stream.isTTY ? await barOn(stream) : linesOn(stream);
  let last: MapProgress | null = null;
  try {
    for await (const progress of run) {
      last = progress;
      show.update(progress);
    }
  } finally {
    show.stop();
  }
  return last!;
}

interface Display {
  update(progress: MapProgress): void;
  stop(): void;
}

async function barOn(stream: NodeJS.WriteStream): Promise<Display> {
  const { SingleBar } = await import('cli-progress');
  const bar = new SingleBar({
    format: '{bar} {percentage}% | {rate} records/s | {left} left | {done} of {partitions} partitions{failed}{waits}',
    stream,
    barsize: 24,
    hideCursor: true,
  });
  let begun: Rate | null = null;
  return {
    update(progress) {
      if (progress.phase === 'staging') return;
      if (begun === null) bar.start(progress.rows, progress.read);
      begun ??= new Rate(progress);
      bar.update(progress.read, { ...begun.words(progress), ...wordsOf(progress) });
    },
    stop: () => bar.stop(),
  };
}

function linesOn(stream: NodeJS.WriteStream): Display {
  let begun: Rate | null = null;
  let due = 0;
  let isWaiting = false;
  return {
    update(progress) {
      if (progress.phase === 'staging') {
        stream.write('reading the input files\n');
        return;
      }
      const now = performance.now();
      if (begun === null) {
        begun = new Rate(progress);
        due = now + firstRateMs;
      }
      const isDone = progress.phase === 'done';
      const wasWaiting = isWaiting;
      isWaiting = progress.isWaiting === true;
      if (isWaiting) {
        if (!wasWaiting) stream.write(`${waits}\n`);
        return;
      }
      if (now < due && !isDone) return;
      due = now + betweenLinesMs;
      const { rate, left } = begun.words(progress);
      const { done, partitions, failed } = wordsOf(progress);
      stream.write(
        `${withCommas(progress.read)} of ${withCommas(progress.rows)} records, ${rate} a second, ` +
          `${isDone ? '' : `${left} left, `}${done} of ${partitions} partitions${failed}\n`,
      );
    },
    stop: () => {},
  };
}

/** Records a second since the first value. */
class Rate {
  readonly #since = performance.now();
  readonly #read: number;

  constructor({ read }: MapProgress) {
    this.#read = read;
  }

  words({ phase, read, rows }: MapProgress): { readonly rate: string; readonly left: string } {
    const ms = performance.now() - this.#since;
    const rate = ms < firstRateMs && phase !== 'done' ? 0 : ((read - this.#read) * 1000) / Math.max(ms, 1);
    return {
      rate: rate === 0 ? '–' : withCommas(Math.round(rate)),
      left: rate <= 0 ? '–' : time((rows - read) / rate),
    };
  }
}

function wordsOf({ done, partitions, failed, isWaiting = false }: MapProgress): {
  readonly done: string;
  readonly partitions: string;
  readonly failed: string;
  readonly waits: string;
} {
  return {
    done: withCommas(done),
    partitions: withCommas(partitions),
    failed: failed === 0 ? '' : ` | ${withCommas(failed)} failed`,
    waits: isWaiting ? ` | ${waits}` : '',
  };
}

function time(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  return whole < 100 ? `${whole} s` : `${Math.ceil(whole / 60)} min`;
}
