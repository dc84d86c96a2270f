// Texts of JSON for the benchmarks, the same each time.

/** Numbers from 0 to 1 (mulberry32 of Tommy Ettinger, public domain). */
function generator(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Rows of measurements, 5 MB: a counter, a small int, prices, coordinates, and one number of full precision. */
export function numericText() {
  const random = generator(1);
  const rows = [];
  for (let i = 0, size = 0; size < 5_000_000; i++) {
    const cells = [
      i * 1000,
      Math.floor(random() * 100),
      (random() * 1000).toFixed(2),
      (random() * 180 - 90).toFixed(6),
      (random() * 10).toFixed(1),
      random(),
    ];
    const row = `[${cells.join(',')}]`;
    rows.push(row);
    size += row.length + 1;
  }
  return `[${rows.join(',')}]`;
}

const cities = ['Paris', 'Lima', 'Osaka', 'Cairo', 'Quito', 'Zürich'];

/** Records as a service sends them, 8 MB. */
export function objectText() {
  const random = generator(2);
  const records = [];
  for (let i = 0, size = 0; size < 8_000_000; i++) {
    const record = JSON.stringify({
      id: i,
      name: `Customer ${Math.floor(random() * 1e6)}`,
      email: `user${i}@example.com`,
      active: random() < 0.5,
      balance: Math.round(random() * 1e6) / 100,
      tags: ['alpha', 'beta', 'gamma'].slice(0, 1 + Math.floor(random() * 3)),
      address: {
        street: `${Math.floor(random() * 200)} Main Street`,
        city: cities[Math.floor(random() * cities.length)],
        zip: 10000 + Math.floor(random() * 89999),
      },
      note: random() < 0.3 ? null : 'a line of text that is somewhat longer than the others are',
    });
    records.push(record);
    size += record.length + 1;
  }
  return `[${records.join(',')}]`;
}
