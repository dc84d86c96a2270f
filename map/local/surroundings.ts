// What a script may reach, in the thread that runs it: the flags of the command line decide, and nobody is asked. Code
// for permissions and plugins is loaded where there are any. What a worker does for somebody else its own flags have to
// allow as well.

import { createNodePlatform } from '../../runtime-host/api/node.ts';
import type { ScriptOptions } from '../../runtime-host/api/node.ts';
import { UsageError } from '../../src/cli/exit.ts';
import type { PermissionFlags, readFlags } from '../../src/cli/permissions/read-flags.ts';
import { permissionOptions } from '../../src/cli/permissions/options.ts';
import { nearestName } from '../../src/language/nearest-name.ts';
import { MapError } from '../errors.ts';
import type { Allowed, Permissions } from '../plan/permissions.ts';

/** Throws MapError for a name that is no flag. */
export function flagsOf(permissions: Permissions): Allowed['flags'] {
  for (const name of Object.keys(permissions)) {
    if (flagNames.includes(name)) continue;
    const near = nearestName(name, flagNames);
    throw new MapError(`permissions has no flag ${name}${near === null ? '' : `: did you mean ${near}?`}`);
  }
  return Object.entries(permissions).flatMap(([name, value]) =>
    (value === true ? [null] : [value].flat()).map((one) => [name, one] as const),
  );
}

const flagNames = permissionOptions.map(({ name }) => name);

type Given = Pick<Allowed, 'flags' | 'folder' | 'bound'>;

/** What a script is loaded with. Throws UsageError for flags and plugins that mean nothing. */
export async function surroundingsOf(allowed: Allowed): Promise<ScriptOptions> {
  const { plugins } = allowed;
  return {
    ...(allowed.flags.length === 0 ? {} : await permissionsOf(allowed)),
    ...(plugins.length === 0
      ? {}
      : { plugins: await (await import('../../src/cli/load-plugins.ts')).loadPlugins(plugins, 'map') }),
  };
}

/**
 * What of the flags goes beyond those that bound them, as a sentence; null if nothing does. Throws MapError for flags
 * that mean nothing on this machine.
 */
export async function exceedingOf(given: Given): Promise<string | null> {
  try {
    return (await policiesOf(given)).exceeding;
  } catch (error) {
    throw error instanceof UsageError ? new MapError(error.message) : error;
  }
}

async function policiesOf({ flags, folder, bound }: Given): Promise<PermissionFlags> {
  const { readFlags } = await import('../../src/cli/permissions/read-flags.ts');
  const bounding =
    bound === null ? null : { input: inputOf(bound.flags), command: 'map-worker', baseDir: bound.folder };
  return readFlags(inputOf(flags), 'map', folder, bounding);
}

/** As the command line is read. */
function inputOf(flags: Allowed['flags']): Parameters<typeof readFlags>[0] {
  const values = new Map<string, string[]>();
  for (const [name, value] of flags) if (value !== null) values.set(name, [...(values.get(name) ?? []), value]);
  const switches = new Set(flags.flatMap(([name, value]) => (value === null ? [name] : [])));
  return { operand: '', operands: [], values, switches };
}

async function permissionsOf(given: Given): Promise<ScriptOptions> {
  const { decideBy } = await import('../../src/cli/permissions/decide.ts');
  const log = (line: string): void => {
    process.stderr.write(`${line}\n`);
  };
  const { handler, hear } = decideBy(await policiesOf(given), { log, ask: null });
  return {
    permissions: handler,
    onDecision: hear,
    environment: { ...process.env },
    privateNetwork: 'deny',
    platform: createNodePlatform({ baseDir: given.folder }),
  };
}
