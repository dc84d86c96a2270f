// What a process takes of the machine's memory, as the system says it and not the process. Linux tells it in a file,
// and holds a process to a bound that may be set while it runs, so that one large allocation fails instead of being
// seen too late; elsewhere `ps` tells it, less often. Windows is not asked: there V8's own bound for its heap is what
// holds.

import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

export interface MemorySource {
  /** Bytes that are resident and not those of a file; null where nobody knows. */
  readonly measure: (take: (bytes: number | null) => void) => void;
  /** Between two looks. */
  readonly intervalMs: number;
  /** Lets the process map so many bytes more than now, if the system can; calls back in the end. */
  readonly bound: (moreBytes: number, done: () => void) => void;
}

/** Null where the system is not asked. */
export function memoryOf(pid: number): MemorySource | null {
  if (process.platform === 'win32') return null;
  return readStatus(pid) === null ? fromPs(pid) : fromProc(pid);
}

const prlimits = ['/usr/bin/prlimit', '/bin/prlimit'];

function fromProc(pid: number): MemorySource {
  return {
    intervalMs: 10,
    measure: (take) => take(residentOf(readStatus(pid))),
    bound: (moreBytes, done) => {
      const mapped = kibibytes(readStatus(pid), 'VmData');
      const program = prlimits.find((path) => existsSync(path));
      if (mapped === null || program === undefined) done();
      else
        execFile(program, [`--pid=${pid}`, `--data=${mapped + Math.ceil(moreBytes)}`], { env: {}, cwd: '/' }, () =>
          done(),
        );
    },
  };
}

/** The text of a process that there is not, or that is not asked about here, is null. */
function readStatus(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/status`, 'latin1');
  } catch {
    return null;
  }
}

/**
 * Bytes that are resident, by the text of a process; null if that does not tell. Some systems that are like Linux do
 * not count files apart.
 */
export function residentOf(status: string | null): number | null {
  return kibibytes(status, 'RssAnon') ?? kibibytes(status, 'VmRSS');
}

function kibibytes(status: string | null, name: string): number | null {
  const found = status === null ? null : new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status);
  return found === null ? null : Number(found[1]) * 1024;
}

function fromPs(pid: number): MemorySource {
  return {
    intervalMs: 100,
    measure: (take) => {
      execFile('/bin/ps', ['-o', 'rss=', '-p', String(pid)], { env: {}, cwd: '/' }, (_error, text) => {
        const found = /\d+/.exec(text);
        take(found === null ? null : Number(found[0]) * 1024);
      });
    },
    bound: (_moreBytes, done) => done(),
  };
}

/** Measures the memory of a process from time to time while it works. */
export class MemoryWatch {
  readonly #source: MemorySource;
  readonly #onBeyond: (usedBytes: number) => void;
  #limit: number;
  /** What the process takes before it does anything. */
  #base: number | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isOn = false;

  /** `onBeyond` is told how much more it is than at the beginning. */
  constructor(source: MemorySource, limitBytes: number, onBeyond: (usedBytes: number) => void) {
    this.#source = source;
    this.#limit = limitBytes;
    this.#onBeyond = onBeyond;
  }

  /** The process does nothing yet. Calls back when that is known. */
  begin(done: () => void): void {
    this.#source.measure((bytes) => {
      this.#base = bytes;
      done();
    });
  }

  start(): void {
    this.#isOn = true;
    this.#wind();
  }

  stop(): void {
    this.#isOn = false;
    clearTimeout(this.#timer);
  }

  extend(limitBytes: number): void {
    this.#limit = limitBytes;
  }

  #wind(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#source.measure((bytes) => this.#compare(bytes)), this.#source.intervalMs);
    this.#timer.unref();
  }

  #compare(bytes: number | null): void {
    if (!this.#isOn || this.#base === null) return;
    // It may be told the next time: that the process is gone is heard otherwise.
    const used = bytes === null ? 0 : bytes - this.#base;
    if (used > this.#limit) this.#onBeyond(used);
    else this.#wind();
  }
}
