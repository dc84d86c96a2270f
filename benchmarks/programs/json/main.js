// Writes n orders as JSON text, reads them, walks through them, changes them and writes them again.
function makeText(n) {
  const orders = [];
  let seed = 42;
  for (let i = 0; i < n; i++) {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    const items = [];
    for (let j = 0; j <= (seed >>> 16) % 3; j++) {
      items.push(`{"name":"item \\"${j}\\"","count":${((seed >>> 8) % 50) + j},"price":${(seed >>> 12) % 900}.25}`);
    }
    const customer = (seed >>> 10) % 4 === 0 ? 'null' : `"Customer ${(seed >>> 9) % 1000}"`;
    orders.push(`{"id":${i},"customer":${customer},"paid":${(seed >>> 11) % 2 === 0},"items":[${items.join(',')}]}`);
  }
  return `[${orders.join(',')}]`;
}

// Sums what is to be paid, and marks what has been looked at.
function total(orders) {
  let sum = 0;
  for (const order of orders) {
    let due = 0;
    for (const item of order.items) due += item.count * item.price + item.name.length;
    if (order.customer !== null) due += order.customer.length;
    if (!order.paid) sum += due;
    order.due = due + 0.125;
  }
  return sum;
}

export function main(n = 60000) {
  const text = makeText(n);
  const orders = JSON.parse(text);
  const sum = total(orders);
  return sum + text.length + JSON.stringify(orders).length;
}
