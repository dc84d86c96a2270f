// Compresses n blocks of text in the manner of LZ4, with a hash table of places, and decompresses them again.
const lexicon = 'the quick brown fox jumps over a lazy dog while seven old wizards mix a potion of amber, ';
const SHORTEST: i32 = 4;
const BLOCK_SIZE: i32 = 65536;
const SLOTS: i32 = 4096;

type Bytes = StaticArray<u8>;

// Phrases out of the lexicon, with a digit behind each. Returns a seed for the next text.
function fillText(text: Bytes, seed: u32): u32 {
  const n = text.length;
  let at = 0;
  while (at < n) {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    const from = <i32>((seed >> 8) & 63);
    const to = from + 3 + <i32>((seed >> 16) & 15);
    for (let i = from; i < to && at < n; i++) unchecked((text[at++] = <u8>lexicon.charCodeAt(i)));
    if (at < n) unchecked((text[at++] = <u8>(48 + ((seed >> 20) & 7))));
  }
  return seed;
}

// @ts-ignore: decorator
@inline
function loadWord(bytes: Bytes, at: i32): u32 {
  return load<u32>(changetype<usize>(bytes) + at);
}

// What does not fit the four bits in the token follows in bytes, the last of which is below 255.
function writeLength(output: Bytes, out: i32, length: i32): i32 {
  let rest = length - 15;
  while (rest >= 255) {
    unchecked((output[out++] = 255));
    rest -= 255;
  }
  if (rest >= 0) unchecked((output[out++] = <u8>rest));
  return out;
}

// A token, then `count` literals.
function writeLiterals(input: Bytes, from: i32, count: i32, matched: i32, output: Bytes, out: i32): i32 {
  unchecked((output[out++] = <u8>((min(count, 15) << 4) | min(matched, 15))));
  out = writeLength(output, out, count);
  for (let i = 0; i < count; i++) unchecked((output[out++] = input[from + i]));
  return out;
}

function compress(input: Bytes, output: Bytes, table: StaticArray<i32>): i32 {
  const n = input.length;
  for (let i = 0; i < SLOTS; i++) unchecked((table[i] = -1));
  let at = 0;
  let anchor = 0;
  let out = 0;
  while (at + SHORTEST <= n) {
    const word = loadWord(input, at);
    const slot = (word * 2654435761) >> 20;
    const candidate = unchecked(table[slot]);
    unchecked((table[slot] = at));
    if (candidate < 0 || loadWord(input, candidate) != word) {
      at++;
      continue;
    }
    let length = SHORTEST;
    while (at + length < n && unchecked(input[candidate + length]) == unchecked(input[at + length])) length++;
    out = writeLiterals(input, anchor, at - anchor, length - SHORTEST, output, out);
    unchecked((output[out++] = <u8>(at - candidate)));
    unchecked((output[out++] = <u8>((at - candidate) >> 8)));
    out = writeLength(output, out, length - SHORTEST);
    at += length;
    anchor = at;
  }
  return writeLiterals(input, anchor, n - anchor, 0, output, out);
}

function decompress(input: Bytes, length: i32, output: Bytes): i32 {
  let at = 0;
  let out = 0;
  while (true) {
    const token = <i32>unchecked(input[at++]);
    let count = token >> 4;
    if (count == 15) {
      while (unchecked(input[at]) == 255) {
        count += 255;
        at++;
      }
      count += unchecked(input[at++]);
    }
    for (let i = 0; i < count; i++) unchecked((output[out++] = input[at++]));
    if (at == length) return out;
    const from = out - ((<i32>unchecked(input[at])) | ((<i32>unchecked(input[at + 1])) << 8));
    at += 2;
    let matched = (token & 15) + SHORTEST;
    if ((token & 15) == 15) {
      while (unchecked(input[at]) == 255) {
        matched += 255;
        at++;
      }
      matched += unchecked(input[at++]);
    }
    for (let i = 0; i < matched; i++) unchecked((output[out++] = output[from + i]));
  }
}

export function run(n: i32): f64 {
  const text = new StaticArray<u8>(BLOCK_SIZE);
  const packed = new StaticArray<u8>(BLOCK_SIZE + 512);
  const unpacked = new StaticArray<u8>(BLOCK_SIZE);
  const table = new StaticArray<i32>(SLOTS);
  let seed: u32 = 42;
  let total: i64 = 0;
  let check: u32 = 0;
  for (let block = 0; block < n; block++) {
    seed = fillText(text, seed);
    const length = compress(text, packed, table);
    if (decompress(packed, length, unpacked) != BLOCK_SIZE) return -1;
    for (let i = 0; i < BLOCK_SIZE; i++) if (unchecked(unpacked[i]) != unchecked(text[i])) return -1;
    for (let i = 0; i < length; i++) check = (check * 31 + unchecked(packed[i])) & 0xffffff;
    total += length;
  }
  return <f64>total * 16777216.0 + <f64>check;
}
