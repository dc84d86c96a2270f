// The first way to put eight queens on a board, n times: a search that keeps free rows and diagonals in arrays.
class Board {
  freeRows: StaticArray<bool> = allFree(8);
  freeRising: StaticArray<bool> = allFree(16);
  freeFalling: StaticArray<bool> = allFree(16);
  rows: StaticArray<i64> = new StaticArray<i64>(8);

  isFree(row: i32, column: i32): bool {
    return (
      unchecked(this.freeRows[row]) &&
      unchecked(this.freeRising[column + row]) &&
      unchecked(this.freeFalling[column - row + 7])
    );
  }

  setFree(row: i32, column: i32, free: bool): void {
    unchecked((this.freeRows[row] = free));
    unchecked((this.freeRising[column + row] = free));
    unchecked((this.freeFalling[column - row + 7] = free));
  }

  place(column: i32): bool {
    for (let row = 0; row < 8; row++) {
      if (!this.isFree(row, column)) continue;
      unchecked((this.rows[column] = row));
      this.setFree(row, column, false);
      if (column == 7 || this.place(column + 1)) return true;
      this.setFree(row, column, true);
    }
    return false;
  }
}

function allFree(length: i32): StaticArray<bool> {
  const flags = new StaticArray<bool>(length);
  for (let at = 0; at < length; at++) unchecked((flags[at] = true));
  return flags;
}

export function run(n: i32): f64 {
  let sum: i64 = 0;
  for (let i = 0; i < n; i++) {
    const board = new Board();
    if (board.place(0)) sum += unchecked(board.rows[0]) + 10 * unchecked(board.rows[7]);
  }
  return <f64>sum;
}
