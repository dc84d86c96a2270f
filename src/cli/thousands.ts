// Counts for people. What the engine has for that loads the data of all languages first.

/** A whole number with commas: 1,234,567. */
export function withCommas(value: number): string {
  return String(value).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}
