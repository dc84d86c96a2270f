// How many primes there are below n.
export function run(n: i32): f64 {
  const composite = new StaticArray<bool>(n);
  let count = 0;
  for (let i = 2; i < n; i++) {
    if (unchecked(composite[i])) continue;
    count++;
    for (let j = <i64>i * i; j < n; j += i) unchecked((composite[<i32>j] = true));
  }
  return count;
}
