// Looks for words in short and long texts.
export function main(turns = 200000) {
  const long = 'lorem ipsum dolor sit amet consetetur sadipscing elitr sed diam nonumy eirmod tempor invidunt '.repeat(20) + 'needle';
  const lines = ['a line with a needle in it', 'a line without', 'needle', 'the last one has needles too, at its end: needles'];
  let found = 0;
  for (let i = 0; i < turns; i++) {
    if (lines[i % 4].includes('needle')) found++;
    if (lines[i % 4].includes('with')) found += 2;
    if (i % 50 === 0 && long.includes('needle')) found += 3;
  }
  return found;
}
