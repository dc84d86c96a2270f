// Records that go into the script at once, by columns.

/** What one column of a batch is. */
export interface BatchColumn {
  readonly numbers: Float64Array | BigInt64Array;
  readonly valid: BigInt64Array;
  readonly misfits: BigInt64Array;
  readonly text: string;
  readonly marked: boolean;
}

export interface Batch {
  /** Its first row in the file. */
  readonly from: number;
  readonly rows: number;
  readonly columns: readonly BatchColumn[];
  /** Dictionaries that come to hold with this batch, by column. */
  readonly dictionaries: ReadonlyMap<number, readonly (string | null)[]>;
}
