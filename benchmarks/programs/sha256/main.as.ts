// Hashes n messages of a kilobyte by SHA-256; each begins with the hash of the one before it.
const constants: StaticArray<u32> = [
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
];
const start: StaticArray<u32> = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];
const w = new StaticArray<u32>(64);

// Takes the block of 64 bytes at `start` into the state.
function hashBlock(state: StaticArray<u32>, bytes: StaticArray<u8>, start: i32): void {
  for (let i = 0, at = start; i < 16; i++, at += 4) {
    const high = ((<u32>unchecked(bytes[at])) << 24) | ((<u32>unchecked(bytes[at + 1])) << 16);
    unchecked((w[i] = high | ((<u32>unchecked(bytes[at + 2])) << 8) | unchecked(bytes[at + 3])));
  }
  for (let i = 16; i < 64; i++) {
    const x = unchecked(w[i - 15]);
    const y = unchecked(w[i - 2]);
    const s0 = rotr(x, 7) ^ rotr(x, 18) ^ (x >> 3);
    const s1 = rotr(y, 17) ^ rotr(y, 19) ^ (y >> 10);
    unchecked((w[i] = w[i - 16] + s0 + w[i - 7] + s1));
  }
  let a = unchecked(state[0]);
  let b = unchecked(state[1]);
  let c = unchecked(state[2]);
  let d = unchecked(state[3]);
  let e = unchecked(state[4]);
  let f = unchecked(state[5]);
  let g = unchecked(state[6]);
  let h = unchecked(state[7]);
  for (let i = 0; i < 64; i++) {
    const s1 = rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25);
    const t1 = h + s1 + ((e & f) ^ (~e & g)) + unchecked(constants[i]) + unchecked(w[i]);
    const s0 = rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22);
    const t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + t2;
  }
  unchecked((state[0] += a));
  unchecked((state[1] += b));
  unchecked((state[2] += c));
  unchecked((state[3] += d));
  unchecked((state[4] += e));
  unchecked((state[5] += f));
  unchecked((state[6] += g));
  unchecked((state[7] += h));
}

function sha256(message: StaticArray<u8>): StaticArray<u32> {
  const state = start.slice<StaticArray<u32>>();
  // The message, a bit that ends it, zeros up to a whole block, and its length in bits.
  const length = message.length;
  const padded = new StaticArray<u8>(((length + 72) / 64) * 64);
  memory.copy(changetype<usize>(padded), changetype<usize>(message), length);
  unchecked((padded[length] = 0x80));
  for (let i = 0; i < 8; i++) unchecked((padded[padded.length - 1 - i] = <u8>((<u64>length * 8) >> (8 * i))));
  for (let at = 0; at < padded.length; at += 64) hashBlock(state, padded, at);
  return state;
}

export function run(n: i32): f64 {
  const message = new StaticArray<u8>(1024);
  for (let i = 0; i < 1024; i++) unchecked((message[i] = <u8>(i * 7)));
  let hash = new StaticArray<u32>(8);
  for (let iteration = 0; iteration < n; iteration++) {
    hash = sha256(message);
    for (let i = 0; i < 32; i++) unchecked((message[i] = <u8>(hash[i / 4] >> (24 - (i % 4) * 8))));
  }
  return <f64>(((<u64>unchecked(hash[0])) << 16) | (unchecked(hash[7]) >> 16));
}
