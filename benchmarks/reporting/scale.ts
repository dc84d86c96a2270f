// A logarithmic scale for quotients, on which twice as fast and half as fast are equally far from one.

export interface Scale {
  readonly ticks: readonly number[];
  readonly place: (value: number) => number;
}

const steps = [0.05, 0.1, 0.2, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 5, 7, 10, 20, 50, 100];

/** From a tick below the least value to one above the greatest, one always among them. */
export function logScale(values: readonly number[], [left, right]: readonly [number, number]): Scale {
  const low = Math.min(0.9, ...values) * 0.93;
  const high = Math.max(1.1, ...values) * 1.07;
  const spread = Math.log(high / low);
  const place = (value: number): number =>
    Number((left + (Math.log(value / low) / spread) * (right - left)).toFixed(1));
  const ticks: number[] = [];
  // The one goes first: of two that would touch the other one is left out.
  for (const tick of [1, ...steps.filter((step) => step !== 1)]) {
    if (tick >= low && tick <= high && ticks.every((other) => Math.abs(place(tick) - place(other)) > 34))
      ticks.push(tick);
  }
  return { ticks, place };
}
