// Scans a text of n characters of the BMP by position, ten times.
export function main(n = 1000000) {
  const text = 'abcdefghij klmnopqrs'.repeat(n / 20);
  let words = 0;
  for (let turn = 0; turn < 10; turn++) {
    for (let i = 0; i < text.length; i++) {
      if (text.charCodeAt(i) === 32) words++;
    }
  }
  return words;
}
