// Files of Arrow as the input of a run: their columns, and partitions by their record batches.

import { MapError } from '../errors.ts';
import type { FileColumn } from '../plan/parameters.ts';
import type { InputFile, MapSettings, Partition } from '../plan/plan.ts';
import { compareColumns } from '../read/inputs.ts';
import { cut } from '../read/partitions.ts';
import { indexOf, readFileRecords } from './files.ts';
import type { ArrowIndex } from './files.ts';
import { columnsOf } from './kinds.ts';
import { loadArrow } from './library.ts';

interface Indexed {
  readonly path: string;
  readonly index: ArrowIndex;
}

/** Files whose messages were walked through, without a look at their columns. */
export class ArrowInputs {
  readonly columns: readonly FileColumn[];
  readonly #files: readonly Indexed[];

  private constructor(columns: readonly FileColumn[], files: readonly Indexed[]) {
    this.columns = columns;
    this.#files = files;
  }

  /** Throws MapError for files that are damaged, or that have other columns than the first. */
  static async open(files: readonly Pick<InputFile, 'path'>[]): Promise<ArrowInputs> {
    const library = await loadArrow();
    let columns: readonly FileColumn[] | null = null;
    const found: Indexed[] = [];
    for (const { path } of files) {
      const index = await indexOf(library, path);
      const { kinds, close } = await readFileRecords(library, path, index, 0, 0);
      await close();
      const own = columnsOf(kinds);
      for (const { name } of own)
        if (name.includes('\0')) throw new MapError(`${path}: the name of a column has a NUL character`);
      if (columns === null) columns = own;
      else compareColumns('arrow', columns, own, [files[0]!.path, path]);
      found.push({ path, index });
    }
    return new ArrowInputs(columns!, found);
  }

  partitions(settings: Pick<MapSettings, 'partitionRows' | 'partitionBytes'>): readonly Partition[] {
    const partitions: Partition[] = [];
    for (const { path, index } of this.#files)
      for (const [from, to] of cut(index.batches, settings))
        partitions.push({ at: partitions.length, file: path, source: path, from, to });
    return partitions;
  }
}
