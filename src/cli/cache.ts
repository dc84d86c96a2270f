// Compiled scripts that are kept, so that a second run of the same script loads no compiler: found by a hash of the
// compiler, the script's name and its text, and good as long as the files that it imports are the same. They run as
// what was compiled here, so each carries a code that only who has the folder's key can make. Nothing here ever fails:
// what cannot be read or written is compiled anew.

import { createHash, createHmac, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import {
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { cacheFolder, tellDoubt } from './cache-folder.ts';
import { Doubt, readOwnFile } from './own-files.ts';
import { packagePath } from './package.ts';

const mostEntries = 500;
const mostBytes = 256 * 2 ** 20;
const mostEntryBytes = 32 * 2 ** 20;
const suffix = '.sluice';
const temporarySuffix = '.tmp';
const keyName = 'key';
const keyBytes = 32;
/** Of HMAC-SHA256. */
const codeBytes = 32;
/** Some file systems note times by the second or two. */
const settlingMs = 2_000;
/** What a command that was killed has left. */
const abandonedMs = 3_600_000;

/** An imported file: as it is called, where it really is, and a hash of what is in it. */
type Import = readonly [name: string, place: string, hash: string];

/** The module of a script that was compiled before; null if there is none that is still right. */
export function findCompiled(name: string, text: string): Uint8Array<ArrayBuffer> | null {
  const entry = entryOf(name, text);
  if (entry === null) return null;
  try {
    const content = readEntry(entry);
    if (content === null) return null;
    const end = content.indexOf(0x0a);
    const imports = JSON.parse(content.subarray(0, end).toString()) as readonly Import[];
    if (
      !imports.every(
        ([imported, place, hash]) => realpathSync(imported) === place && hashOf(readFileSync(imported)) === hash,
      )
    )
      return null;
    utimesSync(entry.path, new Date(), new Date());
    return new Uint8Array(content.subarray(end + 1));
  } catch {
    return null;
  }
}

/**
 * Keeps the module of a script; `imported` are the files that went into it. One that has changed since shortly before
 * `startedMs`, when the compiler began, may not be the one that it read: then nothing is kept.
 */
export function keepCompiled(
  name: string,
  text: string,
  imported: readonly string[],
  wasm: Uint8Array,
  startedMs: number,
): void {
  const entry = entryOf(name, text);
  if (entry === null) return;
  try {
    if (imported.some((file) => statSync(file).mtimeMs > startedMs - settlingMs)) return;
    const imports = imported.map((file): Import => [file, realpathSync(file), hashOf(readFileSync(file))]);
    const content = Buffer.concat([Buffer.from(`${JSON.stringify(imports)}\n`), wasm]);
    if (content.length + codeBytes > mostEntryBytes) return;
    const key = readKey(entry.folder) ?? makeKey(entry.folder);
    replaceWhole(entry.path, Buffer.concat([codeOf(key, entry.id, content), content]));
    dropOldest(entry.folder);
  } catch {
    // Then it is compiled again the next time.
  }
}

/** Forgets a module that turned out to be damaged. */
export function forgetCompiled(name: string, text: string): void {
  const entry = entryOf(name, text);
  if (entry !== null) remove(entry.path);
}

interface Entry {
  readonly folder: string;
  readonly path: string;
  /** What it is a module of. */
  readonly id: string;
}

/** Null where the compiler does not say which one it is, or nothing can be kept. */
function entryOf(name: string, text: string): Entry | null {
  const compiler = compilerId();
  const folder = compiler === null ? null : cacheFolder();
  if (folder === null) return null;
  const id = hashOf(JSON.stringify([compiler, name, text]));
  return { folder, path: join(folder, `${id}${suffix}`), id };
}

/** What was kept, without its code; null if nothing was. One that is not as it was written is told, and removed. */
function readEntry({ folder, path, id }: Entry): Buffer | null {
  const bytes = readOwnFile(path, mostEntryBytes);
  if (bytes === null) return null;
  const key = readKey(folder);
  const doubt =
    bytes instanceof Doubt ? bytes : isGenuine(bytes, key, id) ? null : new Doubt(path, 'is not as it was written');
  if (doubt === null) return (bytes as Buffer).subarray(codeBytes);
  tellDoubt('a compiled script is not taken from the cache', doubt, 'it is removed');
  remove(path);
  return null;
}

function isGenuine(bytes: Buffer, key: Buffer | null, id: string): boolean {
  return (
    key !== null &&
    bytes.length > codeBytes &&
    timingSafeEqual(bytes.subarray(0, codeBytes), codeOf(key, id, bytes.subarray(codeBytes)))
  );
}

function codeOf(key: Buffer, id: string, content: Uint8Array): Buffer {
  return createHmac('sha256', key).update(id).update(content).digest();
}

/** Null if there is none, or none that can be one. */
function readKey(folder: string): Buffer | null {
  const key = readOwnFile(join(folder, keyName), keyBytes);
  return key instanceof Buffer && key.length === keyBytes ? key : null;
}

/**
 * The first command makes one that holds for all. Throws where there is something else, which the next command does
 * without.
 */
function makeKey(folder: string): Buffer {
  const path = join(folder, keyName);
  try {
    writeFileSync(path, randomBytes(keyBytes), { mode: 0o600, flag: 'wx' });
  } catch {
    // Another command was faster.
  }
  const key = readKey(folder);
  if (key !== null) return key;
  remove(path);
  throw new Error('no key can be made');
}

function replaceWhole(path: string, content: Uint8Array): void {
  const temporary = `${path}.${randomUUID()}${temporarySuffix}`;
  try {
    writeFileSync(temporary, content, { mode: 0o600, flag: 'wx' });
    renameSync(temporary, path);
  } catch (error) {
    remove(temporary);
    throw error;
  }
}

/** Whatever it is: nothing in the folder is anybody else's. */
function remove(path: string): void {
  try {
    rmSync(path, { force: true, recursive: true });
  } catch {
    // It stays, and is not taken the next time either.
  }
}

/** A hash of the compiler, which the build leaves beside it. */
function compilerId(): string | null {
  try {
    return readFileSync(packagePath('dist/compiler-id'), 'utf8');
  } catch {
    return null;
  }
}

function hashOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/** The entries that were used last are kept. */
function dropOldest(folder: string): void {
  const files = readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    return stats === undefined ? [] : [{ name, path, bytes: stats.size, usedMs: stats.mtimeMs }];
  });
  for (const { name, path, usedMs } of files)
    if (name.endsWith(temporarySuffix) && usedMs < Date.now() - abandonedMs) remove(path);
  const byAge = files.filter(({ name }) => name.endsWith(suffix)).sort((a, b) => b.usedMs - a.usedMs);
  let bytes = 0;
  byAge.forEach((entry, at) => {
    bytes += entry.bytes;
    if (at >= mostEntries || bytes > mostBytes) remove(entry.path);
  });
}
