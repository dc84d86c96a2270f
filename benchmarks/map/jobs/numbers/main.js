export const columns = ['price', 'cost', 'quantity', 'discount'];
export const outputs = { total: 'DOUBLE', margin: 'DOUBLE', units: 'INT32' };

function map(price, cost, quantity, discount) {
  const net = price * (1 - discount);
  return { total: net * quantity, margin: (net - cost) * quantity, units: quantity > 10 ? quantity * 2 : quantity };
}

export function mapColumns({ price, cost, quantity, discount }, rows) {
  const total = new Float64Array(rows);
  const margin = new Float64Array(rows);
  const units = new Int32Array(rows);
  for (let i = 0; i < rows; i++) {
    const out = map(price[i], cost[i], quantity[i], discount[i]);
    total[i] = out.total;
    margin[i] = out.margin;
    units[i] = out.units;
  }
  return { total, margin, units };
}
