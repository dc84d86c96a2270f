// The first way to put eight queens on a board, n times: a search that keeps free rows and diagonals in arrays.
#include "bench.h"
#include <stdbool.h>

typedef struct Board {
  bool *free_rows, *free_rising, *free_falling;
  int64_t *rows;
} Board;

static bool is_free(Board *board, int row, int column) {
  return board->free_rows[row] && board->free_rising[column + row] && board->free_falling[column - row + 7];
}

static void set_free(Board *board, int row, int column, bool is_free) {
  board->free_rows[row] = is_free;
  board->free_rising[column + row] = is_free;
  board->free_falling[column - row + 7] = is_free;
}

static bool place(Board *board, int column) {
  for (int row = 0; row < 8; row++) {
    if (!is_free(board, row, column)) continue;
    board->rows[column] = row;
    set_free(board, row, column, false);
    if (column == 7 || place(board, column + 1)) return true;
    set_free(board, row, column, true);
  }
  return false;
}

static bool *all_free(int length) {
  bool *flags = malloc(length);
  for (int at = 0; at < length; at++) flags[at] = true;
  return flags;
}

double run(int n) {
  int64_t sum = 0;
  for (int i = 0; i < n; i++) {
    Board board = {all_free(8), all_free(16), all_free(16), calloc(8, sizeof(int64_t))};
    if (place(&board, 0)) sum += board.rows[0] + 10 * board.rows[7];
    free(board.free_rows);
    free(board.free_rising);
    free(board.free_falling);
    free(board.rows);
  }
  return sum;
}
