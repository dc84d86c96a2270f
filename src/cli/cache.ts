// Compiled scripts that are kept, so that a second run of the same script loads no compiler: found by a hash of the
// compiler, the script's name and its text, and good as long as the files that it imports are the same. Nothing here
// ever fails: what cannot be read or written is compiled anew.

import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from './code-cache.ts';
import { packagePath } from './package.ts';

const mostEntries = 500;
const suffix = '.sluice';
/** Some file systems note times by the second or two. */
const settlingMs = 2_000;

/** An imported file: as it is called, where it really is, and a hash of what is in it. */
type Import = readonly [name: string, place: string, hash: string];

/** The module of a script that was compiled before; null if there is none that is still right. */
export function findCompiled(name: string, text: string): Uint8Array<ArrayBuffer> | null {
  try {
    const path = entryPath(name, text);
    if (path === null) return null;
    const bytes = readFileSync(path);
    const end = bytes.indexOf(0x0a);
    const imports = JSON.parse(bytes.subarray(0, end).toString()) as readonly Import[];
    if (!imports.every(([imported, place, hash]) => realpathSync(imported) === place && hashOf(readFileSync(imported)) === hash)) return null;
    utimesSync(path, new Date(), new Date());
    return new Uint8Array(bytes.subarray(end + 1));
  } catch {
    return null;
  }
}

/**
 * Keeps the module of a script; `imported` are the files that went into it. One that has changed since shortly before
 * `startedMs`, when the compiler began, may not be the one that it read: then nothing is kept.
 */
export function keepCompiled(name: string, text: string, imported: readonly string[], wasm: Uint8Array, startedMs: number): void {
  try {
    const path = entryPath(name, text);
    if (path === null) return;
    if (imported.some((file) => statSync(file).mtimeMs > startedMs - settlingMs)) return;
    const imports = imported.map((file): Import => [file, realpathSync(file), hashOf(readFileSync(file))]);
    const folder = cacheFolder();
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chmodSync(folder, 0o700);
    const temporary = `${path}.${process.pid}`;
    writeFileSync(temporary, Buffer.concat([Buffer.from(`${JSON.stringify(imports)}\n`), wasm]), { mode: 0o600 });
    renameSync(temporary, path);
    dropOldest(folder);
  } catch {
    // Then it is compiled again the next time.
  }
}

/** Forgets a module that turned out to be damaged. */
export function forgetCompiled(name: string, text: string): void {
  const path = entryPath(name, text);
  if (path !== null) rmSync(path, { force: true });
}

/** Null where the compiler does not say which one it is. */
function entryPath(name: string, text: string): string | null {
  const compiler = compilerId();
  return compiler === null ? null : join(cacheFolder(), `${hashOf(JSON.stringify([compiler, name, text]))}${suffix}`);
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
  const entries = readdirSync(folder).filter((name) => name.endsWith(suffix)).map((name) => join(folder, name));
  if (entries.length <= mostEntries) return;
  const byAge = entries.map((path) => ({ path, usedMs: statSync(path).mtimeMs })).sort((a, b) => a.usedMs - b.usedMs);
  for (const { path } of byAge.slice(0, entries.length - mostEntries)) rmSync(path, { force: true });
}
