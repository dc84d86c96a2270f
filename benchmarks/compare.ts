// Two pieces of work measured side by side, in turns, so that what else the machine does hits both.

import { median } from './statistics.ts';

/**
 * Milliseconds of one iteration of each: the median over rounds that alternate, the first few left out. What one
 * leaves behind the other may have to clean up, so a round is many iterations, and counts by its median too where
 * an iteration is long enough to be measured.
 */
export function compare(
  iterations: number,
  one: () => void,
  other: () => void,
  eachIteration = false,
): readonly [number, number] {
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < 15; round++) {
    [one, other].forEach((work, index) =>
      times[index]!.push(
        eachIteration ? median(Array.from({ length: iterations }, () => time(1, work))) : time(iterations, work),
      ),
    );
  }
  return [median(times[0].slice(4)), median(times[1].slice(4))];
}

/**
 * Milliseconds of the processor for one iteration of each: the median over rounds that alternate. All threads of the
 * process count, so that what is left to the collector is in it.
 */
export function compareProcessor(iterations: number, one: () => void, other: () => void): readonly [number, number] {
  const times: [number[], number[]] = [[], []];
  for (let round = 0; round < 7; round++) {
    [one, other].forEach((work, index) => {
      const began = process.cpuUsage();
      for (let iteration = 0; iteration < iterations; iteration++) work();
      const { user, system } = process.cpuUsage(began);
      times[index]!.push((user + system) / 1000 / iterations);
    });
  }
  return [median(times[0].slice(2)), median(times[1].slice(2))];
}

function time(iterations: number, work: () => void): number {
  const began = performance.now();
  for (let iteration = 0; iteration < iterations; iteration++) work();
  return (performance.now() - began) / iterations;
}

/** A line of a table. */
export function row(name: string, cells: readonly string[]): string {
  return name.padEnd(34) + cells.map((cell) => cell.padStart(12)).join('');
}
