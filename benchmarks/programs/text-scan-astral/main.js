// Scans a text of n characters, some beyond the BMP, as JavaScript does it well: by unit, a pair at once.
export function main(n = 1000000) {
  const text = 'abcdefghi😀 klmnopqr𝄞'.repeat(n / 20);
  let words = 0;
  for (let turn = 0; turn < 10; turn++) {
    for (let i = 0; i < text.length; i++) {
      const point = text.codePointAt(i);
      if (point > 65535) {
        words++;
        i++;
      }
    }
  }
  return words;
}
