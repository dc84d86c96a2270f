// A store in a folder, which may lie on a file system that several machines share: a hard link that exists cannot be
// made again, and so says who was first.

import { createHash, randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { MapError, noSpace } from '../errors.ts';
import { linkOnce, syncFile } from '../files.ts';
import { lockFolder, lockName } from './lock.ts';
import { partName, summaryId } from './store.ts';
import type { AttemptFiles, Commit, CommitOutcome, Fingerprint, NodeCommit, RunRecord, Store } from './store.ts';

const parts: Readonly<Record<keyof Fingerprint, string>> = {
  script: 'the script',
  input: 'the input files',
  options: 'the options',
};

export class FileStore implements Store {
  readonly location: string;
  readonly #extension: string;
  #release = (): void => {};

  constructor(folder: string, extension: string) {
    this.location = folder;
    this.#extension = extension;
  }

  #path(...names: string[]): string {
    return join(this.location, ...names);
  }

  get staging(): string {
    return this.#path('_staging');
  }

  get data(): string {
    return this.#path('_data');
  }

  async begin(
    fingerprint: Fingerprint,
    { isResumed, isShared = false }: { readonly isResumed: boolean; readonly isShared?: boolean },
  ): Promise<RunRecord> {
    const found = await this.current();
    if (found === null) return this.#start(fingerprint, isResumed, isShared);
    if (!isSame(found, fingerprint)) {
      if (this.#isEmpty(found) && !isResumed && !isShared) return this.#startOver(found, fingerprint);
      throw this.#otherRun(found, fingerprint, isResumed && !isShared);
    }
    if (!isResumed)
      throw new MapError(`${this.location} has the output of a run that was stopped: --resume goes on with it`);
    guard(this.location, () => {
      this.#makeFolders();
      // Before the record is looked at again: whoever starts a run over does it the other way round.
      if (isShared) makeFolder(this.#path('_job'));
      else this.#release = lockFolder(this.location);
    });
    if ((await this.current())?.startedAt !== found.startedAt && !existsSync(this.#path('_SUCCESS'))) {
      this.#release();
      throw taken(this.location);
    }
    // Files of attempts that were never committed; where the run had a queue, a worker may be about to commit one.
    if (isShared || existsSync(this.#path('_job'))) return found;
    const kept = new Set<string | null>([
      ...(await this.commits()).flatMap(({ file, state, errors }) => [file, state, errors]),
      ...(await this.nodes()).map(({ file }) => file),
    ]);
    for (const name of readdirSync(this.data)) if (!kept.has(name)) rmSync(this.#path('_data', name));
    return found;
  }

  async committed(fingerprint: Fingerprint): Promise<number> {
    const found = await this.current();
    if (found === null) this.#checkFree();
    else if (!isSame(found, fingerprint)) throw this.#otherRun(found, fingerprint, true);
    // A run that was stopped at its very beginning has no folder for them.
    return this.#hasCommits() ? (await this.commits()).length : 0;
  }

  /** Whether another run may take its place: nothing is committed, and no queue has jobs of it. */
  #isEmpty({ isShared }: RunRecord): boolean {
    return !this.#hasCommits() && isShared !== true && !existsSync(this.#path('_job'));
  }

  #otherRun(found: RunRecord, fingerprint: Fingerprint, isResumedHere: boolean): MapError {
    const differing = differingIn(found, fingerprint);
    return new MapError(
      `${this.location} has the output of another run: ${differing.map((name) => parts[name]).join(' and ')} ` +
        `${differing.length === 1 && differing[0] === 'script' ? 'differs' : 'differ'}; ` +
        (isResumedHere && this.#isEmpty(found)
          ? 'nothing of it is committed: without --resume it begins again'
          : 'give another folder'),
    );
  }

  async release(): Promise<void> {
    this.#release();
  }

  #start(fingerprint: Fingerprint, isResumed: boolean, isShared: boolean): RunRecord {
    if (isResumed && existsSync(this.#path('_SUCCESS'))) {
      // It may have been stopped while it tidied up.
      guard(this.location, () => this.#clean());
    }
    this.#checkFree();
    const record: RunRecord = { ...fingerprint, startedAt: Date.now(), ...(isShared ? { isShared } : {}) };
    const isFirst = guard(this.location, () => {
      makeFolder(this.location);
      // Before all else, so that a run that is stopped here can begin again.
      if (!this.#create('_run.json', `${JSON.stringify(record)}\n`)) return false;
      this.#makeFolders();
      if (!isShared) this.#release = lockFolder(this.location);
      return true;
    });
    if (!isFirst) throw taken(this.location);
    return record;
  }

  /** Throws MapError where the folder has something that is not of a beginning. */
  #checkFree(): void {
    const others = existsSync(this.location)
      ? guard(this.location, () => readdirSync(this.location)).filter((name) => !isOfBeginning.test(name))
      : [];
    if (others.includes('_SUCCESS'))
      throw new MapError(
        `${this.location} has the output of a run that is complete: give another folder, or remove it`,
      );
    if (others.length > 0)
      throw new MapError(`${this.location} is not empty: it has ${others[0]!}; give another folder`);
  }

  #hasCommits(): boolean {
    const folder = this.#path('_commits');
    return existsSync(folder) && readdirSync(folder).some((name) => name.endsWith('.json'));
  }

  /**
   * Puts a run in the place of another one of which nothing is committed. Throws MapError where somebody is at work on
   * that: another process of this machine has the lock, and a coordinator of a queue its folder of jobs.
   */
  #startOver(found: RunRecord, fingerprint: Fingerprint): RunRecord {
    return guard(this.location, () => {
      const release = lockFolder(this.location);
      const aside = this.#path(`_run.json.${randomUUID()}.tmp`);
      try {
        renameSync(this.#path('_run.json'), aside);
        const there = JSON.parse(readFileSync(aside, 'utf8')) as RunRecord;
        // Looked at again, as it may have been another's until the lock was taken.
        if (there.startedAt !== found.startedAt || this.#hasCommits() || existsSync(this.#path('_job'))) {
          linkOnce(aside, this.#path('_run.json'));
          throw taken(this.location);
        }
        for (const name of ['_data', '_staging']) rmSync(this.#path(name), { recursive: true, force: true });
        const record: RunRecord = { ...fingerprint, startedAt: Math.max(Date.now(), found.startedAt + 1) };
        if (!this.#create('_run.json', `${JSON.stringify(record)}\n`)) throw taken(this.location);
        this.#makeFolders();
        this.#release = release;
        return record;
      } catch (error) {
        release();
        throw error;
      } finally {
        rmSync(aside, { force: true });
      }
    });
  }

  #makeFolders(): void {
    makeFolder(this.location);
    for (const name of ['_commits', '_data', '_staging']) makeFolder(this.#path(name));
  }

  async current(): Promise<RunRecord | null> {
    try {
      return JSON.parse(readFileSync(this.#path('_run.json'), 'utf8')) as RunRecord;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return null;
      if (error instanceof SyntaxError) throw new MapError(`${this.location}/_run.json is damaged: remove the folder`);
      throw folderFault(this.location, error);
    }
  }

  async commits(known: ReadonlySet<string> = new Set()): Promise<readonly Commit[]> {
    return this.#committed(/^(\d+)\.json$/, known)
      .sort((a, b) => Number(a) - Number(b))
      .map((id) => this.#record<Commit>(id));
  }

  async nodes(known: ReadonlySet<string> = new Set()): Promise<readonly NodeCommit[]> {
    return this.#committed(/^([a-z][\w-]*)\.json$/, known).map((id) => this.#record<NodeCommit>(id));
  }

  async isCommitted(id: string): Promise<boolean> {
    return existsSync(this.#commitFile(id));
  }

  #commitFile(id: string): string {
    return this.#path('_commits', `${id}.json`);
  }

  #committed(pattern: RegExp, known: ReadonlySet<string>): string[] {
    return readdirSync(this.#path('_commits'))
      .flatMap((name) => pattern.exec(name)?.[1] ?? [])
      .filter((id) => !known.has(id));
  }

  #record<Found>(id: string): Found {
    return JSON.parse(readFileSync(this.#commitFile(id), 'utf8')) as Found;
  }

  async states(id: string): Promise<string> {
    if (!(await this.isCommitted(id))) throw new MapError(`${this.location}: ${id} is needed and not committed`);
    const found = this.#record<Commit | NodeCommit>(id);
    const path = this.#path('_data', 'partition' in found ? found.state! : found.file);
    if (!existsSync(path)) throw new MapError(`${this.location}: ${basename(path)} is committed and missing`);
    return path;
  }

  attempt(id: number | string, extension = this.#extension): string {
    return this.#path('_data', `${id}.${randomUUID().slice(0, 8)}.${extension}`);
  }

  async commit(
    commit: Omit<Commit, 'sha256' | 'file' | 'state' | 'errors'>,
    { data, state, errors }: AttemptFiles,
  ): Promise<CommitOutcome> {
    const name = (file: string | null): string | null => (file === null ? null : basename(file));
    return this.#commit(String(commit.partition), [data, state, errors], () => ({
      ...commit,
      file: name(data),
      state: name(state),
      sha256: hashOf((data ?? state)!),
      errors: name(errors),
    }));
  }

  async commitNode(id: string, groups: number, path: string): Promise<CommitOutcome> {
    return this.#commit(id, [path], () => ({ id, file: basename(path), sha256: hashOf(path), groups }));
  }

  #commit(name: string, files: readonly (string | null)[], recordOf: () => Commit | NodeCommit): CommitOutcome {
    const written = files.filter((file) => file !== null);
    return guard(this.location, () => {
      for (const file of written) syncFile(file);
      const record = recordOf();
      if (this.#create(join('_commits', `${name}.json`), `${JSON.stringify(record)}\n`)) return 'committed';
      for (const file of written) rmSync(file, { force: true });
      const { sha256 } = this.#record<Commit | NodeCommit>(`${name}.json`);
      return sha256 === record.sha256 ? 'same' : 'different';
    });
  }

  /** Makes a file with all that is in it at once; false where it is there. */
  #create(name: string, text: string | Uint8Array): boolean {
    const temporary = this.#path(`${name}.${randomUUID()}.tmp`);
    try {
      this.#writeNew(temporary, text);
      return linkOnce(temporary, this.#path(name));
    } finally {
      rmSync(temporary, { force: true });
    }
  }

  async keep(bytes: Uint8Array): Promise<string> {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    guard(this.location, () => {
      makeFolder(this.#path('_job'));
      this.#create(join('_job', sha256), bytes);
    });
    return sha256;
  }

  async kept(sha256: string): Promise<Uint8Array<ArrayBuffer> | null> {
    const path = this.#path('_job', sha256);
    if (!/^[0-9a-f]{64}$/.test(sha256) || !existsSync(path)) return null;
    const bytes = new Uint8Array(readFileSync(path));
    return createHash('sha256').update(bytes).digest('hex') === sha256 ? bytes : null;
  }

  async totals(): Promise<object | null> {
    try {
      const { files: _, ...totals } = JSON.parse(readFileSync(this.#path('_SUCCESS'), 'utf8')) as { files: unknown };
      return totals;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw folderFault(this.location, error);
    }
  }

  async finish(totals: object, partitions: number): Promise<void> {
    try {
      const commits = await this.commits();
      if (commits.length !== partitions)
        throw new MapError(`${this.location} has ${commits.length} commits, and there are ${partitions} partitions`);
      const summary = (await this.nodes()).find(({ id }) => id === summaryId);
      guard(this.location, () => this.#finish(totals, commits, summary));
    } catch (error) {
      // Somebody else does the same, and is ahead.
      if (!existsSync(this.#path('_SUCCESS'))) throw error;
      guard(this.location, () => this.#clean());
    }
  }

  #finish(totals: object, commits: readonly Commit[], summary: NodeCommit | undefined): void {
    const files: { readonly file: string; readonly sha256: string }[] = [];
    const name = (file: string, to: string, sha256: string): void => {
      this.#move(file, to);
      files.push({ file: to, sha256 });
    };
    for (const { partition, file, errors, sha256 } of commits) {
      const part = partName(partition, commits.length);
      if (file !== null) name(file, `${part}.${this.#extension}`, sha256);
      if (errors === null) continue;
      mkdirSync(this.#path('_errors'), { recursive: true });
      this.#move(errors, join('_errors', `${part}.ndjson`));
    }
    if (summary !== undefined) name(summary.file, `${summaryId}.${this.#extension}`, summary.sha256);
    const temporary = this.#path(`_SUCCESS.${randomUUID()}.tmp`);
    try {
      this.#writeNew(temporary, `${JSON.stringify({ ...totals, files }, null, 2)}\n`);
      renameSync(temporary, this.#path('_SUCCESS'));
    } finally {
      rmSync(temporary, { force: true });
    }
    this.#clean();
    syncFile(this.location);
  }

  /** The record of the run goes first: whoever is still at work sees by it that the run is over. */
  #clean(): void {
    for (const name of ['_run.json', '_data', '_staging', '_job', '_commits', lockName])
      rmSync(this.#path(name), { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  }

  #move(from: string, to: string): void {
    try {
      renameSync(this.#path('_data', from), this.#path(to));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      if (!existsSync(this.#path(to))) throw new MapError(`${this.location}: ${to} is committed and missing`);
    }
  }

  #writeNew(path: string, text: string | Uint8Array): void {
    const file = openSync(path, 'w');
    try {
      const bytes = typeof text === 'string' ? Buffer.from(text) : text;
      for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  }
}

function differingIn(found: Fingerprint, fingerprint: Fingerprint): readonly (keyof Fingerprint)[] {
  return (Object.keys(parts) as (keyof Fingerprint)[]).filter((name) => found[name] !== fingerprint[name]);
}

function isSame(found: Fingerprint, fingerprint: Fingerprint): boolean {
  return differingIn(found, fingerprint).length === 0;
}

function taken(folder: string): MapError {
  return new MapError(`${folder} has been taken by another run this very moment`);
}

/** What a run may leave that was stopped before its first file. */
const isOfBeginning = /^_(?:run\.json|lock)\..*\.tmp$/;

/** With those above it; Node's own way never ends where a folder above cannot have any, as in /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  const above = dirname(path);
  if (above !== path) makeFolder(above);
  mkdirSync(path);
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
  ENOSPC: noSpace,
  EDQUOT: noSpace,
  EFBIG: noSpace,
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
    throw folderFault(folder, error);
  }
}

/** As a fault that names the folder, where the system refused something. */
export function folderFault(folder: string, error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  const reason = code === undefined ? undefined : (reasons[code] ?? code);
  return reason === undefined ? error : new MapError(`cannot write to ${folder}: ${reason}`, { cause: error });
}
