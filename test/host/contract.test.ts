// The contract on the platforms that this process can be: Node on Linux, Node as on other systems, and memory.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createNodeFiles } from '../../runtime-host/node/files.ts';
import { linuxPaths } from '../../runtime-host/node/paths-linux.ts';
import { portablePaths } from '../../runtime-host/node/paths-portable.ts';
import { createNodePlatform } from '../../runtime-host/node/platform.ts';
import { contractFiles, contractLinks, contractRows, makeMemoryPlace, runContractRow } from './contract.ts';
import { hashTree, makeFiles, makeFolder, openedSince, openPaths } from './files/real-files.ts';
import type { RealFolder } from './files/real-files.ts';

describe.each([
  ['Node on Linux', linuxPaths],
  ['Node elsewhere', portablePaths],
])('the contract on %s', (_name, paths) => {
  let folder: RealFolder;
  let root: string;
  beforeEach(() => {
    folder = makeFolder();
    root = join(folder.path, 'contract');
    mkdirSync(root);
    makeFiles(root, contractFiles, contractLinks);
  });
  afterEach(() => folder.remove());

  it.each(contractRows)('$name', async (row) => {
    const secret = hashTree(join(folder.path, 'contract-secret'));
    const open = openPaths();
    const platform = { ...createNodePlatform({ baseDir: root }), files: createNodeFiles(root, paths) };
    const given = await runContractRow(row, { root, options: { platform } });
    expect(given).toEqual(row.gives);
    expect(hashTree(join(folder.path, 'contract-secret'))).toBe(secret);
    // The engine reads files of its own now and then, and closes them soon.
    await expect.poll(() => openedSince(open)).toEqual([]);
  });
});

describe('the contract in memory', () => {
  it.each(contractRows)('$name', async (row) => {
    const { platform, ...place } = makeMemoryPlace();
    expect(await runContractRow(row, place)).toEqual(row.gives);
    const secrets = Object.entries(platform.files.snapshot()).filter(([path]) =>
      path.startsWith('/place/contract-secret'),
    );
    expect(secrets).toEqual([
      ['/place/contract-secret/dir/m.txt', 'SECRET TOO'],
      ['/place/contract-secret/k.txt', 'SECRET'],
    ]);
  });
});
