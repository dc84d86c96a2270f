// Calls the functions of smoothing.slu: a year of daily highs in Seattle goes in as a typed array, and the
// smoothed year comes back as one.

import { readFileSync } from 'node:fs';
import { compile } from 'sluice';
import { loadScript } from 'sluice/host';

const read = (name) => readFileSync(new URL(name, import.meta.url), 'utf8');

const { artifact } = await compile('smoothing.slu', read('smoothing.slu'));
const script = await loadScript(artifact.wasm);

const days = read('data/seattle-weather.csv').trimEnd().split('\n').slice(1, 366);
const highs = Float64Array.from(days, (day) => Number(day.split(',')[2]));

const { value: smoothed } = await script.call('smooth', highs, 29);
const warmest = smoothed.indexOf(Math.max(...smoothed));
console.log(`warmest around ${days[warmest].slice(0, 10)}, with ${smoothed[warmest].toFixed(1)} degrees`);

const { value: count, yields } = await script.call('crossings', smoothed, 20);
console.log(`${count} crossings: ${yields.join(', ')}`);

// An instance keeps its globals from call to call.
const station = script.instance();
for (const high of highs) station.callSync('note', high);
console.log(`mean ${station.callSync('note', 0).value.toFixed(2)} after a cold day`);
