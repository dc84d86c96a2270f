// Converts Node's error codes to faults of the platform; other errors pass unchanged.

import { FileFault } from '../platform/platform.ts';
import type { FileFaultCode } from '../platform/platform.ts';

const codes: Readonly<Record<string, FileFaultCode>> = {
  ENOENT: 'not-found',
  EISDIR: 'is-directory',
  ENOTDIR: 'not-directory',
  ENXIO: 'not-a-file',
  ENODEV: 'not-a-file',
  ENOTEMPTY: 'not-empty',
  EEXIST: 'not-empty',
  EACCES: 'no-access',
  EPERM: 'no-access',
  EROFS: 'read-only',
  ENOSPC: 'no-space',
  EDQUOT: 'no-space',
  EFBIG: 'no-space',
  ELOOP: 'too-many-links',
  ENAMETOOLONG: 'name-too-long',
  EBUSY: 'busy',
  ETXTBSY: 'busy',
  EMFILE: 'busy',
  ENFILE: 'busy',
};

/** The code of an error of Node; null for anything else. */
export function codeOf(error: unknown): string | null {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' ? code : null;
}

/** A FileFault for an error of the file system; other values are returned unchanged. */
export function faultOf(error: unknown): unknown {
  const code = codeOf(error);
  return code === null ? error : new FileFault(codes[code] ?? 'unknown');
}

/** Whether an error means that nothing exists at a path; that includes a part of the path that is no directory. */
export function isMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** Faults which mean that nothing exists at a path, or that nothing can be reached by it. */
const absent: ReadonlySet<FileFaultCode> = new Set([
  'not-found',
  'not-directory',
  'too-many-links',
  'name-too-long',
  'no-access',
]);

/** Whether an error means that nothing exists at a path; other errors leave that open. */
export function saysAbsent(error: unknown): boolean {
  const fault = faultOf(error);
  return fault instanceof FileFault && absent.has(fault.code);
}
