// The constraints of a grant for files, and how they are read.

import type { Grant } from '../../permissions/grants.ts';
import { makeGrant } from '../../permissions/grants.ts';
import { count, flag, listOf, optional, readGrant, text } from '../../permissions/read-grant.ts';
import type { ConstraintReader, ConstraintRow, GrantProblem } from '../../permissions/read-grant.ts';
import { lowerAscii, sliceText, unitAt } from '../../primordials/untampered.ts';

/** Restrictions of a grant for File. */
export interface FileConstraints {
  /** Largest file that may be read or written, in bytes of UTF-8. */
  readonly maxBytes?: number | null;
  /** An absolute path that replaces the script's. */
  readonly rewrittenPath?: string | null;
  /** Directories whose files, at any depth, may be used. */
  readonly allowedDirectories?: readonly string[] | null;
  /** Files, and directories with all below them, that may not be used; they win over allowed directories. */
  readonly deniedDirectories?: readonly string[] | null;
  /** `txt` or `.txt`. */
  readonly allowedExtensions?: readonly string[] | null;
  /** Denies write, append, delete and createDir. */
  readonly readOnly?: boolean | null;
}

/** Constraints after reading: complete, checked and copied from the host's object. Null means no restriction. */
export interface FileLimits {
  readonly maxBytes: number | null;
  readonly rewrittenPath: string | null;
  readonly allowedDirectories: readonly string[] | null;
  readonly deniedDirectories: readonly string[] | null;
  /** In lower case, without a dot. */
  readonly allowedExtensions: readonly string[] | null;
  readonly readOnly: boolean;
}

/** Grants a File request within constraints. */
export function FileGrant(constraints: FileConstraints): Grant {
  return makeGrant('File', constraints);
}

/** `txt`, `.TXT` */
const extension: ConstraintReader<string> = (value) => {
  if (typeof value !== 'string') return undefined;
  const name = unitAt(value, 0) === 46 ? sliceText(value, 1) : value;
  if (name === '') return undefined;
  for (let at = 0; at < name.length; at++) {
    const unit = unitAt(name, at);
    if (unit === 46 || unit === 47 || unit === 92) return undefined;
  }
  return lowerAscii(name);
};

const table = {
  maxBytes: optional(count),
  rewrittenPath: optional(text),
  allowedDirectories: optional(listOf(text)),
  deniedDirectories: optional(listOf(text)),
  allowedExtensions: optional(listOf(extension)),
  readOnly: flag,
} satisfies Record<keyof FileConstraints, ConstraintRow<unknown, unknown>>;

export function readFileGrant(grant: Grant): FileLimits | GrantProblem {
  return readGrant(grant, 'File', table);
}
