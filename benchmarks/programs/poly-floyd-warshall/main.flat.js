// The shortest ways between all of n places; the sum of their lengths.
export function main(n = 560) {
  const distance = new Int32Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) distance[i * n + j] = i === j ? 0 : ((i * 31 + j * 17) % 97) * ((i + j) % 11) + 1;
  }

  for (let k = 0; k < n; k++) {
    const onward = k * n;
    for (let i = 0; i < n; i++) {
      const row = i * n;
      const there = distance[row + k];
      for (let j = 0; j < n; j++) {
        const through = (there + distance[onward + j]) | 0;
        if (through < distance[row + j]) distance[row + j] = through;
      }
    }
  }

  let sum = 0;
  for (let at = 0; at < n * n; at++) sum += distance[at];
  return sum;
}
