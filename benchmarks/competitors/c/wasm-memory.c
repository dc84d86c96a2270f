// malloc for kernels in wasm, where there is no C library: blocks of powers of two, a free list for each size,
// and new ones from the end of the memory.

#include "bench.h"

#define PAGE 65536
#define HEADER 8

typedef struct Block {
  int32_t size_class;
  struct Block *next;
} Block;

extern uint8_t __heap_base;
static Block *free_blocks[32];
static uint8_t *top;

static Block *take(size_t size, int *fresh) {
  int size_class = 4;
  while (((size_t)1 << size_class) < size + HEADER) size_class++;
  Block *block = free_blocks[size_class];
  *fresh = block == NULL;
  if (block) {
    free_blocks[size_class] = block->next;
    return block;
  }
  if (!top) top = (uint8_t *)(((size_t)&__heap_base + 15) & ~(size_t)15) + HEADER;
  block = (Block *)top;
  top += (size_t)1 << size_class;
  size_t pages = ((size_t)top + PAGE) / PAGE, present = __builtin_wasm_memory_size(0);
  // Twice what is there: to grow costs the engine a call each time.
  if (pages > present && __builtin_wasm_memory_grow(0, pages - present > present ? pages - present : present) == (size_t)-1 &&
      __builtin_wasm_memory_grow(0, pages - present) == (size_t)-1)
    __builtin_trap();
  block->size_class = size_class;
  return block;
}

void *malloc(size_t size) {
  int fresh;
  return (uint8_t *)take(size, &fresh) + HEADER;
}

void *calloc(size_t count, size_t size) {
  int fresh;
  uint8_t *content = (uint8_t *)take(count * size, &fresh) + HEADER;
  // New memory is zero already.
  if (!fresh) memset(content, 0, count * size);
  return content;
}

void free(void *content) {
  if (!content) return;
  Block *block = (Block *)((uint8_t *)content - HEADER);
  block->next = free_blocks[block->size_class];
  free_blocks[block->size_class] = block;
}
