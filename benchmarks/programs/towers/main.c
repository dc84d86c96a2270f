// The towers of Hanoi with disks in linked lists: thirteen of them go from one pile to another, n times.
#include "bench.h"

typedef struct Disk {
  int size;
  struct Disk *next;
} Disk;

typedef struct Towers {
  Disk *piles[3];
  int moves;
} Towers;

static void push(Towers *towers, Disk *disk, int pile) {
  Disk *top = towers->piles[pile];
  if (top != NULL && disk->size >= top->size) __builtin_trap(); // a disk cannot lie on a smaller one
  disk->next = top;
  towers->piles[pile] = disk;
}

static Disk *pop(Towers *towers, int pile) {
  Disk *top = towers->piles[pile];
  if (top == NULL) __builtin_trap(); // there is no disk on the pile
  towers->piles[pile] = top->next;
  top->next = NULL;
  return top;
}

static void move_top(Towers *towers, int from, int to) {
  push(towers, pop(towers, from), to);
  towers->moves++;
}

static void move_disks(Towers *towers, int disks, int from, int to) {
  if (disks == 1) {
    move_top(towers, from, to);
    return;
  }
  int other = 3 - from - to;
  move_disks(towers, disks - 1, from, other);
  move_top(towers, from, to);
  move_disks(towers, disks - 1, other, to);
}

double run(int n) {
  int moves = 0;
  for (int i = 0; i < n; i++) {
    Towers towers = {{NULL, NULL, NULL}, 0};
    Disk *disks[13];
    for (int size = 13; size > 0; size--) {
      disks[size - 1] = malloc(sizeof(Disk));
      disks[size - 1]->size = size;
      push(&towers, disks[size - 1], 0);
    }
    move_disks(&towers, 13, 0, 1);
    moves += towers.moves;
    for (int at = 0; at < 13; at++) free(disks[at]);
  }
  return moves;
}
