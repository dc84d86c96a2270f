// Sets up recording or replaying for the runs of a script: the entry to this folder for the code that loads scripts.

import type { Manifest } from '../../src/abi/manifest.ts';
import { HostError } from '../errors/errors.ts';
import type { UsedPlugin } from '../plugins/used-plugin.ts';
import type { Hashes, Logged, Logging } from './log.ts';
import { hashModule } from './module-hash.ts';
import { recording } from './recorder.ts';
import { replaying } from './replayer.ts';

/** The options `record` and `replay` of loadScript. */
interface LogOptions {
  readonly record?: unknown;
  readonly replay?: unknown;
  readonly random?: unknown;
  readonly clock?: unknown;
}

/** Throws HostError for invalid options, and for an invalid log or one of another module. */
export async function loggingOf(
  source: Uint8Array | ArrayBuffer | WebAssembly.Module,
  manifest: Manifest,
  plugins: readonly UsedPlugin[],
  { record = false, replay, random, clock }: LogOptions,
): Promise<Logging | null> {
  if (typeof record !== 'boolean') throw new HostError('the option record is true or false; the log is in run.log');
  if (!record && replay === undefined) return null;
  const logged: Logged = { manifest, plugins, hashes: await hashAll(source, plugins) };
  if (replay === undefined) return recording(logged);
  const other = record ? 'record' : random !== undefined ? 'random' : clock !== undefined ? 'clock' : null;
  if (other !== null)
    throw new HostError(`the options replay and ${other} do not go together: a log that is replayed has it all`);
  return replaying(logged, replay);
}

async function hashAll(
  source: Uint8Array | ArrayBuffer | WebAssembly.Module,
  plugins: readonly UsedPlugin[],
): Promise<Hashes> {
  const module = await hashModule(source);
  const coded = plugins.filter(({ code }) => code !== null);
  return {
    module,
    plugins: Object.fromEntries(
      await Promise.all(
        coded.map(async ({ name, bytes }) => [name, await hashModule(bytes, `the plugin ${name}`)] as const),
      ),
    ),
  };
}
