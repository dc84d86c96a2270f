// Limits of a run as sliders: each stands for a row of steps, the last of which is none.

import type { Limits } from '../engine/messages.ts';
import { element } from '../page/element.ts';

interface Row {
  readonly name: keyof Limits;
  readonly label: string;
  readonly about: string;
  readonly steps: readonly (readonly [value: number | null, text: string])[];
  readonly start: number;
}

const none = [null, 'no limit'] as const;
const rows: readonly Row[] = [
  {
    name: 'timeMs',
    label: 'Time',
    about: 'Waiting for you does not count.',
    steps: [[100, '0.1 s'], [500, '0.5 s'], [1_000, '1 s'], [5_000, '5 s'], [10_000, '10 s'], [60_000, '1 min'], none],
    start: 4,
  },
  {
    name: 'memoryBytes',
    label: 'Memory',
    about: 'Of a single array or text: browsers tell no more.',
    steps: [[1e6, '1 MB'], [16e6, '16 MB'], [64e6, '64 MB'], [256e6, '256 MB'], [1e9, '1 GB'], none],
    start: 3,
  },
  {
    name: 'fuel',
    label: 'Fuel',
    about: 'Calls, turns of loops, work of the library: the same number everywhere.',
    steps: [[1e3, '1,000'], [1e5, '100,000'], [1e6, '1 million'], [1e8, '100 million'], [1e10, '10 billion'], none],
    start: 5,
  },
  {
    name: 'outputItems',
    label: 'Yields',
    about: 'Values that the script hands out.',
    steps: [[10, '10'], [100, '100'], [1e3, '1,000'], [1e4, '10,000'], [1e5, '100,000'], [1e6, '1 million'], none],
    start: 5,
  },
];

export class LimitsPane {
  readonly #chosen = new Map<keyof Limits, number>(rows.map(({ name, start }) => [name, start]));

  constructor(root: HTMLElement) {
    root.replaceChildren(...rows.map((row) => this.#slider(row)));
  }

  get limits(): Limits {
    return Object.fromEntries(
      rows.map(({ name, steps }) => [name, steps[this.#chosen.get(name)!]![0]]),
    ) as unknown as Limits;
  }

  #slider({ name, label, about, steps }: Row): HTMLElement {
    const at = this.#chosen.get(name)!;
    const shown = element('output', {}, steps[at]![1]);
    const input = element('input', {
      type: 'range',
      min: 0,
      max: steps.length - 1,
      value: at,
      'aria-valuetext': steps[at]![1],
      'data-limit': name,
    });
    input.addEventListener('input', () => {
      const at = Number(input.value);
      this.#chosen.set(name, at);
      shown.textContent = steps[at]![1];
      input.setAttribute('aria-valuetext', steps[at]![1]);
    });
    return element(
      'label',
      { class: 'limit' },
      element('span', { class: 'limit-head' }, element('strong', {}, label), shown),
      input,
      element('span', { class: 'about' }, about),
    );
  }
}
