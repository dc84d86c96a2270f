// Reading and writing what is in a file of Node's. Small files are done with at once, large ones while others run.

import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fchmodSync, fchownSync, fstatSync, ftruncateSync, openSync, read, readSync, renameSync, unlinkSync, write, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { proceed } from '../failures.ts';
import type { Awaitable } from '../failures.ts';
import { codeOf } from './node-faults.ts';
import type { Reached, ReachedName } from './node-paths.ts';
import { FileFault } from './platform.ts';
import type { FileRules } from './platform.ts';

/** Up to so many bytes the script's thread waits itself. */
const atOnceBytes = 256 * 1024;
const longestText = 0x1fff_ffe8;
/** How much is asked for at a time where nobody knows how much there is. */
const unsizedPart = 16_384;

const readLater = promisify(read);
const writeLater = promisify(write);

/** The text of a file, as it was long when it was opened. */
export function readText(file: Reached, rules: FileRules): Awaitable<string> {
  return withOpen(openReached(file, constants.O_RDONLY | constants.O_NONBLOCK), (fd) => {
    const { size } = fstatSync(fd);
    rules.checkSize(size);
    if (size > longestText) throw new FileFault('too-large');
    if (size === 0) return proceed(readUnsized(fd, rules), textOf);
    const buffer = Buffer.allocUnsafe(size);
    if (size > atOnceBytes) return fillLater(fd, buffer).then(textOf);
    let filled = 0;
    for (let count = -1; count !== 0 && filled < size; filled += count) count = readSync(fd, buffer, filled, size - filled, filled);
    return textOf(buffer.subarray(0, filled));
  });
}

async function fillLater(fd: number, buffer: Buffer): Promise<Buffer> {
  let filled = 0;
  for (let count = -1; count !== 0 && filled < buffer.length; filled += count) count = (await readLater(fd, buffer, filled, buffer.length - filled, filled)).bytesRead;
  return buffer.subarray(0, filled);
}

/** Files that the system makes up as they are read say that they are empty. */
function readUnsized(fd: number, rules: FileRules): Awaitable<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  const take = (part: Buffer, count: number): void => {
    parts.push(part.subarray(0, count));
    length += count;
    rules.checkSize(length);
    if (length > longestText) throw new FileFault('too-large');
  };
  while (length <= atOnceBytes) {
    const part = Buffer.allocUnsafe(unsizedPart);
    const count = readSync(fd, part, 0, part.length, null);
    if (count === 0) return Buffer.concat(parts);
    take(part, count);
  }
  const finish = async (): Promise<Buffer> => {
    for (;;) {
      const part = Buffer.allocUnsafe(unsizedPart);
      const count = (await readLater(fd, part, 0, part.length, null)).bytesRead;
      if (count === 0) return Buffer.concat(parts);
      take(part, count);
    }
  };
  return finish();
}

function textOf(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new FileFault('not-utf8');
  return bytes.toString('utf8');
}

/** Writes at the end of a file. */
export function appendBytes(file: Reached, content: Uint8Array, rules: FileRules): Awaitable<void> {
  return withOpen(openReached(file, constants.O_WRONLY | constants.O_APPEND | constants.O_NONBLOCK), (fd) => {
    rules.checkSize(fstatSync(fd).size + content.length);
    return writeBytes(fd, content);
  });
}

/**
 * Replaces what a name stands for, or makes it: a new file takes the name once it is whole. `old` is the file that
 * has the name already.
 */
export function replaceFile(at: ReachedName, old: Reached | null, content: Uint8Array, random: () => string): Awaitable<void> {
  const temporary = `${at.directory}/.sluice-${random()}.tmp`;
  let fd: number;
  try {
    // A file that may not be written is not replaced either.
    if (old !== null) closeSync(openReached(old, constants.O_WRONLY | constants.O_NONBLOCK));
    fd = openSync(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0), 0o666);
  } catch (error) {
    const code = codeOf(error);
    if (old === null || (code !== 'EACCES' && code !== 'EROFS')) throw error;
    return overwrite(old, content);
  }
  if (old !== null && !standInFor(old, fd)) {
    closeSync(fd);
    unlinkSync(temporary);
    return overwrite(old, content);
  }
  const finish = (): void => {
    at.confirm();
    renameSync(temporary, `${at.directory}/${at.name}`);
  };
  const giveUp = (error: unknown): never => {
    unlinkSync(temporary);
    throw error;
  };
  try {
    const written = withOpen(fd, () => writeBytes(fd, content));
    const done = proceed(written, finish);
    return done instanceof Promise ? done.catch(giveUp) : done;
  } catch (error) {
    return giveUp(error);
  }
}

/** Gives a new file the owner, group and mode of the old one; false where it may not. */
function standInFor({ stats: { uid, gid, mode } }: Reached, fd: number): boolean {
  try {
    const made = fstatSync(fd);
    if (made.uid !== uid || made.gid !== gid) fchownSync(fd, uid, gid);
    // Without the bits to run as owner or group: other content shall not have the rights that the old one was given.
    fchmodSync(fd, mode & 0o777);
    return true;
  } catch {
    return false;
  }
}

/** Where no new file can be made beside the old one, or none that belongs to whom the old one does. */
function overwrite(old: Reached, content: Uint8Array): Awaitable<void> {
  return withOpen(openReached(old, constants.O_WRONLY | constants.O_NONBLOCK), (fd) => {
    ftruncateSync(fd, 0);
    return writeBytes(fd, content);
  });
}

function writeBytes(fd: number, content: Uint8Array): Awaitable<void> {
  if (content.length > atOnceBytes) return writeAllLater(fd, content);
  for (let at = 0; at < content.length; ) at += writeSync(fd, content, at);
  return undefined;
}

async function writeAllLater(fd: number, content: Uint8Array): Promise<void> {
  for (let at = 0; at < content.length; ) at += (await writeLater(fd, content, at)).bytesWritten;
}

/** The object that was reached, and no other. */
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

/** Closes what is open when the work is done, however it ends. */
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
