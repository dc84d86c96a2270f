export const columns = ['price', 'cost', 'quantity'];
export const outputs = { rate: 'DOUBLE' };

function map(price, cost, quantity) {
  let low = 0;
  let high = 1;
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    const paid = cost * middle * (1 + middle * quantity);
    if (paid < price) low = middle;
    else high = middle;
  }
  return { rate: low };
}

export function mapColumns({ price, cost, quantity }, rows) {
  const rate = new Float64Array(rows);
  for (let i = 0; i < rows; i++) rate[i] = map(price[i], cost[i], quantity[i]).rate;
  return { rate };
}
