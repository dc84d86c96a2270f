// What a script may reach, in the thread that runs it: the flags of the command line decide, and nobody is asked. Code
// for permissions and plugins is loaded where there are any.

import { createNodePlatform } from '../../runtime-host/api/node.ts';
import type { ScriptOptions } from '../../runtime-host/api/node.ts';
import type { Allowed } from '../plan/permissions.ts';

/** What a script is loaded with. Throws UsageError for flags and plugins that mean nothing. */
export async function surroundingsOf({ flags, folder, plugins }: Allowed): Promise<ScriptOptions> {
  return {
    ...(flags.length === 0 ? {} : await permissionsOf(flags, folder)),
    ...(plugins.length === 0
      ? {}
      : { plugins: await (await import('../../src/cli/load-plugins.ts')).loadPlugins(plugins, 'map') }),
  };
}

async function permissionsOf(flags: Allowed['flags'], folder: string): Promise<ScriptOptions> {
  const { decideBy } = await import('../../src/cli/permissions/decide.ts');
  const { readFlags } = await import('../../src/cli/permissions/read-flags.ts');
  const values = new Map<string, string[]>();
  for (const [name, value] of flags) if (value !== null) values.set(name, [...(values.get(name) ?? []), value]);
  const switches = new Set(flags.flatMap(([name, value]) => (value === null ? [name] : [])));
  const input = { operand: '', operands: [], values, switches };
  const log = (line: string): void => {
    process.stderr.write(`${line}\n`);
  };
  const { handler, hear } = decideBy(readFlags(input, 'map', folder), { log, ask: null });
  return {
    permissions: handler,
    onDecision: hear,
    environment: { ...process.env },
    privateNetwork: 'deny',
    platform: createNodePlatform({ baseDir: folder }),
  };
}
