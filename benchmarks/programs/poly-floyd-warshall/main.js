// The shortest ways between all of n places; the sum of their lengths.
export function main(n = 560) {
  const distance = Array.from({ length: n }, () => new Int32Array(n));
  for (let i = 0; i < n; i++) {
    const row = distance[i];
    for (let j = 0; j < n; j++) row[j] = i === j ? 0 : ((i * 31 + j * 17) % 97) * ((i + j) % 11) + 1;
  }

  for (let k = 0; k < n; k++) {
    const onward = distance[k];
    for (let i = 0; i < n; i++) {
      const row = distance[i];
      const there = row[k];
      for (let j = 0; j < n; j++) {
        const through = (there + onward[j]) | 0;
        if (through < row[j]) row[j] = through;
      }
    }
  }

  let sum = 0;
  for (let i = 0; i < n; i++) {
    const row = distance[i];
    for (let j = 0; j < n; j++) sum += row[j];
  }
  return sum;
}
