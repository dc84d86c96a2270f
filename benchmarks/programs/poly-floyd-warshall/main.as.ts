// The shortest ways between all of n places; the sum of their lengths.
export function run(n: i32): f64 {
  const distance = new StaticArray<i32>(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      const length = ((i * 31 + j * 17) % 97) * ((i + j) % 11) + 1;
      unchecked((distance[i * n + j] = i === j ? 0 : length));
    }
  }

  for (let k = 0; k < n; k++) {
    const onward = k * n;
    for (let i = 0; i < n; i++) {
      const row = i * n;
      const there = unchecked(distance[row + k]);
      for (let j = 0; j < n; j++) {
        const through = unchecked(there + distance[onward + j]);
        if (unchecked(through < distance[row + j])) unchecked((distance[row + j] = through));
      }
    }
  }

  let sum: i64 = 0;
  for (let at = 0; at < n * n; at++) sum += unchecked(distance[at]);
  return <f64>sum;
}
