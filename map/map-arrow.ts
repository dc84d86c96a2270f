// A script as a filter of a stream of Arrow: one that maps gives a record batch for each that comes in, one that sums
// up gives a summary at the end. Whoever calls it has the rest: partitions, other machines, where the records are.

import { columnsOf } from './arrow/kinds.ts';
import { loadArrow } from './arrow/library.ts';
import { readRecords } from './arrow/records.ts';
import type { Records } from './arrow/records.ts';
import { MapError } from './errors.ts';
import { BatchFilter } from './filter/batches.ts';
import { Stream } from './filter/stream.ts';
import type { ArrowCounts } from './filter/stream.ts';
import { SummaryFilter } from './filter/summary.ts';
import { planWork } from './plan-map.ts';
import type { WorkOptions } from './plan-map.ts';
import type { WorkPlan } from './plan/plan.ts';

/** A filter, and how to run it. */
export interface ArrowOptions extends WorkOptions {
  /** What messages and dead letters call the stream; `-` if left out. */
  readonly name?: string;
  /** Takes records that failed, within `maxErrors`: a line of JSON for each, as in `_errors`. */
  readonly onErrors?: (lines: string) => void;
}

/** A filter that has read the schema of its stream. */
export interface ArrowMap {
  /** For `describePlan`. */
  readonly plan: WorkPlan;
  /** The stream that it gives, in as many pieces as it has batches, and two. To be read once. */
  readonly output: AsyncIterable<Uint8Array>;
  /** What has gone through it. */
  readonly counts: ArrowCounts;
}

/**
 * Compiles the script and reads the schema of the stream. Rejects as `planMap` does; reading the output throws MapError
 * for a stream that is damaged, and TooManyErrors.
 */
export async function mapArrow(input: AsyncIterable<Uint8Array>, options: ArrowOptions): Promise<ArrowMap> {
  const { name = '-' } = options;
  const library = await loadArrow();
  let records: Records | null = null;
  const plan = await planWork(options, 'arrow', async () => {
    records = await readRecords(library, input, name);
    return columnsOf(records.kinds);
  });
  const { map, fold } = plan;
  const stream = new Stream(name, records!, options.onErrors);
  if (map !== null && fold !== null) {
    await stream.records.close();
    throw new MapError(
      `${options.script} maps and sums up, and a stream gives one of them: make two scripts of it, of which one ` +
        'reads what the other writes',
    );
  }
  const filter =
    map !== null
      ? new BatchFilter(library.arrow, plan, map, stream)
      : new SummaryFilter(library.arrow, plan, fold!, stream);
  return { plan, counts: stream.counts, output: filter.output() };
}
