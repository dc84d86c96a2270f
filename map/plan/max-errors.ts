// How many records may fail: a number, or a share of the records.

/** A number of records, or a share of all of them, such as `1%`. */
export type MaxErrors = number | `${number}%`;

/** Null for what is neither a whole number from 0 on nor a share up to 100%. */
export function readMaxErrors(text: string): MaxErrors | null {
  const share = /^(\d+(?:\.\d+)?)%$/.exec(text)?.[1];
  if (share !== undefined) return Number(share) <= 100 ? (`${share}%` as MaxErrors) : null;
  return /^\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : null;
}

/** How many of so many records may fail: shares are rounded down. */
export function mostErrors(maxErrors: MaxErrors, records: number): number {
  if (typeof maxErrors === 'number') return maxErrors;
  // What is a whole number of records stays one, whatever the doubles make of it.
  return Math.floor((records * Number(maxErrors.slice(0, -1))) / 100 + 1e-9);
}

/** Such as `5 records` and `1% of the records`. */
export function describeMaxErrors(maxErrors: MaxErrors): string {
  return typeof maxErrors === 'number' ? `${maxErrors} records` : `${maxErrors} of the records`;
}
