// A worker or a coordinator as a process of its own: `node queue-process.ts '{"kind": "worker", …}'`. It tells what
// happens as lines of JSON.

import { MapWorker, planMap, runQueuedMap } from 'sluice-map';
import type { MapOptions, MapWorkerOptions, QueueRunOptions } from 'sluice-map';

export type ProcessTask =
  | { readonly kind: 'worker'; readonly options: MapWorkerOptions }
  | { readonly kind: 'coordinator'; readonly plan: MapOptions; readonly options: QueueRunOptions };

const task = JSON.parse(process.argv[2]!) as ProcessTask;
const tell = (value: unknown): void => {
  process.stdout.write(`${JSON.stringify(value)}\n`);
};
if (task.kind === 'worker') {
  const worker = await MapWorker.start({ ...task.options, onEvent: tell });
  tell({ kind: 'ready', port: worker.metricsPort });
  process.once('SIGTERM', () => {
    void worker.close().then(() => {
      tell({ kind: 'closed' });
      process.exit(0);
    });
  });
} else {
  try {
    for await (const progress of runQueuedMap(await planMap(task.plan), task.options))
      tell({ kind: 'progress', progress });
    process.exit(0);
  } catch (error) {
    tell({ kind: 'error', name: (error as Error).name, message: (error as Error).message });
    process.exit(3);
  }
}
