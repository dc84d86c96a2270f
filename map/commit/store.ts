// What a run has done, in the folder of its output. A partition counts once its record lies in `_commits`, where a link
// that exists cannot be made again: of two that did the same work the first wins, and a run that was stopped goes on
// behind what is there.

import { createHash, randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { MapError } from '../errors.ts';

/** What a run is about: a run that differs in one of these is another one. */
export interface Fingerprint {
  readonly script: string;
  readonly input: string;
  readonly options: string;
}

const parts: Readonly<Record<keyof Fingerprint, string>> = {
  script: 'the script',
  input: 'the input files',
  options: 'the options',
};

export interface Commit {
  readonly partition: number;
  readonly file: string;
  readonly sha256: string;
  readonly read: number;
  readonly written: number;
  readonly skipped: number;
  readonly failed: number;
  /** The file of the records that failed; null where none did. */
  readonly errors: string | null;
}

export interface RunRecord extends Fingerprint {
  readonly startedAt: number;
}

export class Store {
  readonly folder: string;
  readonly extension: string;

  constructor(folder: string, extension: string) {
    this.folder = folder;
    this.extension = extension;
  }

  #path(...names: string[]): string {
    return join(this.folder, ...names);
  }

  /** Where files lie until the run is complete. */
  get staging(): string {
    return this.#path('_staging');
  }

  /** Makes the folder ready. Throws MapError where it belongs to another run, or to somebody else. */
  begin(fingerprint: Fingerprint, isResumed: boolean): RunRecord {
    const found = this.#read();
    if (found === null) {
      const others = existsSync(this.folder) ? readdirSync(this.folder) : [];
      if (others.length > 0)
        throw new MapError(
          existsSync(this.#path('_SUCCESS'))
            ? `${this.folder} has the output of a run that is complete: give another folder, or remove it`
            : `${this.folder} is not empty: it has ${others[0]!}; give another folder`,
        );
      const record: RunRecord = { ...fingerprint, startedAt: Date.now() };
      guard(this.folder, () => {
        this.#makeFolders();
        this.#writeNew(this.#path('_run.json'), `${JSON.stringify(record)}\n`);
      });
      return record;
    }
    const differing = (Object.keys(parts) as (keyof Fingerprint)[]).filter((name) => found[name] !== fingerprint[name]);
    if (differing.length > 0)
      throw new MapError(
        `${this.folder} has the output of another run: ${differing.map((name) => parts[name]).join(' and ')} ` +
          `${differing.length === 1 && differing[0] === 'script' ? 'differs' : 'differ'}; give another folder`,
      );
    if (!isResumed)
      throw new MapError(`${this.folder} has the output of a run that was stopped: --resume goes on with it`);
    // Files of attempts that were never committed.
    guard(this.folder, () => {
      this.#makeFolders();
    });
    const kept = new Set(this.commits().flatMap(({ file, errors }) => [file, errors]));
    for (const name of readdirSync(this.#path('_data'))) if (!kept.has(name)) rmSync(this.#path('_data', name));
    return found;
  }

  #makeFolders(): void {
    makeFolder(this.folder);
    for (const name of ['_commits', '_data', '_staging']) makeFolder(this.#path(name));
  }

  #read(): RunRecord | null {
    try {
      return JSON.parse(readFileSync(this.#path('_run.json'), 'utf8')) as RunRecord;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return null;
      if (error instanceof SyntaxError) throw new MapError(`${this.folder}/_run.json is damaged: remove the folder`);
      throw faultOf(this.folder, error);
    }
  }

  /** All that is committed. */
  commits(): readonly Commit[] {
    return readdirSync(this.#path('_commits'))
      .filter((name) => name.endsWith('.json'))
      .map((name) => JSON.parse(readFileSync(this.#path('_commits', name), 'utf8')) as Commit)
      .sort((a, b) => a.partition - b.partition);
  }

  /** A name for what an attempt writes. */
  dataFile(partition: number): string {
    return this.#path('_data', `${partition}.${randomUUID().slice(0, 8)}.${this.extension}`);
  }

  /** Commits what lies in the files. False where somebody else was first, whose work counts. */
  commit(commit: Omit<Commit, 'sha256' | 'file' | 'errors'>, path: string, errors: string | null): boolean {
    const name = (file: string): string => file.slice(this.#path('_data').length + 1);
    const record: Commit = {
      ...commit,
      file: name(path),
      sha256: hashOf(path),
      errors: errors === null ? null : name(errors),
    };
    const temporary = this.#path('_commits', `${randomUUID()}.tmp`);
    return guard(this.folder, () => {
      for (const file of errors === null ? [path] : [path, errors]) sync(file);
      this.#writeNew(temporary, `${JSON.stringify(record)}\n`);
      try {
        linkSync(temporary, this.#path('_commits', `${commit.partition}.json`));
        return true;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
        for (const file of errors === null ? [path] : [path, errors]) rmSync(file, { force: true });
        return false;
      } finally {
        rmSync(temporary, { force: true });
      }
    });
  }

  /** Gives the files their names, once all is committed: it may be stopped at any point and done again. */
  finish(totals: object): void {
    const commits = this.commits();
    const width = Math.max(5, String(commits.length - 1).length);
    guard(this.folder, () => {
      const files = commits.map(({ partition, file, errors, sha256 }) => {
        const part = String(partition).padStart(width, '0');
        const name = `part-${part}.${this.extension}`;
        this.#move(file, name);
        if (errors !== null) {
          mkdirSync(this.#path('_errors'), { recursive: true });
          this.#move(errors, join('_errors', `part-${part}.ndjson`));
        }
        return { file: name, sha256 };
      });
      const success = `${JSON.stringify({ ...totals, files }, null, 2)}\n`;
      this.#writeNew(this.#path('_SUCCESS.tmp'), success);
      renameSync(this.#path('_SUCCESS.tmp'), this.#path('_SUCCESS'));
      for (const name of ['_run.json', '_data', '_staging', '_commits'])
        rmSync(this.#path(name), { recursive: true, force: true });
      sync(this.folder);
    });
  }

  #move(from: string, to: string): void {
    if (existsSync(this.#path('_data', from))) renameSync(this.#path('_data', from), this.#path(to));
    else if (!existsSync(this.#path(to))) throw new MapError(`${this.folder}: ${to} is committed and missing`);
  }

  #writeNew(path: string, text: string): void {
    const file = openSync(path, 'w');
    try {
      writeSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  }
}

/** With those above it; Node's own way never ends where a folder above cannot have any, as in /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  const above = dirname(path);
  if (above !== path) makeFolder(above);
  mkdirSync(path);
}

/** Has the system write what it still holds of a file. */
function sync(path: string): void {
  const file = openSync(path, 'r');
  try {
    fsyncSync(file);
  } catch (error) {
    // Some systems cannot do that for folders.
    if (!['EISDIR', 'EPERM', 'EINVAL'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    closeSync(file);
  }
}

function hashOf(path: string): string {
  const hash = createHash('sha256');
  const file = openSync(path, 'r');
  const buffer = new Uint8Array(2 ** 20);
  try {
    for (let count = readSync(file, buffer); count > 0; count = readSync(file, buffer))
      hash.update(buffer.subarray(0, count));
  } finally {
    closeSync(file);
  }
  return hash.digest('hex');
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'there is no space left on the disk',
  EDQUOT: 'there is no space left on the disk',
  EROFS: 'the file system is read-only',
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  ENOTDIR: 'a part of its path is no folder',
  ENOENT: 'the folder cannot be made',
};

function guard<Value>(folder: string, work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    throw faultOf(folder, error);
  }
}

function faultOf(folder: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  const reason = code === undefined ? undefined : (reasons[code] ?? code);
  return reason === undefined ? error : new MapError(`cannot write to ${folder}: ${reason}`, { cause: error });
}
