// The examples of the menu: those of the repository, and some that show what the playground does with values.

import type { Files } from './engine/messages.ts';
import type { Typed } from './panes/arguments-pane.ts';

export interface Example {
  readonly id: string;
  readonly title: string;
  readonly group: string;
  readonly arguments?: Typed;
  /** Files that it wants, from the repository's `examples/`. */
  readonly files?: readonly string[];
}

const here = 'What values look like';
const repository = 'Scripts with a purpose';

export const examples: readonly Example[] = [
  { id: 'welcome', title: 'A spring, as a plot', group: here },
  { id: 'walks', title: 'Random walks: arrays are lines', group: here },
  { id: 'spirograph', title: 'Spirograph: texts that are pictures', group: here },
  { id: 'notebook', title: 'Notebook: permissions', group: here },
  { id: 'mistakes', title: 'Three mistakes and their fixes', group: here },
  { id: 'mandelbrot', title: 'Mandelbrot set in characters', group: repository },
  { id: 'life', title: 'Game of life', group: repository, arguments: { generations: '8' } },
  { id: 'nbody', title: 'Sun and planets', group: repository, arguments: { steps: '100000' } },
  { id: 'ledger', title: 'A small bank', group: repository },
  { id: 'spectral-norm', title: 'Spectral norm', group: repository },
  {
    id: 'weather',
    title: 'Weather by month, from CSV',
    group: repository,
    arguments: { csv: '@seattle-weather.csv' },
    files: ['data/seattle-weather.csv'],
  },
  {
    id: 'cars',
    title: 'Fuel economy by weight, from CSV',
    group: repository,
    arguments: { csv: '@cars.csv' },
    files: ['data/cars.csv'],
  },
  {
    id: 'penguins',
    title: 'Penguins, from JSON',
    group: repository,
    arguments: { text: '@penguins.json' },
    files: ['data/penguins.json'],
  },
  {
    id: 'words',
    title: 'Frequent words of a text',
    group: repository,
    arguments: { text: '@gettysburg-address.txt' },
    files: ['data/gettysburg-address.txt'],
  },
  { id: 'trip', title: 'A trip, with an import', group: repository, files: ['lib/geography.slu'] },
];

/** The addresses of the files, which the build copies. */
const addresses: Readonly<Record<string, string>> = {
  ...import.meta.glob<string>('../examples/*.slu', { query: '?url', import: 'default', eager: true }),
  ...import.meta.glob<string>(
    ['../../../examples/*.slu', '../../../examples/lib/*', '../../../examples/data/*.{csv,json,txt}'],
    {
      query: '?url',
      import: 'default',
      eager: true,
    },
  ),
};

export interface LoadedExample {
  readonly script: string;
  readonly files: Files;
}

/** Rejects where it cannot be loaded. */
export async function loadExample({ id, group, files = [] }: Example): Promise<LoadedExample> {
  const folder = group === here ? '../examples' : '../../../examples';
  const texts = await Promise.all(files.map((path) => load(`../../../examples/${path}`)));
  return {
    script: await load(`${folder}/${id}.slu`),
    // Data lie beside the script, as arguments name them; what is imported keeps its folder.
    files: Object.fromEntries(files.map((path, at) => [path.replace('data/', ''), texts[at]!])),
  };
}

async function load(path: string): Promise<string> {
  const response = await fetch(addresses[path]!);
  if (!response.ok) throw new Error(`${path} cannot be loaded: ${response.status}`);
  return response.text();
}
