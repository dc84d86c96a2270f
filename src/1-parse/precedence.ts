// How tightly binary operators bind, as the grammar has it: for who writes expressions down again.

/** From the tightest to the loosest; those of one row group from left to right. */
const levels: readonly (readonly string[])[] = [
  ['*', '/', '%'],
  ['+', '-'],
  ['<<', '>>', '>>>'],
  ['<', '<=', '>', '>='],
  ['==', '!='],
  ['&'],
  ['^'],
  ['|'],
  ['&&'],
  ['||'],
];

/** 0 binds tightest. */
export function binaryLevel(operator: string): number {
  return levels.findIndex((level) => level.includes(operator));
}
