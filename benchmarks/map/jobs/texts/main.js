export const columns = ['customer', 'country', 'price', 'quantity'];
export const outputs = { customer: 'STRING', band: 'STRING', total: 'DOUBLE' };

function map(customer, country, price, quantity) {
  return { customer: customer.toUpperCase(), band: quantity > 10 ? 'bulk' : country, total: price * quantity };
}

export function mapColumns({ customer, country, price, quantity }, rows) {
  const customers = new Array(rows);
  const band = new Array(rows);
  const total = new Float64Array(rows);
  for (let i = 0; i < rows; i++) {
    const out = map(customer[i], country[i], price[i], quantity[i]);
    customers[i] = out.customer;
    band[i] = out.band;
    total[i] = out.total;
  }
  return { customer: customers, band, total };
}
