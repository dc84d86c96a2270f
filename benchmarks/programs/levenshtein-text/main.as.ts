// How many letters have to be inserted, removed or replaced to turn one text of n letters into another one: two rows,
// the letters read where they are compared.
const letters: StaticArray<u8> = [101, 116, 97, 111, 105, 110, 115, 104];

function randomText(length: i32, seed: u32): StaticArray<u8> {
  const text = new StaticArray<u8>(length);
  for (let i = 0; i < length; i++) {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    unchecked((text[i] = letters[(seed >> 16) & 7]));
  }
  return text;
}

function distance(a: StaticArray<u8>, b: StaticArray<u8>): i32 {
  let previous = new StaticArray<i32>(b.length + 1);
  let current = new StaticArray<i32>(b.length + 1);
  for (let j = 0; j <= b.length; j++) unchecked((previous[j] = j));
  for (let i = 1; i <= a.length; i++) {
    unchecked((current[0] = i));
    for (let j = 1; j <= b.length; j++) {
      const cost = unchecked(a[i - 1]) == unchecked(b[j - 1]) ? 0 : 1;
      const removed = unchecked(previous[j]) + 1;
      const inserted = unchecked(current[j - 1]) + 1;
      const replaced = unchecked(previous[j - 1]) + cost;
      unchecked((current[j] = min(min(removed, inserted), replaced)));
    }
    const swapped = previous;
    previous = current;
    current = swapped;
  }
  return unchecked(previous[b.length]);
}

export function run(n: i32): f64 {
  return distance(randomText(n, 42), randomText(n, 43));
}
