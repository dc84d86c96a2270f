// Node's error codes as faults of the platform; whatever they are not about goes on as it is.

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

/** The code of an error of Node's; null for anything else. */
export function codeOf(error: unknown): string | null {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : null;
  return typeof code === 'string' ? code : null;
}

/** A FileFault for an error of the file system; other things stay what they are. */
export function faultOf(error: unknown): unknown {
  const code = codeOf(error);
  return code === null ? error : new FileFault(codes[code] ?? 'unknown');
}

/** Whether there is nothing at a path, which another error may say too: something on the way is no directory. */
export function isMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** What says that there is nothing at a path, or nothing that could be reached by it. */
const absent: ReadonlySet<FileFaultCode> = new Set([
  'not-found',
  'not-directory',
  'too-many-links',
  'name-too-long',
  'no-access',
]);

/** Whether an error answers the question for something at a path with no; others leave it open. */
export function saysAbsent(error: unknown): boolean {
  const fault = faultOf(error);
  return fault instanceof FileFault && absent.has(fault.code);
}
