// Compresses n blocks of text in the manner of LZ4, with a hash table of places, and decompresses them again.
const lexicon = new TextEncoder().encode('the quick brown fox jumps over a lazy dog while seven old wizards mix a potion of amber, ');
const SHORTEST = 4;
const BLOCK_SIZE = 65536;
const SLOTS = 4096;

// Phrases out of the lexicon, with a digit behind each. Returns a seed for the next text.
function fillText(text, seed) {
  const n = text.length;
  let at = 0;
  while (at < n) {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    const from = (seed >>> 8) & 63;
    const to = from + 3 + ((seed >>> 16) & 15);
    for (let i = from; i < to && at < n; i++) text[at++] = lexicon[i];
    if (at < n) text[at++] = 48 + ((seed >>> 20) & 7);
  }
  return seed;
}

function load(bytes, at) {
  return bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24);
}

// What does not fit the four bits in the token follows in bytes, the last of which is below 255.
function writeLength(output, out, length) {
  let rest = length - 15;
  while (rest >= 255) {
    output[out++] = 255;
    rest -= 255;
  }
  if (rest >= 0) output[out++] = rest;
  return out;
}

// A token, then `count` literals.
function writeLiterals(input, from, count, matched, output, out) {
  output[out++] = ((count < 15 ? count : 15) << 4) | (matched < 15 ? matched : 15);
  out = writeLength(output, out, count);
  for (let i = 0; i < count; i++) output[out++] = input[from + i];
  return out;
}

function compress(input, output, table) {
  const n = input.length;
  table.fill(-1);
  let at = 0;
  let anchor = 0;
  let out = 0;
  while (at + SHORTEST <= n) {
    const word = load(input, at);
    const slot = Math.imul(word, 2654435761) >>> 20;
    const candidate = table[slot];
    table[slot] = at;
    if (candidate < 0 || load(input, candidate) !== word) {
      at++;
      continue;
    }
    let length = SHORTEST;
    while (at + length < n && input[candidate + length] === input[at + length]) length++;
    out = writeLiterals(input, anchor, at - anchor, length - SHORTEST, output, out);
    output[out++] = at - candidate;
    output[out++] = (at - candidate) >>> 8;
    out = writeLength(output, out, length - SHORTEST);
    at += length;
    anchor = at;
  }
  return writeLiterals(input, anchor, n - anchor, 0, output, out);
}

function decompress(input, length, output) {
  let at = 0;
  let out = 0;
  for (;;) {
    const token = input[at++];
    let count = token >>> 4;
    if (count === 15) {
      while (input[at] === 255) {
        count += 255;
        at++;
      }
      count += input[at++];
    }
    for (let i = 0; i < count; i++) output[out++] = input[at++];
    if (at === length) return out;
    const from = out - (input[at] | (input[at + 1] << 8));
    at += 2;
    let matched = (token & 15) + SHORTEST;
    if ((token & 15) === 15) {
      while (input[at] === 255) {
        matched += 255;
        at++;
      }
      matched += input[at++];
    }
    for (let i = 0; i < matched; i++) output[out++] = output[from + i];
  }
}

export function main(n = 200) {
  const text = new Uint8Array(BLOCK_SIZE);
  const packed = new Uint8Array(BLOCK_SIZE + 512);
  const unpacked = new Uint8Array(BLOCK_SIZE);
  const table = new Int32Array(SLOTS);
  let seed = 42;
  let total = 0;
  let check = 0;
  for (let block = 0; block < n; block++) {
    seed = fillText(text, seed);
    const length = compress(text, packed, table);
    if (decompress(packed, length, unpacked) !== BLOCK_SIZE) return -1;
    for (let i = 0; i < BLOCK_SIZE; i++) if (unpacked[i] !== text[i]) return -1;
    for (let i = 0; i < length; i++) check = (Math.imul(check, 31) + packed[i]) & 0xffffff;
    total += length;
  }
  return total * 16777216 + check;
}
