export const columns = ['price', 'cost', 'quantity', 'discount'];
export const outputs = { total: 'DOUBLE', margin: 'DOUBLE' };

function map(price, cost, quantity, discount) {
  const net = price * (1 - discount);
  const margin = (net - cost) * quantity;
  return margin < 18000 ? null : { total: net * quantity, margin };
}

export function mapColumns({ price, cost, quantity, discount }, rows) {
  const total = [];
  const margin = [];
  for (let i = 0; i < rows; i++) {
    const out = map(price[i], cost[i], quantity[i], discount[i]);
    if (out === null) continue;
    total.push(out.total);
    margin.push(out.margin);
  }
  return { total, margin };
}
