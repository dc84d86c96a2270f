// Files that the command reads and writes. A failure is one sentence; a file is written as a whole or not at all.

import {
  closeSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { nearestFile } from '../language/nearest-name.ts';
import { escapeControls } from '../diagnostics/display.ts';
import { FileFault, UsageError } from './exit.ts';

/** The bytes of a file. Throws UsageError. */
export function readBytes(path: string): Uint8Array<ArrayBuffer> {
  try {
    const stat = statSync(path);
    if (stat.isDirectory()) throw cannot('read', path, `it is a directory${scriptIn(path)}`);
    if (stat.isCharacterDevice() || stat.isBlockDevice() || stat.isSocket())
      throw cannot('read', path, 'it is not a regular file');
    return readFileSync(path);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw faultOf('read', path, error);
  }
}

/** The script in a directory that was meant, as a question: its `main.slu`, or the only one; nothing without either. */
function scriptIn(path: string): string {
  let names: readonly string[] = [];
  try {
    names = readdirSync(path).filter((name) => name.endsWith('.slu') && !name.endsWith('.test.slu'));
  } catch {
    // Nobody may look into it.
  }
  const name = names.includes('main.slu') ? 'main.slu' : names.length === 1 ? names[0]! : null;
  return name === null ? '' : `; did you mean ${escapeControls(join(path, name))}?`;
}

/** The text of a script. Throws UsageError for bytes that cannot be one. */
export function decodeScript(path: string, bytes: Uint8Array): string {
  const utf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  if (utf16) throw cannot('read', path, 'it looks like UTF-16: save it as UTF-8');
  const zero = bytes.indexOf(0);
  if (zero >= 0)
    throw cannot(
      'read',
      path,
      `it is a binary file, not a script: byte ${zero + 1}, in line ${lineOf(bytes, zero)}, is zero`,
    );
  return decodeText(path, bytes);
}

/** Decodes UTF-8 and drops a byte order mark at the start. Throws UsageError. */
export function decodeText(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const at = firstInvalidByte(bytes);
    if (at < 0) throw cannot('read', path, 'it is too large');
    const byte = bytes[at]!.toString(16).padStart(2, '0');
    throw cannot(
      'read',
      path,
      `it is not valid UTF-8: byte ${at + 1}, in line ${lineOf(bytes, at)}, is 0x${byte}; save it as UTF-8`,
    );
  }
}

function lineOf(bytes: Uint8Array, at: number): number {
  let line = 1;
  for (let index = bytes.indexOf(0x0a); index >= 0 && index < at; index = bytes.indexOf(0x0a, index + 1)) line++;
  return line;
}

/** Index where the first malformed character begins, -1 if there is none. */
function firstInvalidByte(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length) {
    const first = bytes[at]!;
    const count =
      first < 0x80
        ? 0
        : first >= 0xc2 && first <= 0xdf
          ? 1
          : first >= 0xe0 && first <= 0xef
            ? 2
            : first >= 0xf0 && first <= 0xf4
              ? 3
              : -1;
    if (count < 0) return at;
    for (let next = 1; next <= count; next++) {
      const byte = bytes[at + next];
      // The range of the second byte excludes overlong forms, surrogates and code points beyond Unicode.
      const low = next > 1 ? 0x80 : first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
      const high = next > 1 ? 0xbf : first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
      if (byte === undefined || byte < low || byte > high) return at;
    }
    at += count + 1;
  }
  return -1;
}

export interface FileContent {
  readonly path: string;
  readonly content: Uint8Array | string;
  /** The file's permission bits; the system's default if left out. */
  readonly mode?: number;
  /** The content is private: only the owner can read the file, and a link at its path is not followed. */
  readonly isPrivate?: boolean;
}

const privateMode = 0o600;

/**
 * Replaces a script whose text was `before`: links are followed, and the permission bits and byte order mark are kept.
 * Throws UsageError, also if somebody else has changed the file meanwhile.
 */
export function replaceScript(path: string, before: string, after: string): void {
  const bytes = readBytes(path);
  if (decodeScript(path, bytes) !== before) throw cannot('write', path, 'it was changed meanwhile');
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const place = realpathSync(path);
  writeFiles([{ path: place, content: hasMark ? `\ufeff${after}` : after, mode: statSync(place).mode & 0o7777 }]);
}

/**
 * Writes all files to temporary files beside their places first and then moves them there; a device or pipe such as
 * /dev/null gets the content directly. Throws UsageError.
 */
export function writeFiles(files: readonly FileContent[]): void {
  const written: { readonly path: string; readonly finish: () => void; readonly temporary: string | null }[] = [];
  try {
    for (const { path, content, isPrivate = false, mode = isPrivate ? privateMode : undefined } of files) {
      const place = placeOf(path, isPrivate);
      const stat = statSync(place, { throwIfNoEntry: false });
      if (stat?.isDirectory() === true) throw cannot('write', path, 'it is a directory');
      if (stat !== undefined && !stat.isFile()) {
        written.push({ path, finish: () => writeFileSync(place, content), temporary: null });
        continue;
      }
      const temporary = `${place}.${process.pid}.tmp`;
      attempt(path, () => writeDurably(temporary, content, mode));
      written.push({ path, finish: () => renameSync(temporary, place), temporary });
    }
    for (const { path, finish } of written) attempt(path, finish);
  } finally {
    for (const { temporary } of written) if (temporary !== null) rmSync(temporary, { force: true });
  }
}

/** Throws UsageError if a private file could not be written there, before there is anything to write. */
export function checkPrivatePlace(path: string): void {
  placeOf(path, true);
}

/** The path that is written. A user's link is replaced; a link of the system, such as /dev/stdout, is followed. */
function placeOf(path: string, isPrivate: boolean): string {
  try {
    if (!lstatSync(path).isSymbolicLink()) return path;
    if (/^\/(dev|proc)(\/|$)/.test(realpathSync(dirname(path))))
      return statSync(path).isFile() ? realpathSync(path) : path;
  } catch {
    // Either nothing is there, or the attempt to write reports what is wrong.
    return path;
  }
  if (isPrivate)
    throw cannot('write', path, 'it is a link, and what only you shall read is not written where one leads');
  return path;
}

/** Throws UsageError if writing one of the paths would replace the script that is compiled. */
export function keepScript(script: string, paths: readonly string[], reason = 'it is the script itself'): void {
  for (const path of paths) {
    if (isSameFile(script, path)) throw cannot('write', path, reason);
  }
}

/** Whether two paths lead to the same file, through links of any kind, or by names that differ only in case. */
function isSameFile(one: string, other: string): boolean {
  try {
    if (realpathSync(one) === realpathSync(other)) return true;
    const [a, b] = [statSync(one, { bigint: true }), statSync(other, { bigint: true })];
    return a.ino !== 0n && a.ino === b.ino && a.dev === b.dev;
  } catch {
    return false;
  }
}

function attempt(path: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    throw faultOf('write', path, error);
  }
}

function writeDurably(path: string, content: Uint8Array | string, mode?: number): void {
  // The file never has more permissions than its final mode.
  const descriptor = mode === undefined ? openSync(path, 'wx') : openSync(path, 'wx', mode & privateMode);
  try {
    writeFileSync(descriptor, content);
    if (mode !== undefined) fchmodSync(descriptor, mode);
    fsyncSync(descriptor);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

function cannot(verb: 'read' | 'write', path: string, reason: string, nearest: string | null = null): FileFault {
  return new FileFault(`${verb} ${path === '' ? 'a file without a name' : escapeControls(path)}`, reason, nearest);
}

const reasons: Readonly<Record<string, string>> = {
  EISDIR: 'it is a directory',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOTDIR: 'a part of the path is not a directory',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'the name is too long',
  ENOSPC: 'there is no space left on the device',
  EDQUOT: 'there is no space left for this user',
  EFBIG: 'the file may not be so large',
  EIO: 'the device reports a failure',
  EROFS: 'the file system is read-only',
  EMFILE: 'too many files are open',
  ERR_FS_FILE_TOO_LARGE: 'it is too large',
  ERR_INVALID_ARG_VALUE: 'this is not a file name',
};

/** A sentence part for an error code of the system. */
export function reasonOf(code: string | undefined): string {
  return reasons[code ?? ''] ?? `the system says ${code ?? 'no'}`;
}

function faultOf(verb: 'read' | 'write', path: string, error: unknown): FileFault {
  const { code } = error as { code?: string };
  if (code !== 'ENOENT') return cannot(verb, path, reasonOf(code));
  try {
    return cannot(verb, path, 'there is no such file', nearestFile(basename(path), readdirSync(dirname(path))));
  } catch {
    return cannot(verb, path, 'there is no such directory');
  }
}
