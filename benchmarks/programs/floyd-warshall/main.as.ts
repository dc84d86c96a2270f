// The shortest ways between all of n places, on roads of pseudo-random length; the sum of their lengths.
export function run(n: i32): f64 {
  const distances = new StaticArray<i32>(n * n);
  let seed: u32 = 42;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      seed = seed * 1664525 + 1013904223;
      unchecked((distances[i * n + j] = i === j ? 0 : 1 + <i32>((seed >> 16) % 10000)));
    }
  }
  for (let k = 0; k < n; k++) {
    const onward = k * n;
    for (let i = 0; i < n; i++) {
      const row = i * n;
      const there = unchecked(distances[row + k]);
      for (let j = 0; j < n; j++) {
        const through = there + unchecked(distances[onward + j]);
        if (through < unchecked(distances[row + j])) unchecked((distances[row + j] = through));
      }
    }
  }
  let sum: i64 = 0;
  for (let i = 0; i < n * n; i++) sum += unchecked(distances[i]);
  return <f64>sum;
}
