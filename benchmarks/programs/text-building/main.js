// Builds a text piece by piece, and counts what came out.
export function main(n = 200000) {
  let text = '';
  for (let i = 0; i < n; i++) {
    text += `${i % 10}:`;
    text += 'item ';
  }
  return text.length + text.split(':').length;
}
