// How many letters have to be inserted, removed or replaced to turn one text of n letters into another one.
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
  const row = new StaticArray<i32>(b.length + 1);
  for (let j = 0; j < row.length; j++) unchecked((row[j] = j));
  for (let i = 0; i < a.length; i++) {
    const letter = unchecked(a[i]);
    let diagonal = i;
    let left = i + 1;
    unchecked((row[0] = left));
    for (let j = 0; j < b.length; j++) {
      const above = unchecked(row[j + 1]);
      const replaced = diagonal + i32(letter != unchecked(b[j]));
      left = min(replaced, min(above, left) + 1);
      diagonal = above;
      unchecked((row[j + 1] = left));
    }
  }
  return unchecked(row[b.length]);
}

export function run(n: i32): f64 {
  return distance(randomText(n, 42), randomText(n, 43));
}
