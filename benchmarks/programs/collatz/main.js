// The start below n with the longest Collatz sequence.

/** The last odd number whose next one is still a small integer. */
const SMALL = 715827881;

export function main(n = 800000) {
  let best = 0;
  let longest = 0;
  for (let start = 1; start < n; start++) {
    let length = 0;
    let x = start | 0;
    while (x !== 1) {
      if ((x & 1) === 0) {
        x >>= 1;
      } else if (x <= SMALL) {
        x = (Math.imul(x, 3) + 1) | 0;
      } else {
        // Beyond 31 bits: in doubles, until it is small again.
        let wide = x * 3 + 1;
        length++;
        while (wide > 2147483647) {
          const half = wide * 0.5;
          wide = half === Math.floor(half) ? half : wide * 3 + 1;
          length++;
        }
        x = wide | 0;
        continue;
      }
      length++;
    }
    if (length > longest) {
      longest = length;
      best = start;
    }
  }
  return best;
}
