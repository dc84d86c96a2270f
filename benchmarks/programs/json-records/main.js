// Builds n records member by member, changes them in rounds, sums them up by town and by day, and writes all as JSON text.
const towns = ['Aachen', 'Bergen', 'Cadiz', 'Dover', 'Evora', 'Faro', 'Ghent'];

function makeRecords(n) {
  const records = [];
  let seed = 42;
  for (let i = 0; i < n; i++) {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    const record = {};
    record.id = i;
    record.name = `customer ${i}`;
    record.town = towns[(seed >>> 8) % 7];
    record.day = `day ${(seed >>> 12) % 365}`;
    record.visits = 0;
    record.balance = ((seed >>> 10) % 10000) + 0.5;
    const tags = [];
    for (let j = 0; j < (seed >>> 16) % 4; j++) {
      tags.push((seed >>> j) % 100);
    }
    record.tags = tags;
    records.push(record);
  }
  return records;
}

function changeRecords(records, round) {
  for (const record of records) {
    record.visits = record.visits + 1;
    record.balance = record.balance * 1.125 - round;
    if (record.id % 5 === round) record.active = true;
    if (record.tags.length > 1) {
      record.tags[0] = record.tags[0] + round;
      record.tags.push(round);
    }
  }
}

function sumUp(records, key) {
  const sums = {};
  for (const record of records) {
    const name = record[key];
    if (!(name in sums)) sums[name] = { count: 0, visits: 0, balance: 0.125 };
    const sum = sums[name];
    sum.count = sum.count + 1;
    sum.visits = sum.visits + record.visits;
    sum.balance = sum.balance + record.balance;
  }
  return sums;
}

export function main(n = 100000) {
  const records = makeRecords(n);
  for (let round = 0; round < 4; round++) changeRecords(records, round);
  const report = { towns: sumUp(records, 'town'), days: sumUp(records, 'day'), records };
  return JSON.stringify(report).length;
}
