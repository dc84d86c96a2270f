// How many letters have to be inserted, removed or replaced to turn one text of n letters into another one: two rows,
// the letters read where they are compared.
function randomText(length, seed) {
  let text = '';
  for (let i = 0; i < length; i++) {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    text += 'etaoinsh'[(seed >>> 16) & 7];
  }
  return text;
}

function distance(a, b) {
  let previous = new Int32Array(b.length + 1);
  let current = new Int32Array(b.length + 1);
  for (let j = 0; j <= b.length; j++) previous[j] = j;
  for (let i = 1; i <= a.length; i++) {
    current[0] = i;
    for (let j = 1; j <= b.length; j++) {
      const cost = a.charCodeAt(i - 1) === b.charCodeAt(j - 1) ? 0 : 1;
      const removed = (previous[j] + 1) | 0;
      const inserted = (current[j - 1] + 1) | 0;
      const replaced = (previous[j - 1] + cost) | 0;
      current[j] = Math.min(Math.min(removed, inserted), replaced);
    }
    const swapped = previous;
    previous = current;
    current = swapped;
  }
  return previous[b.length];
}

export function main(n = 6000) {
  return distance(randomText(n, 42), randomText(n, 43));
}
