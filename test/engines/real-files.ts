// The contract of a platform with files on the disk, for the runtimes that have Node's modules: Node, Deno and Bun.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createNodePlatform } from '../../runtime-host/api/node.ts';
import { contractFiles, contractLinks, contractRows, runContractRow } from '../host/contract.ts';
import { hashTree, makeFiles, makeFolder } from '../host/files/real-files.ts';
import { compareGiven } from './compare-given.ts';
import type { Group } from './suites.ts';

export const realFilesGroup: Group = {
  suite: 'host',
  name: 'the contract on the disk',
  checks: contractRows.map((row) => ({
    name: row.name,
    run: async () => {
      const folder = makeFolder();
      try {
        const root = join(folder.path, 'contract');
        mkdirSync(root);
        makeFiles(root, contractFiles, contractLinks);
        const secret = join(folder.path, 'contract-secret');
        const before = hashTree(secret);
        const given = await runContractRow(row, { root, options: { platform: createNodePlatform({ baseDir: root }) } });
        return [
          ...compareGiven(row.name, row.gives, given),
          ...compareGiven(`${row.name}: what lies outside`, [before], [hashTree(secret)]),
        ];
      } finally {
        folder.remove();
      }
    },
  })),
};
