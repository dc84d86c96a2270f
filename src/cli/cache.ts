// A cache of compiled scripts, so that a second run of the same script loads no compiler. The key is a hash of the
// compiler, the script's name and its text; an entry is valid as long as the files that it imports are the same. Cached
// modules are trusted like fresh ones, so each carries an authentication code that needs the folder's key. Nothing here
// ever fails: if an entry cannot be read or written, the script is compiled again.

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
import { tellDoubt } from './cache-doubt.ts';
import { cacheFolder } from './cache-folder.ts';
import { Doubt, readOwnFile } from './own-files.ts';
import { packagePath } from './package.ts';

const mostEntries = 500;
const mostBytes = 256 * 2 ** 20;
const mostEntryBytes = 32 * 2 ** 20;
const suffix = '.sluice';
const temporarySuffix = '.tmp';
const keyName = 'key';
const keyBytes = 32;
/** The length of an HMAC-SHA256. */
const codeBytes = 32;
/** Some file systems record times in steps of a second or two. */
const settlingMs = 2_000;
/** After this time, the files of a command that was killed may be removed. */
const abandonedMs = 3_600_000;

/** An imported file: its name, its real path, and a hash of its content. */
type Import = readonly [name: string, place: string, hash: string];

/** The cached module of a script; null if there is none that is still valid. */
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
 * Caches the module of a script; `imported` are the files that went into it. The compiler began at `startedMs`. A file
 * that changed since shortly before that time may differ from the one that the compiler read: then nothing is cached.
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
    // The script is compiled again the next time.
  }
}

/** Removes a module that turned out to be damaged. */
export function forgetCompiled(name: string, text: string): void {
  const entry = entryOf(name, text);
  if (entry !== null) remove(entry.path);
}

interface Entry {
  readonly folder: string;
  readonly path: string;
  /** What the module was compiled from. */
  readonly id: string;
}

/** Null if the compiler has no id, or if there is no folder. */
function entryOf(name: string, text: string): Entry | null {
  const compiler = compilerId();
  const folder = compiler === null ? null : cacheFolder();
  if (folder === null) return null;
  const id = hashOf(JSON.stringify([compiler, name, text]));
  return { folder, path: join(folder, `${id}${suffix}`), id };
}

/** The cached module without its authentication code; null if there is none. A damaged one is reported and removed. */
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

/** Null if there is no key of the right length. */
function readKey(folder: string): Buffer | null {
  const key = readOwnFile(join(folder, keyName), keyBytes);
  return key instanceof Buffer && key.length === keyBytes ? key : null;
}

/**
 * The first command makes a key for all later ones. Throws if something else is at its path; that is removed, so that
 * the next command can make a key.
 */
function makeKey(folder: string): Buffer {
  const path = join(folder, keyName);
  try {
    writeFileSync(path, randomBytes(keyBytes), { mode: 0o600, flag: 'wx' });
  } catch {
    // Another command has made it first.
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

/** Removes whatever is there: everything in the folder belongs to the caller. */
function remove(path: string): void {
  try {
    rmSync(path, { force: true, recursive: true });
  } catch {
    // It stays, but the next command does not use it either.
  }
}

/** A hash of the compiler, which the build writes beside it. */
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

/** Keeps the entries that were used last. */
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
