// The most flips of a pancake stack of n, and a checksum over all permutations.
export function run(n: i32): f64 {
  const p = new StaticArray<i32>(n);
  const q = new StaticArray<i32>(n);
  const count = new StaticArray<i32>(n);
  for (let i = 0; i < n; i++) unchecked((p[i] = i));
  let most = 0;
  let checksum = 0;
  let parity = 0;
  let r = n;
  while (true) {
    while (r > 1) {
      unchecked((count[r - 1] = r));
      r--;
    }
    for (let i = 0; i < n; i++) unchecked((q[i] = p[i]));
    let flips = 0;
    let first = unchecked(q[0]);
    while (first !== 0) {
      for (let i = 0, j = first; i < j; i++, j--) {
        const held = unchecked(q[i]);
        unchecked((q[i] = q[j]));
        unchecked((q[j] = held));
      }
      flips++;
      first = unchecked(q[0]);
    }
    most = max(most, flips);
    checksum += parity === 0 ? flips : -flips;
    while (true) {
      if (r === n) return <f64>checksum * 1000 + <f64>most;
      const head = unchecked(p[0]);
      for (let i = 0; i < r; i++) unchecked((p[i] = p[i + 1]));
      unchecked((p[r] = head));
      const left = unchecked(count[r]) - 1;
      unchecked((count[r] = left));
      if (left > 0) break;
      r++;
    }
    parity = 1 - parity;
  }
}
