// How many primes there are below n.
export function main(n = 20000000) {
  const composite = new Uint8Array(n);
  let count = 0;
  for (let i = 2; i < n; i++) {
    if (composite[i] !== 0) continue;
    count++;
    // The square is no small integer any more beyond 46340.
    if (i <= 46340) for (let j = i * i; j < n; j += i) composite[j] = 1;
  }
  return count;
}
