// Parses n lines of numbers and sums a column.
export function main(n = 50000) {
  const text = 'alpha,12,3.25,x\nbeta,7,1.5,y\n'.repeat(n / 2);
  let sum = 0;
  for (const line of text.split('\n')) {
    const fields = line.split(',');
    if (fields.length === 4) sum += parseInt(fields[1], 10) * parseFloat(fields[2]);
  }
  return sum;
}
