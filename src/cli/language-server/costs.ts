// How large functions are: a script is compiled in a worker, as `sluice run` would compile it.

import { functionSizes } from '../../abi/function-sizes.ts';
import { compileInWorker } from '../../compile-in-worker.ts';
import type { CostTask, FunctionCost } from '../../language-server/environment.ts';

const mostMs = 30_000;

/** Null where the script does not compile, or not in time. Rejects once `signal` is aborted. */
export async function measureCosts(
  { name, text, reader, plugins }: CostTask,
  signal: AbortSignal,
): Promise<readonly FunctionCost[] | null> {
  const { artifact } = await compileInWorker(name, text, { reader, plugins, signal, limits: { timeMs: mostMs } });
  if (artifact === null) return null;
  const own = (await functionSizes(artifact.wasm)).filter(({ isOwn }) => isOwn);
  const all = own.reduce((sum, { bytes }) => sum + bytes, 0);
  return own.map(({ name: called, bytes }) => ({ name: called, wasmBytes: bytes, share: bytes / all }));
}
