// Every script in examples/ gives the right answer: what it yields and returns is compared with the same
// calculation done here, in another way where there is one, and its refusals are what its input deserves.

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createMemoryPlatform, Denied, Granted, loadScript } from '../runtime-host/api/node.ts';
import type { Script, ScriptStruct, ScriptValue } from '../runtime-host/api/node.ts';
import { compile } from '../src/compile.ts';
import { memoryReader } from '../src/memory-reader.ts';

const examples = join(import.meta.dirname, '../examples');
const data = (name: string): string => readFileSync(join(examples, 'data', name), 'utf8');
const geography = readFileSync(join(examples, 'lib/geography.slu'), 'utf8');
const compiled = new Map<string, Uint8Array>();

interface Answer {
  readonly yields: readonly string[];
  readonly result: ScriptValue | undefined;
}

async function load(name: string): Promise<Script> {
  if (!compiled.has(name)) {
    const { artifact, diagnostics } = await compile(name, readFileSync(join(examples, name), 'utf8'), {
      reader: memoryReader({ 'lib/geography.slu': geography }),
    });
    expect(diagnostics.map(({ message }) => message)).toEqual([]);
    compiled.set(name, artifact!.wasm);
  }
  return loadScript(compiled.get(name)!);
}

async function run(name: string, values: Readonly<Record<string, unknown>> = {}): Promise<Answer> {
  const execution = (await load(name)).run(values);
  const yields: string[] = [];
  await execution.forEach((_value, text) => yields.push(text()));
  return { yields, result: await execution.result };
}

/** The rows of a table by column, as a program other than the script's reads them. */
function readTable(csv: string): Record<string, string>[] {
  const [header, ...rows] = csv
    .trimEnd()
    .split(/\r?\n/)
    .map((line) => line.split(','));
  return rows.map((row) => Object.fromEntries(header!.map((name, at) => [name, row[at] ?? ''])));
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

it('browser/readings.slu finds what stands out, and reports it if it may', async () => {
  const text = readFileSync(join(examples, 'browser/readings.slu'), 'utf8');
  const readings = readFileSync(join(examples, 'browser/readings.txt'), 'utf8').trim().split('\n').map(Number);
  const { artifact } = await compile('readings.slu', text);
  const middle = mean(readings);
  const limit = middle + 2 * Math.sqrt(mean(readings.map((x) => (x - middle) ** 2)));
  const high = readings.flatMap((x, at) => (x > limit ? [`${at},${x}\n`] : []));
  expect(high.length).toBeGreaterThan(0);
  for (const mayWrite of [true, false]) {
    const platform = createMemoryPlatform({ server: () => ({ body: `${readings.join('\n')}\n` }) });
    const script = await loadScript(artifact!.wasm, {
      platform,
      permissions: ({ kind }) => (kind === 'Http.Get' || mayWrite ? Granted : Denied()),
    });
    const yields: string[] = [];
    const run = script.run({ url: 'https://example.com/readings.txt' });
    await run.forEach((value) => yields.push(String(value)));
    expect(await run.result).toBe(Math.max(...readings));
    expect(yields.length).toBe(high.length + 2);
    expect(platform.files.snapshot()).toEqual(mayWrite ? { '/report.csv': high.join('') } : {});
  }
});

it('every example is tested here', () => {
  const tested = readFileSync(import.meta.filename, 'utf8');
  for (const name of readdirSync(examples).filter((file) => file.endsWith('.slu')))
    expect(tested).toContain(`describe('${name}'`);
});

it('every example is in the list', () => {
  const list = readFileSync(join(examples, 'README.md'), 'utf8');
  for (const name of readdirSync(examples).filter((file) => file.endsWith('.slu')))
    expect(list).toContain(`examples/${name}`);
});

describe('the data', () => {
  const original = (name: string): string =>
    readFileSync(join(import.meta.dirname, '../node_modules/vega-datasets/data', name), 'utf8');

  it('of the weather are as published', () => {
    expect(data('seattle-weather.csv')).toBe(original('seattle-weather.csv'));
  });

  it('of the penguins are as published', () => {
    expect(data('penguins.json')).toBe(original('penguins.json'));
  });

  it('of the cars say what was published', () => {
    const cars = JSON.parse(original('cars.json')) as Record<string, unknown>[];
    expect(readTable(data('cars.csv'))).toEqual(
      cars.map((car) => Object.fromEntries(Object.entries(car).map(([key, value]) => [key, String(value ?? '')]))),
    );
  });
});

describe('penguins.slu', () => {
  const text = data('penguins.json');
  const birds = (JSON.parse(text) as Record<string, string | number | null>[]).filter(
    (bird) => bird['Body Mass (g)'] !== null,
  );
  const species = [...new Set(birds.map((bird) => String(bird['Species'])))];
  const of = (name: string): typeof birds => birds.filter((bird) => bird['Species'] === name);

  it('has a line for each species', async () => {
    const { yields } = await run('penguins.slu', { text });
    expect(yields).toEqual(
      species.map((name) => {
        const grams = Math.trunc(mean(of(name).map((bird) => Number(bird['Body Mass (g)']))));
        const flippers = mean(of(name).map((bird) => Number(bird['Flipper Length (mm)'])));
        const islands = [...new Set(of(name).map((bird) => bird['Island']))].join(', ');
        return (
          `${name.padEnd(10)} ${String(of(name).length).padStart(4)}   ${grams} g, flippers ${flippers.toFixed(1)} ` +
          `mm   ${islands}`
        );
      }),
    );
  });

  it('sums up what a program would read', async () => {
    const { result } = await run('penguins.slu', { text, heaviest: 4 });
    const heaviest = birds
      .map((bird) => ({ species: bird['Species'], grams: bird['Body Mass (g)'] as number }))
      .toSorted((a, b) => b.grams - a.grams)
      .slice(0, 4);
    const islands = Object.fromEntries(
      species.map((name) => [
        name,
        Object.fromEntries(
          Object.entries(Object.groupBy(of(name), (bird) => String(bird['Island']))).map(([island, list]) => [
            island,
            list!.length,
          ]),
        ),
      ]),
    );
    expect(JSON.parse(JSON.stringify(result))).toEqual({ birds: birds.length, islands, heaviest });
  });
});

describe('weather.slu', () => {
  const csv = data('seattle-weather.csv');
  const days = readTable(csv);
  const years = new Set(days.map((day) => day['date']!.slice(0, 4))).size;
  const months = Array.from({ length: 12 }, (_, at) => {
    const inMonth = days.filter((day) => Number(day['date']!.slice(5, 7)) === at + 1);
    const rain = inMonth.map((day) => Number(day['precipitation']));
    return {
      name: new Date(2000, at).toLocaleString('en', { month: 'short' }),
      high: mean(inMonth.map((day) => Number(day['temp_max']))),
      rainyDays: rain.filter((amount) => amount > 0).length / years,
      rain: (mean(rain) * rain.length) / years,
    };
  });

  it('has a line for each month', async () => {
    const { yields } = await run('weather.slu', { csv });
    expect(yields).toHaveLength(13);
    months.forEach((month, at) => {
      const [name, high, unit, rainyDays, rain, millimetres, bar = ''] = yields[at + 1]!.split(/ +/);
      expect([name, unit, millimetres]).toEqual([month.name, '°C', 'mm']);
      expect(Number(high)).toBeCloseTo(month.high, 0);
      expect(Math.abs(Number(high) - month.high)).toBeLessThanOrEqual(0.0500001);
      expect(Math.abs(Number(rainyDays) - month.rainyDays)).toBeLessThanOrEqual(0.0500001);
      expect(Math.abs(Number(rain) - month.rain)).toBeLessThanOrEqual(0.5000001);
      expect(bar).toMatch(/^#*$/);
      expect(Math.abs(bar.length - month.rain / 5)).toBeLessThanOrEqual(0.5000001);
    });
    const widths = new Set(yields.slice(1).map((line) => line.indexOf(' mm')));
    expect(widths.size).toBe(1);
  });

  it('sums the years up', async () => {
    const { result } = await run('weather.slu', { csv });
    const hottest = days.reduce((best, day) => (Number(day['temp_max']) > Number(best['temp_max']) ? day : best));
    expect(result).toEqual(
      Object.assign(Object.create(null), {
        days: BigInt(days.length),
        years: BigInt(years),
        wettest: months.reduce((best, month) => (month.rain > best.rain ? month : best)).name,
        warmest: months.reduce((best, month) => (month.high > best.high ? month : best)).name,
        rainPerYear: expect.closeTo(
          months.reduce((sum, month) => sum + month.rain, 0),
          6,
        ),
        hottestDay: hottest['date'],
        hottest: Number(hottest['temp_max']),
      }),
    );
  });

  it('reads tables with other columns, line ends and blank lines', async () => {
    const small = 'temp_max,date,precipitation\r\n10.0,2020-02-01,1.0\r\n\r\n20.0,2020-02-08,3.0\r\n';
    const { yields } = await run('weather.slu', { csv: small, millimetresPerMark: 2 });
    expect(yields[2]).toBe('Feb     15.0 °C         2.0    4 mm  ##');
    expect(yields[1]).toBe('Jan    no data');
  });

  it.each([
    ['date,temp_max\n2020-01-01,5', 'the table has no column precipitation'],
    ['date,precipitation,temp_max\n', 'the table has no days'],
    ['date,precipitation,temp_max\n2020-01-01,1.0', 'line 2: 2 fields, but the table has 3 columns'],
    ['date,precipitation,temp_max\n2020-01-01,wet,5.0', 'line 2: "wet" is no number'],
    ['date,precipitation,temp_max\n2020-13-01,1.0,5.0', 'line 2: 2020-13-01 is no date'],
    ['date,precipitation,temp_max\nyesterday,1.0,5.0', 'line 2: yesterday is no date'],
  ])('refuses %j', async (table, message) => {
    await expect(run('weather.slu', { csv: table })).rejects.toMatchObject({ name: 'Error', message });
  });
});

describe('cars.slu', () => {
  const csv = data('cars.csv');
  const table = readTable(csv);
  const cars = table
    .filter((car) => car['Miles_per_Gallon'] !== '' && car['Weight_in_lbs'] !== '')
    .map((car) => ({
      name: car['Name']!,
      origin: car['Origin']!,
      x: Number(car['Weight_in_lbs']),
      y: Number(car['Miles_per_Gallon']),
    }));
  // By the correlation and the deviations, where the script takes sums of products.
  const [mx, my] = [mean(cars.map(({ x }) => x)), mean(cars.map(({ y }) => y))];
  const deviation = (values: readonly number[], about: number): number =>
    Math.sqrt(mean(values.map((value) => (value - about) ** 2)));
  const [sx, sy] = [
    deviation(
      cars.map(({ x }) => x),
      mx,
    ),
    deviation(
      cars.map(({ y }) => y),
      my,
    ),
  ];
  const correlation = mean(cars.map(({ x, y }) => ((x - mx) / sx) * ((y - my) / sy)));
  const slope = (correlation * sy) / sx;
  const intercept = my - slope * mx;

  it('fits the line', async () => {
    const { result } = await run('cars.slu', { csv });
    const fit = result as ScriptStruct;
    expect(fit['cars']).toBe(BigInt(cars.length));
    expect(fit['slope']).toBeCloseTo(slope, 10);
    expect(fit['intercept']).toBeCloseTo(intercept, 8);
    expect(fit['r2']).toBeCloseTo(correlation ** 2, 10);
  });

  it('says what it found', async () => {
    const { yields } = await run('cars.slu', { csv });
    const residual = ({ x, y }: { x: number; y: number }): number => y - (intercept + slope * x);
    const best = cars.toSorted((a, b) => residual(b) - residual(a)).slice(0, 3);
    expect(yields).toEqual([
      `${cars.length} cars, ${table.length - cars.length} left out`,
      `miles per gallon = ${intercept.toFixed(3)} - ${(-slope).toFixed(6)} * pounds`,
      `r2 = ${(correlation ** 2).toFixed(4)}`,
      ...['Europe', 'Japan', 'USA'].map((origin) => {
        const group = cars.filter((car) => car.origin === origin);
        return `${origin.padEnd(8)}${String(group.length).padStart(4)} cars  ${mean(group.map(({ y }) => y))
          .toFixed(1)
          .padStart(5)} mpg`;
      }),
      ...best.map(
        (car) => `${car.name}: ${car.y.toFixed(1)} mpg where the line says ${(intercept + slope * car.x).toFixed(1)}`,
      ),
    ]);
  });

  it('finds a line that is there', async () => {
    const exact = [
      'Name,Origin,Weight_in_lbs,Miles_per_Gallon',
      'a,X,1000,30',
      'b,X,2000,20',
      'c,Y,3000,10',
      'd,Y,,10',
      'e,Y,1,',
    ].join('\n');
    const { result, yields } = await run('cars.slu', { csv: exact, best: 0 });
    expect(result).toMatchObject({ cars: 3n, slope: -0.01, intercept: 40, r2: 1 });
    expect(yields[0]).toBe('3 cars, 2 left out');
    expect(yields).toHaveLength(5);
  });

  it.each([
    ['Name,Weight_in_lbs,Miles_per_Gallon\n', 'the table has no column Origin'],
    ['Name,Origin,Weight_in_lbs,Miles_per_Gallon\na,X,1,2\n', '1 cars make no line'],
    ['Name,Origin,Weight_in_lbs,Miles_per_Gallon\na,X,1,2\nb,X,1,3\n', 'every car weighs the same'],
    ['Name,Origin,Weight_in_lbs,Miles_per_Gallon\na,X,1,two\n', 'line 2: "two" is no number'],
    ['Name,Origin,Weight_in_lbs,Miles_per_Gallon\n"a,b",X,1,2\n', 'line 2: quoted fields are not understood'],
  ])('refuses %j', async (table, message) => {
    await expect(run('cars.slu', { csv: table })).rejects.toMatchObject({ name: 'Error', message });
  });
});

describe('words.slu', () => {
  const text = data('gettysburg-address.txt');
  const words = text.toLowerCase().match(/\p{L}+/gu)!;
  const counts = Map.groupBy(words, (word) => word);

  it('counts the words', async () => {
    const { yields } = await run('words.slu', { text, top: 12 });
    const expected = [...counts]
      .map(([word, all]) => ({ word, count: all.length }))
      .sort((a, b) => b.count - a.count || (a.word < b.word ? -1 : 1))
      .slice(0, 12);
    expect(yields).toEqual(expected.map(({ word, count }) => `${String(count).padStart(2)}  ${word}`));
  });

  it('sums up', async () => {
    const { result } = await run('words.slu', { text });
    const longest = [...counts.keys()].sort().reduce((best, word) => (word.length > best.length ? word : best), '');
    expect(result).toMatchObject({ words: BigInt(words.length), distinct: BigInt(counts.size), longest });
  });

  it('knows other alphabets', async () => {
    const { yields } = await run('words.slu', { text: 'Größe ГРОМ größe, гром! größe' });
    expect(yields).toEqual(['3  größe', '2  гром']);
  });

  it('refuses a text without words', async () => {
    await expect(run('words.slu', { text: ' 1 2 3 ' })).rejects.toMatchObject({
      message: 'there is not one word in the text',
    });
  });
});

describe('ledger.slu', () => {
  it('carries out what can be done and says why the rest cannot', async () => {
    const { yields, result } = await run('ledger.slu');
    expect(yields).toEqual([
      'line 6: "withdraw bob 100" refused: bob has only 45.05',
      'line 7: "transfer ann carl 1" refused: carl has no account',
      'line 8: "deposit bob ten" refused: "ten" is no amount of money',
      'line 9: "open ann" refused: ann has an account already',
      'line 10: "burn bob 1" refused: "burn" is no order: there are open, deposit, withdraw and transfer',
      'ann             0.00',
      'bob            69.90',
    ]);
    expect(result).toMatchObject({
      accounts: [
        { owner: 'ann', cents: 0n },
        { owner: 'bob', cents: 6990n },
      ],
      total: '69.90',
      done: 6n,
      refused: 5n,
    });
  });

  it('loses no cent in ten thousand orders', async () => {
    const names = ['a', 'b', 'c'];
    const balances = [100_000, 100_000, 100_000];
    const orders = names.flatMap((name) => [`open ${name}`, `deposit ${name} 1000.00`]);
    let refused = 0;
    for (let at = 0, seed = 7; at < 10_000; at++) {
      seed = (seed * 16807) % 2147483647;
      const [from, to, cents] = [seed % 3, (seed >> 4) % 3, (seed % 50_000) + 1];
      orders.push(`transfer ${names[from]!} ${names[to]!} ${(cents / 100).toFixed(2)}`);
      if (balances[from]! < cents) refused++;
      else {
        balances[from]! -= cents;
        balances[to]! += cents;
      }
    }
    const { result } = await run('ledger.slu', { orders: orders.join('\r\n') });
    expect(result).toMatchObject({
      accounts: names.map((owner, at) => ({ owner, cents: BigInt(balances[at]!) })),
      total: '3000.00',
      refused: BigInt(refused),
    });
    expect(refused).toBeGreaterThan(100);
  });

  it('refuses orders that are not complete', async () => {
    const { yields } = await run('ledger.slu', {
      orders: 'open\nopen x y\n\nopen a\ndeposit a 0.001\ndeposit a -5\nwithdraw',
    });
    expect(yields.slice(0, 5)).toEqual([
      'line 1: "open" refused: open takes 1 words after it, not 0',
      'line 2: "open x y" refused: open takes 1 words after it, not 2',
      'line 5: "deposit a 0.001" refused: 0.001 has parts of a cent',
      'line 6: "deposit a -5" refused: "-5" is no amount of money',
      'line 7: "withdraw" refused: withdraw takes 2 words after it, not 0',
    ]);
  });
});

describe('life.slu', () => {
  /** Another way: a set of living cells, and a count of how often each place is a neighbour. */
  function nextOf(rows: readonly string[]): string[] {
    const [height, width] = [rows.length, rows[0]!.length];
    const around = new Map<string, number>();
    rows.forEach((row, y) => {
      [...row].forEach((cell, x) => {
        if (cell !== '#') return;
        for (const [dy, dx] of [
          [-1, -1],
          [-1, 0],
          [-1, 1],
          [0, -1],
          [0, 1],
          [1, -1],
          [1, 0],
          [1, 1],
        ] as const) {
          const place = `${(y + dy + height) % height},${(x + dx + width) % width}`;
          around.set(place, (around.get(place) ?? 0) + 1);
        }
      });
    });
    return rows.map((row, y) =>
      [...row]
        .map((cell, x) => {
          const count = around.get(`${y},${x}`) ?? 0;
          return count === 3 || (count === 2 && cell === '#') ? '#' : '.';
        })
        .join(''),
    );
  }

  function frames(board: string, generations: number): string[] {
    let rows = board.split('/');
    return Array.from({ length: generations + 1 }, (_, generation) => {
      if (generation > 0) rows = nextOf(rows);
      return [`generation ${generation}, ${rows.join('').replaceAll('.', '').length} alive`, ...rows, ''].join('\n');
    });
  }

  it('moves the glider', async () => {
    const board = '.#....../..#...../###...../......../......../......../......../........';
    const { yields, result } = await run('life.slu', { generations: 32 });
    expect(yields).toEqual(frames(board, 32));
    expect(result).toBe(5n);
    // On a torus of eight by eight the glider is back where it began.
    expect(yields[32]!.split('\n').slice(1)).toEqual(yields[0]!.split('\n').slice(1));
  });

  it('plays any board', async () => {
    const board = Array.from({ length: 12 }, (_, y) =>
      Array.from({ length: 17 }, (__, x) => ((x * 7 + y * 11 + x * y) % 3 === 0 ? '#' : '.')).join(''),
    ).join('/');
    expect((await run('life.slu', { generations: 20, board })).yields).toEqual(frames(board, 20));
  });

  it.each([
    ['.#/.x', 'a cell is # or ., not x'],
    ['.#/.#.', 'row 2 has 3 cells, the first one 2'],
    ['.#//.#', 'a row of the board is empty'],
  ])('refuses %j', async (board, message) => {
    await expect(run('life.slu', { board })).rejects.toMatchObject({ name: 'Error', message });
  });
});

describe('mandelbrot.slu', () => {
  /** With complex numbers as pairs, and the shade by the powers of two that a step count passes. */
  function picture(width: number, height: number, limit: number): { lines: string[]; inside: bigint } {
    let inside = 0n;
    const lines = Array.from({ length: height }, (_, row) =>
      Array.from({ length: width }, (__, column) => {
        const c = [-2.1 + (3.0 * column) / (width - 1), -1.2 + (2.4 * row) / (height - 1)] as const;
        let z: readonly [number, number] = [0, 0];
        let steps = 0;
        while (steps < limit && z[0] * z[0] + z[1] * z[1] <= 4) {
          z = [z[0] * z[0] - z[1] * z[1] + c[0], 2 * z[0] * z[1] + c[1]];
          steps++;
        }
        if (steps === limit) inside++;
        return steps === limit ? '@' : ' .:-=+*#%'.charAt(Math.min(Math.floor(Math.log2(steps + 1) * 1.4), 8));
      }).join(''),
    );
    return { lines, inside };
  }

  it.each([
    [64, 25, 200],
    [31, 11, 50],
    [2, 2, 1],
  ])('draws %i by %i to %i steps', async (width, height, limit) => {
    const { yields, result } = await run('mandelbrot.slu', { width, height, limit });
    const expected = picture(width, height, limit);
    expect(yields).toEqual(expected.lines);
    expect(result).toBe(expected.inside);
  });

  it('refuses what is no picture', async () => {
    await expect(run('mandelbrot.slu', { width: 1 })).rejects.toMatchObject({ message: '1 by 25 is no picture' });
  });
});

describe('nbody.slu', () => {
  // The figures that the benchmark's own description gives for these steps.
  it.each([
    [0, '-0.169075164'],
    [1000, '-0.169087605'],
    [50_000, '-0.169078071'],
  ])('keeps the energy over %i steps', async (steps, energy) => {
    expect(await run('nbody.slu', { steps })).toEqual({ yields: ['-0.169075164'], result: energy });
  });

  it('does not count backwards', async () => {
    await expect(run('nbody.slu', { steps: -1 })).rejects.toMatchObject({
      message: 'steps is -1: it counts forward only',
    });
  });
});

describe('spectral-norm.slu', () => {
  it('gives the figure of the benchmark', async () => {
    expect((await run('spectral-norm.slu')).result).toBe('1.274219991');
  });

  it('agrees with a matrix that is stored', async () => {
    const n = 60;
    const matrix = Array.from({ length: n }, (_, i) =>
      Array.from({ length: n }, (__, j) => 1 / (((i + j) * (i + j + 1)) / 2 + i + 1)),
    );
    const squared = matrix.map((_, i) =>
      matrix.map((__, j) => matrix.reduce((sum, row) => sum + row[i]! * row[j]!, 0)),
    );
    let vector = new Array<number>(n).fill(1);
    let length = 0;
    for (let round = 0; round < 100; round++) {
      const next = squared.map((row) => row.reduce((sum, value, at) => sum + value * vector[at]!, 0));
      length = Math.hypot(...next);
      vector = next.map((value) => value / length);
    }
    expect((await run('spectral-norm.slu', { n, rounds: 50 })).result).toBe(Math.sqrt(length).toFixed(9));
  });

  it('agrees with a norm worked out by hand', async () => {
    // One by one the matrix is 1; two by two, the root of the larger eigenvalue of its square.
    expect((await run('spectral-norm.slu', { n: 1 })).result).toBe('1.000000000');
    const [a, b, c, d] = [1, 1 / 2, 1 / 3, 1 / 5];
    const [trace, determinant] = [a * a + b * b + c * c + d * d, (a * d - b * c) ** 2];
    const norm = Math.sqrt((trace + Math.sqrt(trace * trace - 4 * determinant)) / 2);
    expect((await run('spectral-norm.slu', { n: 2 })).result).toBe(norm.toFixed(9));
  });

  it('refuses a matrix without rows', async () => {
    await expect(run('spectral-norm.slu', { n: 0 })).rejects.toMatchObject({
      message: 'n is 0: the matrix needs a row',
    });
  });
});

describe('smoothing.slu', () => {
  const days = readTable(data('seattle-weather.csv')).slice(0, 365);
  const highs = days.map((day) => Number(day['temp_max']));
  const around = (xs: readonly number[], at: number, reach: number): number =>
    mean(xs.slice(Math.max(0, at - reach), at + reach + 1));

  it.each([1, 2, 7, 29, 1000])('smooths over %i days', async (window) => {
    const { value } = (await load('smoothing.slu')).callSync('smooth', highs, window);
    const smoothed = Array.from(value as Float64Array);
    expect(smoothed.length).toBe(highs.length);
    smoothed.forEach((high, at) => expect(high).toBeCloseTo(around(highs, at, Math.floor(window / 2)), 9));
  });

  it('smooths over a week unless told, and nothing into nothing', async () => {
    const script = await load('smoothing.slu');
    expect(script.callSync('smooth', highs)).toEqual(script.callSync('smooth', highs, 7));
    expect(script.callSync('smooth', []).value).toEqual(new Float64Array(0));
  });

  it('refuses a window without values', async () => {
    await expect((await load('smoothing.slu')).call('smooth', highs, 0)).rejects.toMatchObject({
      message: 'a window of 0 holds no value',
    });
  });

  it('finds crossings', async () => {
    const found = (await load('smoothing.slu')).callSync('crossings', [1, 3, 3, 2, 1], 2);
    expect(found).toEqual({ value: 2n, yields: ['above 2.0 at 1', 'below 2.0 at 4'] });
  });

  it('remembers what an instance was told', async () => {
    const instance = (await load('smoothing.slu')).instance();
    expect(highs.map((high) => instance.callSync('note', high).value).at(-1)).toBeCloseTo(mean(highs), 9);
  });

  it('is called by its host script', () => {
    const smoothed = highs.map((_, at) => around(highs, at, 14));
    const warmest = smoothed.indexOf(Math.max(...smoothed));
    const output = execFileSync(process.execPath, [join(examples, 'smoothing.mjs')], { encoding: 'utf8' }).split('\n');
    expect(output[0]).toBe(`warmest around ${days[warmest]!['date']}, with ${smoothed[warmest]!.toFixed(1)} degrees`);
    const above = smoothed.findIndex((high, at) => at > 0 && high >= 20 && smoothed[at - 1]! < 20);
    const below = smoothed.findIndex((high, at) => at > above && high < 20);
    expect(output[1]).toBe(`2 crossings: above 20.0 at ${above}, below 20.0 at ${below}`);
    expect(output[2]).toBe(`mean ${(highs.reduce((sum, high) => sum + high, 0) / 366).toFixed(2)} after a cold day`);
  });
});

describe('trip.slu', () => {
  interface Place {
    readonly name: string;
    readonly latitude: number;
    readonly longitude: number;
  }
  /** A point of the unit sphere: the angle between two such is the way between them. */
  const point = ({ latitude, longitude }: Place): readonly [number, number, number] => {
    const [north, east] = [latitude, longitude].map((degrees) => (degrees * Math.PI) / 180) as [number, number];
    return [Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)];
  };
  const way = (a: Place, b: Place): number =>
    6371.0088 * Math.acos(point(a).reduce((sum, part, at) => sum + part * point(b)[at]!, 0));
  const place = (name: string, latitude: number, longitude: number): Place => ({ name, latitude, longitude });

  it('measures each leg', async () => {
    const stops = [
      place('Oslo', 59.91, 10.75),
      place('Rome', 41.89, 12.48),
      place('Quito', -0.18, -78.47),
      place('Sydney', -33.87, 151.21),
    ];
    const { yields, result } = await run('trip.slu', { stops });
    const legs = stops.slice(1).map((to, at) => way(stops[at]!, to));
    expect(yields.map((line) => /: (\d+) km/.exec(line)![1])).toEqual(legs.map((leg) => String(Math.round(leg))));
    expect(result).toBeCloseTo(
      legs.reduce((sum, leg) => sum + leg, 0),
      6,
    );
  });

  it('knows the direction in which a leg begins', async () => {
    const around = [
      [1, 0],
      [1, 1],
      [0, 1],
      [-1, 1],
      [-1, 0],
      [-1, -1],
      [0, -1],
      [1, -1],
    ] as const;
    for (const [at, wind] of [
      'north',
      'northeast',
      'east',
      'southeast',
      'south',
      'southwest',
      'west',
      'northwest',
    ].entries()) {
      const { yields } = await run('trip.slu', {
        stops: [place('here', 0, 0), place('there', around[at]![0], around[at]![1])],
      });
      expect(yields[0]!.endsWith(` km ${wind}`), yields[0]).toBe(true);
    }
  });

  it('goes around the world unless told where', async () => {
    const { yields, result } = await run('trip.slu');
    expect(yields).toHaveLength(8);
    expect(yields[0]).toBe('London to Suez: 3597 km southeast');
    expect(Number(result)).toBeGreaterThan(30_000);
  });

  it('refuses a trip without a leg', async () => {
    await expect(run('trip.slu', { stops: [place('Oslo', 59.91, 10.75)] })).rejects.toMatchObject({
      name: 'Error',
      message: 'a trip has at least two stops',
    });
  });
});
