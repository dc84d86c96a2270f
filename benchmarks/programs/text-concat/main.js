// Puts long texts together piece by piece.
export function main(turns = 20) {
  const pieces = 'alpha beta gamma delta epsilon zeta eta theta iota kappa'.split(' ');
  let length = 0;
  for (let turn = 0; turn < turns; turn++) {
    let text = '';
    for (let i = 0; i < 20000; i++) {
      text += pieces[i % 10];
      text += ',';
    }
    length += text.length + text.codePointAt(1000);
  }
  return length;
}
