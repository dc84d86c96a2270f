// How many ways there are to put n queens on a board.
function place(n, row, columns, left, right) {
  if (row === n) return 1;
  let ways = 0;
  let free = ((1 << n) - 1) & ~(columns | left | right);
  while (free !== 0) {
    const bit = free & -free;
    free ^= bit;
    ways += place(n, row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
  }
  return ways;
}

export function main(n = 14) {
  return place(n, 0, 0, 0, 0);
}
