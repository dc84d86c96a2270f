// The shortest ways between all of n places, on roads of pseudo-random length; the sum of their lengths.
export function main(n = 450) {
  const distances = Array.from({ length: n }, () => new Int32Array(n));
  let seed = 42;
  for (let i = 0; i < n; i++) {
    const row = distances[i];
    for (let j = 0; j < n; j++) {
      seed = (Math.imul(seed, 1664525) + 1013904223) | 0;
      row[j] = i === j ? 0 : 1 + ((seed >>> 16) % 10000);
    }
  }
  for (let k = 0; k < n; k++) {
    const onward = distances[k];
    for (let i = 0; i < n; i++) {
      const row = distances[i];
      const there = row[k];
      for (let j = 0; j < n; j++) {
        const through = (there + onward[j]) | 0;
        if (through < row[j]) row[j] = through;
      }
    }
  }
  let sum = 0;
  for (let i = 0; i < n; i++) {
    const row = distances[i];
    for (let j = 0; j < n; j++) sum += row[j];
  }
  return sum;
}
