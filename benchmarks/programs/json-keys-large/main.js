// Reads and writes numbers under string keys of a Map of 100000 keys, 10^5 of each in a turn.
export function main(keys = 100000, turns = 10) {
  const names = new Array(keys);
  const map = new Map();
  for (let i = 0; i < keys; i++) {
    names[i] = `key${i * 7}`;
    map.set(names[i], i);
  }
  let sum = 0;
  for (let turn = 0; turn < turns; turn++) {
    let at = 0;
    for (let i = 0; i < 100000; i++) {
      const name = names[at];
      const value = map.get(name);
      sum += value;
      map.set(name, value + 1);
      at += 7919;
      while (at >= keys) at -= keys;
    }
  }
  return sum;
}
