// How many letters have to be inserted, removed or replaced to turn one text of n letters into another one.
function randomText(length, seed) {
  let text = '';
  for (let i = 0; i < length; i++) {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    text += 'etaoinsh'[(seed >>> 16) & 7];
  }
  return text;
}

function distance(a, b) {
  const row = new Int32Array(b.length + 1);
  for (let j = 0; j < row.length; j++) row[j] = j;
  const letters = new Uint16Array(b.length);
  for (let j = 0; j < b.length; j++) letters[j] = b.charCodeAt(j);
  for (let i = 0; i < a.length; i++) {
    const letter = a.charCodeAt(i);
    let diagonal = i;
    let left = i + 1;
    row[0] = left;
    for (let j = 0; j < letters.length; j++) {
      const above = row[j + 1];
      const replaced = (diagonal + (letter === letters[j] ? 0 : 1)) | 0;
      left = Math.min(replaced, (Math.min(above, left) + 1) | 0);
      diagonal = above;
      row[j + 1] = left;
    }
  }
  return row[b.length];
}

export function main(n = 6000) {
  return distance(randomText(n, 42), randomText(n, 43));
}
