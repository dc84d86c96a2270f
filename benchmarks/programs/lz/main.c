// Compresses n blocks of text in the manner of LZ4, with a hash table of places, and decompresses them again.
#include "bench.h"

#define SHORTEST 4
#define BLOCK_SIZE 65536
#define SLOTS 4096

static const char lexicon[] = "the quick brown fox jumps over a lazy dog while seven old wizards mix a potion of amber, ";

// Phrases out of the lexicon, with a digit behind each. Returns a seed for the next text.
static uint32_t fill_text(uint8_t *text, int n, uint32_t seed) {
  int at = 0;
  while (at < n) {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    int from = seed >> 8 & 63;
    int to = from + 3 + (seed >> 16 & 15);
    for (int i = from; i < to && at < n; i++) text[at++] = lexicon[i];
    if (at < n) text[at++] = 48 + (seed >> 20 & 7);
  }
  return seed;
}

static uint32_t load(const uint8_t *bytes) {
  uint32_t word;
  memcpy(&word, bytes, sizeof word);
  return word;
}

static int min(int a, int b) { return a < b ? a : b; }

// What does not fit the four bits in the token follows in bytes, the last of which is below 255.
static uint8_t *write_length(uint8_t *restrict out, int length) {
  int rest = length - 15;
  while (rest >= 255) {
    *out++ = 255;
    rest -= 255;
  }
  if (rest >= 0) *out++ = rest;
  return out;
}

// A token, then `count` literals.
static uint8_t *write_literals(const uint8_t *restrict from, int count, int matched, uint8_t *restrict out) {
  *out++ = min(count, 15) << 4 | min(matched, 15);
  out = write_length(out, count);
  for (int i = 0; i < count; i++) *out++ = from[i];
  return out;
}

static int compress(const uint8_t *restrict input, int n, uint8_t *restrict output) {
  int32_t table[SLOTS];
  for (int i = 0; i < SLOTS; i++) table[i] = -1;
  int at = 0, anchor = 0;
  uint8_t *out = output;
  while (at + SHORTEST <= n) {
    uint32_t word = load(input + at);
    uint32_t slot = word * 2654435761u >> 20;
    int candidate = table[slot];
    table[slot] = at;
    if (candidate < 0 || load(input + candidate) != word) {
      at++;
      continue;
    }
    int length = SHORTEST;
    while (at + length < n && input[candidate + length] == input[at + length]) length++;
    out = write_literals(input + anchor, at - anchor, length - SHORTEST, out);
    *out++ = at - candidate;
    *out++ = (at - candidate) >> 8;
    out = write_length(out, length - SHORTEST);
    at += length;
    anchor = at;
  }
  return write_literals(input + anchor, n - anchor, 0, out) - output;
}

static int decompress(const uint8_t *restrict input, int length, uint8_t *restrict output) {
  const uint8_t *end = input + length;
  uint8_t *out = output;
  for (;;) {
    int token = *input++;
    int count = token >> 4;
    if (count == 15) {
      while (*input == 255) {
        count += 255;
        input++;
      }
      count += *input++;
    }
    for (int i = 0; i < count; i++) *out++ = *input++;
    if (input == end) return out - output;
    const uint8_t *from = out - (input[0] | input[1] << 8);
    input += 2;
    int matched = (token & 15) + SHORTEST;
    if ((token & 15) == 15) {
      while (*input == 255) {
        matched += 255;
        input++;
      }
      matched += *input++;
    }
    for (int i = 0; i < matched; i++) *out++ = from[i];
  }
}

static uint8_t text[BLOCK_SIZE], packed[BLOCK_SIZE + 512], unpacked[BLOCK_SIZE];

double run(int n) {
  uint32_t seed = 42, check = 0;
  int64_t total = 0;
  for (int block = 0; block < n; block++) {
    seed = fill_text(text, BLOCK_SIZE, seed);
    int length = compress(text, BLOCK_SIZE, packed);
    if (decompress(packed, length, unpacked) != BLOCK_SIZE) return -1;
    for (int i = 0; i < BLOCK_SIZE; i++) {
      if (unpacked[i] != text[i]) return -1;
    }
    for (int i = 0; i < length; i++) check = (check * 31 + packed[i]) & 0xffffff;
    total += length;
  }
  return total * 16777216.0 + check;
}
