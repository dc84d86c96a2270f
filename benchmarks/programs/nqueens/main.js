// The first way to put eight queens on a board, n times: a search that keeps free rows and diagonals in arrays.
class Board {
  constructor() {
    this.freeRows = new Array(8).fill(true);
    this.freeRising = new Array(16).fill(true);
    this.freeFalling = new Array(16).fill(true);
    this.rows = new Array(8).fill(0);
  }

  isFree(row, column) {
    return this.freeRows[row] && this.freeRising[column + row] && this.freeFalling[column - row + 7];
  }

  setFree(row, column, free) {
    this.freeRows[row] = free;
    this.freeRising[column + row] = free;
    this.freeFalling[column - row + 7] = free;
  }

  place(column) {
    for (let row = 0; row < 8; row++) {
      if (!this.isFree(row, column)) continue;
      this.rows[column] = row;
      this.setFree(row, column, false);
      if (column === 7 || this.place(column + 1)) return true;
      this.setFree(row, column, true);
    }
    return false;
  }
}

export function main(n = 5000) {
  let sum = 0;
  for (let i = 0; i < n; i++) {
    const board = new Board();
    if (board.place(0)) sum += board.rows[0] + 10 * board.rows[7];
  }
  return sum;
}
