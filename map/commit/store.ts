// What a run has done, as a store keeps it. A partition counts once its record is there, which can be made once only:
// of two that did the same work the first wins, and a run that was stopped goes on behind what is there. Nothing here
// asks for more than exclusive creation, so that an object store with conditional writes could be one, too.

/** What a run is about: a run that differs in one of these is another one. */
export interface Fingerprint {
  readonly script: string;
  readonly input: string;
  readonly options: string;
}

export interface RunRecord extends Fingerprint {
  readonly startedAt: number;
  /** It began with a queue: others may be at work on it without a lock. */
  readonly isShared?: boolean;
}

/** How much became of the records of a partition. */
export interface Counts {
  readonly read: number;
  readonly written: number;
  readonly skipped: number;
  readonly failed: number;
}

export interface Commit extends Counts {
  readonly partition: number;
  /** The file of what was mapped; null for a run that only sums up. */
  readonly file: string | null;
  /** The file of states; null for a run that only maps. */
  readonly state: string | null;
  /** Of what was mapped, or else of the states. */
  readonly sha256: string;
  /** The file of the records that failed; null where none did. */
  readonly errors: string | null;
}

/** The files of an attempt: what was mapped, states, and the records that failed; one of the first two is there. */
export interface AttemptFiles {
  readonly data: string | null;
  readonly state: string | null;
  readonly errors: string | null;
}

/** Merged states, or the summary. */
export interface NodeCommit {
  readonly id: string;
  readonly file: string;
  readonly sha256: string;
  readonly groups: number;
}

/** What the summary is committed as. */
export const summaryId = 'summary';

/** The name of a partition's file, without its ending. */
export function partName(partition: number, partitions: number): string {
  return `part-${String(partition).padStart(Math.max(5, String(partitions - 1).length), '0')}`;
}

/** What came of a commit: somebody else may have been first, with the same bytes or with others. */
export type CommitOutcome = 'committed' | 'same' | 'different';

export interface Store {
  /** As people know it. */
  readonly location: string;
  /** A folder of this machine for files that are gone once the run is complete. */
  readonly staging: string;
  /** The folder of what attempts write. */
  readonly data: string;
  /**
   * Makes the store ready. `isResumed` goes on with a run that was stopped; what attempts left is removed then, unless
   * others may be at work on the same run: where they may not, they are kept out until `release`. Throws MapError where
   * the store belongs to another run of which something is committed, or to somebody else.
   */
  begin(
    fingerprint: Fingerprint,
    how: { readonly isResumed: boolean; readonly isShared?: boolean },
  ): Promise<RunRecord>;
  /** Partitions of the run that `begin` would go on with; 0 where it would begin one. Throws MapError as that does. */
  committed(fingerprint: Fingerprint): Promise<number>;
  /** Lets others in again. */
  release(): Promise<void>;
  /** The run that is under way; null where there is none, or it is complete. */
  current(): Promise<RunRecord | null>;
  /** Partitions that are committed, in order, without those whose ids are known already. */
  commits(known?: ReadonlySet<string>): Promise<readonly Commit[]>;
  /** Whether a task is committed: a partition by its number, or a merge, or the summary. */
  isCommitted(id: string): Promise<boolean>;
  /** The path of a file of this machine, for an attempt to write to. */
  attempt(id: number | string, extension?: string): string;
  /** Commits what lies in the files of an attempt, and removes them where somebody else was first. */
  commit(commit: Omit<Commit, 'sha256' | 'file' | 'state' | 'errors'>, files: AttemptFiles): Promise<CommitOutcome>;
  /** Merges, and the summary, that are committed, without those whose ids are known already. */
  nodes(known?: ReadonlySet<string>): Promise<readonly NodeCommit[]>;
  commitNode(id: string, groups: number, path: string): Promise<CommitOutcome>;
  /** The committed states of a partition, by its number, or of a merge. Throws MapError where there are none. */
  states(id: string): Promise<string>;
  /** Keeps bytes until the run is complete, and answers with their SHA-256, by which they are found. */
  keep(bytes: Uint8Array): Promise<string>;
  /** What was kept; null where it is not there, or has another hash. */
  kept(sha256: string): Promise<Uint8Array<ArrayBuffer> | null>;
  /** The totals of a run that is complete; null where it is not. */
  totals(): Promise<object | null>;
  /**
   * Gives the files their names, once all partitions are committed. It may be stopped at any point and done again, and
   * several may do it at once.
   */
  finish(totals: object, partitions: number): Promise<void>;
}
