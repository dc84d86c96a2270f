// Stacks that are taken while a program runs, each with the fuel that was used since the one before. A program polls
// after so many units, so the stacks are the same ones in every run and every engine.

/** Innermost first. */
export type SampledStack = readonly { readonly function: string; readonly file: string }[];

export interface Sample<Stack> {
  readonly stack: Stack;
  readonly units: number;
}

/** Once there are so many samples, each further one is for twice as many units. */
const manySamples = 10_000;

/** A prime, so that no loop keeps step with it. */
export const unitsPerSample = 997;

export class Samples<Stack> {
  readonly list: Sample<Stack>[] = [];
  #leastUnits = 1;
  #pending = 0;

  /** So many units were used since the last time; `take` gives the stack. */
  add(units: number, take: () => Stack): void {
    this.#pending += units;
    if (this.#pending < this.#leastUnits) return;
    this.list.push({ stack: take(), units: this.#pending });
    this.#pending = 0;
    if (this.list.length % manySamples === 0) this.#leastUnits = 2 * Math.max(this.#leastUnits, unitsPerSample);
  }
}
