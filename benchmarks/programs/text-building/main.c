// Builds a text of n numbers piece by piece, and adds up what its characters are.
#include "bench.h"

typedef struct {
  char *content;
  size_t length, capacity;
} Text;

static void append(Text *text, const char *part, size_t length) {
  if (text->length + length > text->capacity) {
    text->capacity = 2 * (text->length + length);
    char *content = malloc(text->capacity);
    if (text->length > 0) memcpy(content, text->content, text->length);
    free(text->content);
    text->content = content;
  }
  memcpy(text->content + text->length, part, length);
  text->length += length;
}

static void append_number(Text *text, int number) {
  char digits[12];
  char *end = digits + sizeof digits, *at = end;
  unsigned rest = number < 0 ? -(unsigned)number : (unsigned)number;
  do *--at = '0' + rest % 10;
  while (rest /= 10);
  if (number < 0) *--at = '-';
  append(text, at, end - at);
}

double run(int n) {
  Text text = {NULL, 0, 0};
  for (int i = 0; i < n; i++) {
    append_number(&text, (int64_t)i * 7919 % 100003);
    append(&text, ": ", 2);
    if (i % 3 == 0) append(&text, "item", 4);
    else append(&text, "thing", 5);
    append_number(&text, i - 1000);
    append(&text, ";", 1);
  }
  uint32_t check = 0;
  for (size_t i = 0; i < text.length; i++) check = (check * 31 + text.content[i]) & 0xffffff;
  free(text.content);
  return text.length * 16777216.0 + check;
}
