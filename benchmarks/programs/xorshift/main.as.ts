// Draws n pseudo-random numbers of 64 bits (xorshift64*) and sums the upper bits of each.
export function run(n: i32): f64 {
  let state: u64 = 0x9e3779b97f4a7c1;
  let sum: u64 = 0;
  for (let i = 0; i < n; i++) {
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    sum += (state * 0x2545f4914f6cdd1d) >> 40;
  }
  return <f64>sum;
}
