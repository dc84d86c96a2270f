// Writes a table of n lines as CSV text, reads it again, and sums what is in its columns.
#include "bench.h"

static const struct {
  const char *text;
  int length;
} names[] = {{"tea", 3}, {"coffee", 6}, {"sugar", 5}, {"oat biscuits", 12}, {"milk", 4}};

// No line is longer.
#define LINE 64

static char *write_text(char *out, const char *text, int length) {
  for (int i = 0; i < length; i++) *out++ = text[i];
  return out;
}

static char *write_number(char *out, unsigned number) {
  char digits[10];
  int at = 10;
  do digits[--at] = '0' + number % 10;
  while (number /= 10);
  return write_text(out, digits + at, 10 - at);
}

// Returns the end of the text.
static char *make_table(char *out, int n) {
  out = write_text(out, "name,count,price,note\n", 22);
  uint32_t seed = 42;
  for (int i = 0; i < n; i++) {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    int name = (seed >> 8) % 5, cents = (seed >> 16) % 100;
    out = write_text(out, names[name].text, names[name].length);
    *out++ = ',';
    out = write_number(out, (seed >> 12) % 1000);
    *out++ = ',';
    out = write_number(out, (seed >> 10) % 500);
    *out++ = '.';
    *out++ = '0' + cents / 10;
    *out++ = '0' + cents % 10;
    out = write_text(out, ",line ", 6);
    out = write_number(out, i);
    *out++ = '\n';
  }
  return out;
}

static const char *find(const char *at, char c) {
  while (*at != c) at++;
  return at;
}

double run(int n) {
  char *text = malloc((n + 1) * (size_t)LINE);
  const char *end = make_table(text, n);
  int64_t count = 0, letters = 0;
  double price = 0;
  // The first line is that of the titles.
  const char *at = find(text, '\n') + 1;
  while (at < end) {
    const char *first = find(at, ',');
    letters += first - at;
    at = first + 1;
    int number = 0;
    for (; *at != ','; at++) number = number * 10 + (*at - '0');
    count += number;
    at++;
    number = 0;
    int scale = 0;
    for (; *at != ','; at++) {
      if (*at == '.') {
        scale = 1;
      } else {
        number = number * 10 + (*at - '0');
        scale *= 10;
      }
    }
    price += scale == 0 ? number : (double)number / scale;
    at++;
    const char *last = find(at, '\n');
    letters += last - at;
    at = last + 1;
  }
  free(text);
  return count + letters + price;
}
