// The process that loads plugins for the language server: its arguments are their files, and its one message says what
// they declare.

import process from 'node:process';
import { registryWith } from '../../library/plugin-registry.ts';
import { declarationOf, readPlugins } from '../../library/plugins.ts';
import { UsageError } from '../exit.ts';
import { loadPlugins } from '../load-plugins.ts';
import type { Loaded } from './plugin-process.ts';

async function load(paths: readonly string[]): Promise<Loaded> {
  try {
    return { declared: readPlugins(await loadPlugins(paths, 'lsp', registryWith)).map(declarationOf) };
  } catch (error) {
    if (error instanceof UsageError || error instanceof TypeError) return { fault: error.message };
    throw error;
  }
}

// Without the server there is nobody to tell.
process.once('disconnect', () => process.exit());
const loaded = await load(process.argv.slice(2));
// Whatever a plugin has left running ends with the process.
process.send!(loaded, () => process.exit());
