// Draws n pseudo-random numbers of 64 bits (xorshift64*) and sums the upper bits of each.
export function main(n = 80000000) {
  // 64 bits are two halves of 32.
  let high = 0x09e3779b;
  let low = 0x97f4a7c1 | 0;
  let sum = 0;
  for (let i = 0; i < n; i++) {
    low ^= (low >>> 12) | (high << 20);
    high ^= high >>> 12;
    high ^= (high << 25) | (low >>> 7);
    low ^= low << 25;
    low ^= (low >>> 27) | (high << 5);
    high ^= high >>> 27;
    // The upper half of the product by 0x2545f4914f6cdd1d. Of the lower halves' product it is made of parts of 16 bits.
    const a = low & 0xffff;
    const b = low >>> 16;
    const middle = (Math.imul(b, 0xdd1d) + (Math.imul(a, 0xdd1d) >>> 16)) | 0;
    const other = (Math.imul(a, 0x4f6c) + (middle & 0xffff)) | 0;
    const carried = (Math.imul(b, 0x4f6c) + (middle >>> 16) + (other >>> 16)) | 0;
    const product = (carried + Math.imul(high, 0x4f6cdd1d) + Math.imul(low, 0x2545f491)) | 0;
    sum += product >>> 8;
  }
  return sum;
}
