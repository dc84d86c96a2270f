// What a worker has done, for Prometheus: `GET /metrics`.

import type * as PromClient from 'prom-client';
import { kindOf } from '../local/tasks.ts';
import { answering, serve } from './http.ts';
import type { Address, Served } from './http.ts';
import { loadPackages } from './packages.ts';
import type { WorkerEvent } from './worker-events.ts';

export interface WorkerMetrics extends Served {
  count(event: WorkerEvent): void;
}

const seconds = [0.1, 0.3, 1, 3, 10, 30, 100, 300];

/** Throws MapError where the package is missing, or the address is taken. */
export async function serveMetrics(address: Address, active: () => number): Promise<WorkerMetrics> {
  const { Registry, Counter, Gauge, Histogram, collectDefaultMetrics } = await loadPackages<typeof PromClient>(
    '--metrics-port',
    ['prom-client'],
  );
  const registers = [new Registry()];
  collectDefaultMetrics({ register: registers[0]! });
  const tasks = new Counter({
    name: 'sluice_map_tasks_total',
    help: 'Partitions, merges and finishes, by what came of them.',
    labelNames: ['kind', 'outcome'],
    registers,
  });
  const records = new Counter({
    name: 'sluice_map_records_total',
    help: 'Records of partitions that this worker has committed.',
    labelNames: ['kind'],
    registers,
  });
  const differing = new Counter({
    name: 'sluice_map_nondeterministic_total',
    help: 'Tasks whose bytes differ from those that another worker has committed.',
    registers,
  });
  const duration = new Histogram({
    name: 'sluice_map_task_seconds',
    help: 'How long partitions, merges and finishes took.',
    labelNames: ['kind'],
    buckets: seconds,
    registers,
  });
  const atWork: PromClient.Gauge = new Gauge({
    name: 'sluice_map_active_tasks',
    help: 'Tasks that the worker is at.',
    registers,
    collect: (): void => atWork.set(active()),
  });
  const served = await serve(
    address,
    answering(async () => registers[0]!.metrics()),
  );
  return {
    ...served,
    count(event) {
      if (event.kind === 'queue') return;
      const kind = event.task === null ? 'unknown' : kindOf(event.task);
      if (event.kind !== 'done') {
        tasks.inc({ kind, outcome: event.kind });
        return;
      }
      const { outcome, read, written, skipped, failed } = event.done;
      tasks.inc({ kind, outcome });
      duration.observe({ kind }, event.ms / 1000);
      if (outcome === 'different') differing.inc();
      if (outcome !== 'committed') return;
      for (const [of, count] of Object.entries({ read, written, skipped, failed })) records.inc({ kind: of }, count);
    },
  };
}
