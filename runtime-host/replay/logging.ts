// Whether the runs of a script keep logs or follow one: the way into this folder for who loads scripts.

import type { Manifest } from '../../src/abi/manifest.ts';
import { HostError } from '../errors.ts';
import type { Logging } from './log.ts';
import { hashModule } from './module-hash.ts';
import { recording } from './recorder.ts';
import { replaying } from './replayer.ts';

/** The options of these names of who loads a script. */
interface LogOptions {
  readonly record?: unknown;
  readonly replay?: unknown;
  readonly random?: unknown;
  readonly clock?: unknown;
}

/** Throws HostError for options that cannot be, and for a log that is none or another module's. */
export async function loggingOf(source: Uint8Array | ArrayBuffer | WebAssembly.Module, manifest: Manifest, { record = false, replay, random, clock }: LogOptions): Promise<Logging | null> {
  if (typeof record !== 'boolean') throw new HostError('the option record is true or false; the log is in run.log');
  if (!record && replay === undefined) return null;
  const hash = await hashModule(source);
  if (replay === undefined) return recording(manifest, hash);
  const other = record ? 'record' : random !== undefined ? 'random' : clock !== undefined ? 'clock' : null;
  if (other !== null) throw new HostError(`the options replay and ${other} do not go together: a log that is replayed has it all`);
  return replaying(manifest, hash, replay);
}
