// The memory of a process, as the system reports it and not the process. Linux has a file for it, and can limit a
// running process, so that a large allocation fails at once instead of being noticed too late. Elsewhere `ps` reports
// it, less often. Windows is not asked: there only V8's own limit for its heap applies.

import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

export interface MemorySource {
  /** Gives the resident bytes that do not belong to files; null if unknown. */
  readonly measure: (take: (bytes: number | null) => void) => void;
  /** The time between two measurements. */
  readonly intervalMs: number;
  /** Limits the process to so many more bytes than it has now, if the system can; always calls back. */
  readonly bound: (moreBytes: number, done: () => void) => void;
}

/** Null if the system is not asked. */
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

/** The status text of a process; null if the process does not exist or the system has no such file. */
function readStatus(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/status`, 'latin1');
  } catch {
    return null;
  }
}

/**
 * The resident bytes in the status text of a process; null if it lacks them. Some systems like Linux do not count file
 * pages separately.
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
  /** The memory of the process before it has done anything. */
  #base: number | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isOn = false;

  /** `onBeyond` gets the growth since the beginning. */
  constructor(source: MemorySource, limitBytes: number, onBeyond: (usedBytes: number) => void) {
    this.#source = source;
    this.#limit = limitBytes;
    this.#onBeyond = onBeyond;
  }

  /** Called before the process does anything. Calls back when its memory is known. */
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
    // A failed measurement is ignored: the end of the process is reported elsewhere.
    const used = bytes === null ? 0 : bytes - this.#base;
    if (used > this.#limit) this.#onBeyond(used);
    else this.#wind();
  }
}
