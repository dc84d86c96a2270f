// The start below n with the longest Collatz sequence.
export function run(n: i32): f64 {
  let best = 0;
  let longest = 0;
  for (let start = 1; start < n; start++) {
    let length = 0;
    let x = <u64>start;
    while (x != 1) {
      x = x % 2 == 0 ? x / 2 : 3 * x + 1;
      length++;
    }
    if (length > longest) {
      longest = length;
      best = start;
    }
  }
  return best;
}
