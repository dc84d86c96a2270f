// Reads and writes the content of files with Node. Small files are processed synchronously, large ones while other
// scripts run.

import { isUtf8 } from 'node:buffer';
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  ftruncateSync,
  openSync,
  read,
  readSync,
  renameSync,
  unlinkSync,
  write,
  writeSync,
} from 'node:fs';
import { promisify } from 'node:util';
import { proceed } from '../errors/failures.ts';
import type { Awaitable } from '../errors/failures.ts';
import { codeOf } from './faults.ts';
import type { Reached, ReachedName } from './paths.ts';
import { FileFault } from '../platform/platform.ts';
import type { FileRules } from '../platform/platform.ts';

/** Up to this size, the script's thread waits for the file itself. */
const atOnceBytes = 256 * 1024;
/** A large file is written in parts of this size; before each, the host checks whether the call is still needed. */
const partBytes = 4 * 1024 * 1024;
const longestText = 0x1fff_ffe8;
/** The size of a part if the size of the file is unknown. */
const unsizedPart = 16_384;

const readLater = promisify(read);
const writeLater = promisify(write);

/** The text of a file, up to its length when it was opened. */
export function readText(file: Reached, rules: FileRules): Awaitable<string> {
  return withOpen(openReached(file, constants.O_RDONLY | constants.O_NONBLOCK), (fd) => {
    const { size } = fstatSync(fd);
    rules.checkSize(size);
    if (size > longestText) throw new FileFault('too-large');
    if (size === 0) return proceed(readUnsized(fd, rules), textOf);
    return proceed(rules.read(size), () => readSized(fd, size));
  });
}

function readSized(fd: number, size: number): Awaitable<string> {
  const buffer = Buffer.allocUnsafe(size);
  if (size > atOnceBytes) return fillLater(fd, buffer).then(textOf);
  let filled = 0;
  for (let count = -1; count !== 0 && filled < size; filled += count)
    count = readSync(fd, buffer, filled, size - filled, filled);
  return textOf(buffer.subarray(0, filled));
}

async function fillLater(fd: number, buffer: Buffer): Promise<Buffer> {
  let filled = 0;
  for (let count = -1; count !== 0 && filled < buffer.length; filled += count)
    count = (await readLater(fd, buffer, filled, buffer.length - filled, filled)).bytesRead;
  return buffer.subarray(0, filled);
}

/** Files that the system generates on reading report a size of zero. */
function readUnsized(fd: number, rules: FileRules): Awaitable<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  /** Whether the part was the last one. */
  const take = (part: Buffer, count: number): Awaitable<boolean> => {
    if (count === 0) return true;
    parts.push(part.subarray(0, count));
    length += count;
    rules.checkSize(length);
    if (length > longestText) throw new FileFault('too-large');
    return proceed(rules.read(count), () => false);
  };
  const finish = async (): Promise<Buffer> => {
    for (let isWhole = false; !isWhole;) {
      const part = Buffer.allocUnsafe(unsizedPart);
      isWhole = await take(part, (await readLater(fd, part, 0, part.length, null)).bytesRead);
    }
    return Buffer.concat(parts);
  };
  while (length <= atOnceBytes) {
    const part = Buffer.allocUnsafe(unsizedPart);
    const isWhole = take(part, readSync(fd, part, 0, part.length, null));
    if (isWhole === true) return Buffer.concat(parts);
    if (isWhole !== false) return isWhole.then((whole) => (whole ? Buffer.concat(parts) : finish()));
  }
  return finish();
}

function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new FileFault('not-utf8');
  return bytes.toString('utf8');
}

/** Appends to a file: either all of the content or nothing. */
export function appendBytes(file: Reached, content: Uint8Array, rules: FileRules): Awaitable<void> {
  return withOpen(openReached(file, constants.O_WRONLY | constants.O_APPEND | constants.O_NONBLOCK), (fd) => {
    const { size, nlink } = fstatSync(fd);
    rules.checkNames(nlink);
    rules.checkSize(size + content.length);
    rules.throwIfOver();
    dropRights(fd);
    return addBytes(fd, size, content, null);
  });
}

/**
 * Replaces or makes the file of a name: a new file gets the name once it is complete. `old` is the file that has the
 * name already.
 */
export function replaceFile(
  at: ReachedName,
  old: Reached | null,
  content: Uint8Array,
  rules: FileRules,
  random: () => string,
): Awaitable<void> {
  const temporary = `${at.directory}/.sluice-${random()}.tmp`;
  let fd: number;
  rules.throwIfOver();
  try {
    // A file that is not writable must not be replaced either.
    if (old !== null) closeSync(openReached(old, constants.O_WRONLY | constants.O_NONBLOCK));
    fd = openSync(
      temporary,
      constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0),
      0o666,
    );
  } catch (error) {
    const code = codeOf(error);
    if (old === null || (code !== 'EACCES' && code !== 'EROFS')) throw error;
    return overwrite(old, content, rules);
  }
  if (old !== null && !standInFor(old, fd)) {
    closeSync(fd);
    unlinkSync(temporary);
    return overwrite(old, content, rules);
  }
  const finish = (): void => {
    at.confirm();
    rules.throwIfOver();
    renameSync(temporary, `${at.directory}/${at.name}`);
  };
  const giveUp = (error: unknown): never => {
    unlinkSync(temporary);
    throw error;
  };
  try {
    const written = withOpen(fd, () => writeBytes(fd, content, null, { partBytes, note: rules.throwIfOver }));
    const done = proceed(written, finish);
    return done instanceof Promise ? done.catch(giveUp) : done;
  } catch (error) {
    return giveUp(error);
  }
}

/** Gives a new file the owner, group and mode of the old one; false if that is not permitted. */
function standInFor({ stats: { uid, gid, mode } }: Reached, fd: number): boolean {
  try {
    const made = fstatSync(fd);
    if (made.uid !== uid || made.gid !== gid) fchownSync(fd, uid, gid);
    // Without the setuid and setgid bits: new content must not get the rights that the old content had.
    fchmodSync(fd, mode & 0o777);
    return true;
  } catch {
    return false;
  }
}

/**
 * Writes into the old file if no new file can be made beside it, or none with the same owner. The bytes that make the
 * file longer are written first: if there is no room for them, the old content is still complete.
 */
function overwrite(old: Reached, content: Uint8Array, rules: FileRules): Awaitable<void> {
  return withOpen(openReached(old, constants.O_WRONLY | constants.O_NONBLOCK), (fd) => {
    const { size, nlink } = fstatSync(fd);
    rules.checkNames(nlink);
    rules.throwIfOver();
    dropRights(fd);
    const head = content.subarray(0, size);
    return proceed(addBytes(fd, size, content.subarray(head.length), size), () =>
      proceed(writeBytes(fd, head, 0), () => ftruncateSync(fd, content.length)),
    );
  });
}

/** Drops the setuid and setgid bits: new content must not run with them. */
function dropRights(fd: number): void {
  const { mode } = fstatSync(fd);
  if ((mode & 0o6000) === 0) return;
  try {
    fchmodSync(fd, mode & 0o1777);
  } catch {
    // The file belongs to somebody else: the system itself removes these bits on writing.
  }
}

/**
 * Makes a file of `size` bytes longer, at this position or, with null, at its end. If not everything can be written,
 * the written part is cut off again.
 */
function addBytes(fd: number, size: number, content: Uint8Array, position: number | null): Awaitable<void> {
  let written = 0;
  const takeBack = (error: unknown): never => {
    // Another process may have made it longer too; then its bytes stay.
    if (fstatSync(fd).size === size + written) ftruncateSync(fd, size);
    throw error;
  };
  try {
    const done = writeBytes(fd, content, position, { note: (count) => void (written = count) });
    return done instanceof Promise ? done.catch(takeBack) : done;
  } catch (error) {
    return takeBack(error);
  }
}

interface Writing {
  /** Large content is written in parts of so many bytes; in one part if left out. */
  readonly partBytes?: number;
  /** Called with the number of written bytes, before each part and after the last; may throw. */
  readonly note?: (written: number) => void;
}

/** Writes from the position on; with null, from the descriptor's own position. */
function writeBytes(
  fd: number,
  content: Uint8Array,
  position: number | null,
  { partBytes = Infinity, note = () => {} }: Writing = {},
): Awaitable<void> {
  const placeOf = (at: number): number | null => (position === null ? null : position + at);
  if (content.length <= atOnceBytes) {
    for (let at = 0; at < content.length; note(at)) at += writeSync(fd, content, at, content.length - at, placeOf(at));
    return undefined;
  }
  return (async () => {
    for (let at = 0; at < content.length;) {
      note(at);
      at += (await writeLater(fd, content, at, Math.min(content.length - at, partBytes), placeOf(at))).bytesWritten;
    }
  })();
}

/** Opens the object that was checked; fails if it is another one now. */
function openReached(file: Reached, flags: number): number {
  const fd = openSync(file.access, flags | file.openFlags);
  try {
    file.confirm(fstatSync(fd));
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** Closes the descriptor when the work is done, however it ends. */
function withOpen<Result>(fd: number, work: (fd: number) => Awaitable<Result>): Awaitable<Result> {
  let result: Awaitable<Result>;
  try {
    result = work(fd);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
  if (!(result instanceof Promise)) {
    closeSync(fd);
    return result;
  }
  return result.finally(() => closeSync(fd));
}
