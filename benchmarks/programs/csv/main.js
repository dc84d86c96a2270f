// Writes a table of n lines as CSV text, reads it again, and sums what is in its columns.
const names = ['tea', 'coffee', 'sugar', 'oat biscuits', 'milk'];

function makeTable(n) {
  let text = 'name,count,price,note\n';
  let seed = 42;
  for (let i = 0; i < n; i++) {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    const cents = (seed >>> 16) % 100;
    text += `${names[(seed >>> 8) % 5]},${(seed >>> 12) % 1000},${(seed >>> 10) % 500}.${cents < 10 ? '0' : ''}${cents},line ${i}\n`;
  }
  return text;
}

export function main(n = 400000) {
  const text = makeTable(n);
  let count = 0;
  let price = 0;
  let letters = 0;
  // No part of the text becomes a text of its own. The first line is that of the titles.
  let at = text.indexOf('\n') + 1;
  while (at < text.length) {
    const first = text.indexOf(',', at);
    letters += first - at;
    at = first + 1;
    let number = 0;
    for (let c = text.charCodeAt(at++); c !== 44; c = text.charCodeAt(at++)) number = (Math.imul(number, 10) + c - 48) | 0;
    count += number;
    number = 0;
    let scale = 0;
    for (let c = text.charCodeAt(at++); c !== 44; c = text.charCodeAt(at++)) {
      if (c === 46) {
        scale = 1;
      } else {
        number = (Math.imul(number, 10) + c - 48) | 0;
        scale *= 10;
      }
    }
    price += scale === 0 ? number : number / scale;
    const end = text.indexOf('\n', at);
    letters += end - at;
    at = end + 1;
  }
  return count + letters + price;
}
