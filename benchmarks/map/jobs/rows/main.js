export const columns = ['price', 'quantity'];
export const outputs = { part: 'DOUBLE', number: 'INT32' };

function* map(price, quantity) {
  const parts = quantity % 3;
  for (let number = 0; number < parts; number++) yield { part: price / parts, number };
}

export function mapColumns({ price, quantity }, rows) {
  const part = [];
  const number = [];
  for (let i = 0; i < rows; i++)
    for (const out of map(price[i], quantity[i])) {
      part.push(out.part);
      number.push(out.number);
    }
  return { part, number };
}
