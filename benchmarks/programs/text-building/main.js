// Builds a text of n numbers piece by piece, and adds up what its characters are.
export function main(n = 800000) {
  let text = '';
  for (let i = 0; i < n; i++) {
    text += `${(i * 7919) % 100003}: `;
    text += i % 3 === 0 ? 'item' : 'thing';
    text += i - 1000;
    text += ';';
  }
  let check = 0;
  for (let i = 0; i < text.length; i++) check = (Math.imul(check, 31) + text.charCodeAt(i)) & 0xffffff;
  return text.length * 16777216 + check;
}
