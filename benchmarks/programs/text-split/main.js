// Splits lines that all differ, and counts the parts.
export function main(turns = 60000) {
  let parts = 0;
  let units = 0;
  for (let i = 0; i < turns; i++) {
    const line = `${i},alpha,${i * 7},beta gamma,${i % 13},omega,a longer field at the end`;
    const fields = line.split(',');
    parts += fields.length;
    units += fields[2].length + fields[6].length;
  }
  return parts * 1000 + units;
}
