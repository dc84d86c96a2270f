// The most flips of a pancake stack of n, and a checksum over all permutations.
export function main(n = 10) {
  const p = new Int32Array(n);
  const q = new Int32Array(n);
  const count = new Int32Array(n);
  for (let i = 0; i < n; i++) p[i] = i;
  let most = 0;
  let checksum = 0;
  let parity = 0;
  let r = n;
  while (true) {
    while (r > 1) {
      count[r - 1] = r;
      r--;
    }
    for (let i = 0; i < n; i++) q[i] = p[i];
    let flips = 0;
    let first = q[0];
    while (first !== 0) {
      for (let i = 0, j = first; i < j; i++, j--) {
        const held = q[i];
        q[i] = q[j];
        q[j] = held;
      }
      flips++;
      first = q[0];
    }
    most = Math.max(most, flips);
    checksum += parity === 0 ? flips : -flips;
    while (true) {
      if (r === n) return checksum * 1000 + most;
      const head = p[0];
      for (let i = 0; i < r; i++) p[i] = p[i + 1];
      p[r] = head;
      count[r]--;
      if (count[r] > 0) break;
      r++;
    }
    parity = 1 - parity;
  }
}
