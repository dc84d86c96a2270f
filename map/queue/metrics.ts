// What a worker has done, for Prometheus: `GET /metrics`.

import type * as PromClient from 'prom-client';
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
  const partitions = new Counter({
    name: 'sluice_map_partitions_total',
    help: 'Partitions, by what came of them.',
    labelNames: ['outcome'],
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
    help: 'Partitions whose bytes differ from those that another worker has committed.',
    registers,
  });
  const duration = new Histogram({
    name: 'sluice_map_partition_seconds',
    help: 'How long partitions took.',
    buckets: seconds,
    registers,
  });
  const atWork: PromClient.Gauge = new Gauge({
    name: 'sluice_map_active_partitions',
    help: 'Partitions that the worker is at.',
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
      if (event.kind !== 'done') {
        partitions.inc({ outcome: event.kind });
        return;
      }
      const { outcome, read, written, skipped, failed } = event.done;
      partitions.inc({ outcome });
      duration.observe(event.ms / 1000);
      if (outcome === 'different') differing.inc();
      if (outcome !== 'committed') return;
      for (const [kind, count] of Object.entries({ read, written, skipped, failed })) records.inc({ kind }, count);
    },
  };
}
