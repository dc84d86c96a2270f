// Real directories for the tests of the host: made below the temporary directory, looked at as a whole, removed.

import { createHash } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface RealFolder {
  readonly path: string;
  remove(): void;
}

/** An empty directory of this test's own, by its real path. */
export function makeFolder(): RealFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-')));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Makes files, directories (a path that ends in a slash) and links, by path from `root`. */
export function makeFiles(
  root: string,
  files: Readonly<Record<string, string | Uint8Array>>,
  links: Readonly<Record<string, string>> = {},
): void {
  for (const [path, content] of Object.entries(files)) {
    const full = join(root, path);
    mkdirSync(path.endsWith('/') ? full : dirname(full), { recursive: true });
    if (!path.endsWith('/')) writeFileSync(full, content);
  }
  for (const [path, target] of Object.entries(links)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    symlinkSync(target, join(root, path));
  }
}

/** A hash of everything below a path: names, kinds, contents, what links say. */
export function hashTree(path: string): string {
  const hash = createHash('sha256');
  const visit = (at: string, name: string): void => {
    const stats = lstatSync(at);
    hash.update(`${name}\0${stats.mode}\0`);
    if (stats.isSymbolicLink()) hash.update(readlinkSync(at));
    else if (stats.isDirectory())
      for (const entry of readdirSync(at).sort()) visit(join(at, entry), `${name}/${entry}`);
    else if (stats.isFile()) hash.update(readFileSync(at));
  };
  visit(path, '');
  return hash.digest('hex');
}

/**
 * The paths that this process has open, one for each descriptor. Sockets and pipes are left out: those of the process
 * itself come and go at times of their own, and a script has no way to open one here.
 */
export function openPaths(): readonly string[] {
  return readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${descriptor}`);
      // The listing's own descriptor is among them.
      return path.startsWith('/') && !path.endsWith('/fd') ? [path] : [];
    } catch {
      return [];
    }
  });
}

/** What is open now and was not before: a path as often as it has more descriptors than it had. */
export function openedSince(before: readonly string[]): readonly string[] {
  const left = [...before];
  return openPaths().filter((path) => {
    const at = left.indexOf(path);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/**
 * Code of a process that becomes nobody, with `compile`, `loadScript`, `createNodePlatform` and `Granted`. Before it
 * does so it runs a script in the folder, which loads what is loaded late: nobody need be able to read the checkout.
 */
export function becomingNobody(folder: string): string {
  return `if (process.getuid() === 0) {
    const text = 'File.write("f", "1"); File.append("f", "2"); yield File.read("f"); File.delete("f");';
    const first = await compile('first.slu', text);
    const platform = createNodePlatform({ baseDir: ${JSON.stringify(folder)} });
    await (await loadScript(first.artifact.wasm, { platform, permissions: () => Granted })).run().result;
    process.setgroups([]); process.setgid(65534); process.setuid(65534);
  }`;
}
