// Joins rows of words again and again, one word changed each time.
export function main(turns = 3000) {
  const words = 'the quick brown fox jumps over the lazy dog and runs away from all of the others'.split(' ');
  let length = 0;
  for (let turn = 0; turn < turns; turn++) {
    const row = [];
    for (let i = 0; i < 100; i++) row.push(words[(i * 7 + turn) % words.length]);
    const line = row.join(', ');
    length += line.length + line.codePointAt(turn % 50);
  }
  return length;
}
