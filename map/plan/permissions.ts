// What a script may reach besides its records: flags of the command line alone, since nobody can be asked in the
// middle of a run. What changes something elsewhere is done again with a partition that is, so that has to be allowed
// too.

import type { Manifest } from '../../src/abi/manifest.ts';
import { flagsOfPermissions } from '../../src/queries/permission-flags.ts';
import { MapError } from '../errors.ts';

/** Flags of `sluice run` without their dashes, such as `{ 'allow-file-read': 'data' }`; `true` for a switch. */
export type Permissions = Readonly<Record<string, string | readonly string[] | true>>;

/** What is allowed, as plain data: each thread makes of it what decides. */
export interface Allowed {
  /** Flags of `sluice run`, without their dashes, and their values; null for a switch. */
  readonly flags: readonly (readonly [name: string, value: string | null])[];
  /** Where relative paths of flags and scripts begin. */
  readonly folder: string;
  /** Paths of plugins. */
  readonly plugins: readonly string[];
  /** What has effects may happen again. */
  readonly repeats: boolean;
  /** Of whoever runs it for somebody else: only what both allow is allowed. Null where there is nobody else. */
  readonly bound: Pick<Allowed, 'flags' | 'folder'> | null;
}

export const nothingAllowed: Allowed = { flags: [], folder: '/', plugins: [], repeats: false, bound: null };

/** One thing that a script asks for. */
interface Asked {
  readonly permission: string;
  /** Any of these flags can allow it. */
  readonly flags: readonly string[];
  readonly help: string;
  readonly hasEffects: boolean;
}

const effects: ReadonlySet<string> = new Set([
  'allow-file-write',
  'allow-http-post',
  'allow-http-put',
  'allow-http-delete',
]);

/** The permissions that the script asks for. Throws MapError where no flag is given that could allow one. */
export function checkPermissions(manifest: Manifest, { flags, repeats }: Allowed): readonly string[] {
  const given = new Set(flags.map(([name]) => name));
  const asked = askedBy(manifest);
  const missing = asked.find((one) => !one.flags.some((flag) => given.has(flag)));
  if (missing !== undefined)
    throw new MapError(`${manifest.name} asks for ${missing.permission}: allow it with ${missing.help}`);
  const repeated = asked.find(({ hasEffects }) => hasEffects);
  if (repeated !== undefined && !repeats)
    throw new MapError(
      `${manifest.name} asks for ${repeated.permission}, and a partition that is done again does that again: ` +
        '--allow-repeats says that it may',
    );
  return asked.map(({ permission }) => permission);
}

function askedBy({ asks = [], plugins = [] }: Manifest): readonly Asked[] {
  const ofLibrary = asks.map((permission): Asked => {
    const { flag, value } = flagsOfPermissions[permission] ?? { flag: 'allow-all', value: null };
    return {
      permission,
      // `allow-file` is more than `allow-file-read`.
      flags: [flag, flag.replace(/^(allow-(?:file|http))-.*$/, '$1'), 'allow-all'],
      help: `--${flag}${value === null ? '' : `=${value}`}`,
      hasEffects: effects.has(flag),
    };
  });
  // The contract of a function names its permission at its end.
  const named = plugins.flatMap(({ contract }) => / with the permission (\S+)/.exec(contract)?.[1] ?? []);
  const ofPlugins = [...new Set(named)].map((permission): Asked => ({
    permission,
    flags: ['allow-plugin', 'allow-all'],
    help: `--allow-plugin=${permission}`,
    hasEffects: true,
  }));
  return [...ofLibrary, ...ofPlugins];
}

/** For people: what the script asks for, and the flags. */
export function describePermissions(asks: readonly string[], { flags, plugins, repeats }: Allowed): string {
  if (asks.length === 0 && plugins.length === 0) return 'none';
  return [
    asks.length === 0 ? 'none' : asks.join(', '),
    [
      ...flags.map(([name, value]) => `--${name}${value === null ? '' : `=${value}`}`),
      ...plugins.map((path) => `--plugin=${path}`),
      ...(repeats ? ['--allow-repeats'] : []),
    ].join(' '),
  ].join('; by ');
}
