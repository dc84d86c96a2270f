// The report in words and numbers: goals, times, quotients, and how all of it was measured.

import { opponents } from '../suite/comparisons.ts';
import { formatRatio, formatTime, makeFigures, misses, pickTime, ratioOf, shownGroups } from '../suite/figures.ts';
import type { Figure, Verdict } from '../suite/figures.ts';
import { groupTitles, isIn } from '../suite/kernels.ts';
import type { Group } from '../suite/kernels.ts';
import type { KernelResult, Results } from '../suite/results.ts';
import type { Chart, LollipopChart } from './charts.ts';
import { paragraph } from './document.ts';
import type { Block, Cell, Report, Section, Table } from './document.ts';
import { findMisses, reasonOf } from './reasons.ts';

/** Figures with a chart of their own. */
const charted = ['javascript', 'scalar-c', 'wasm-c', 'assemblyscript', 'first-run', 'first-run-chromium'];
const nothing = '–';

export function makeReport(results: Results): Report {
  const figures = makeFigures(results);
  const { machine, kernels } = results;
  return {
    title: 'How fast Sluice is',
    lead:
      `${kernels.length} kernels, measured on ${formatDate(results.date)} on ${describeProcessor(machine)} ` +
      `with ${machine.memory} of memory, ${machine.system}.`,
    sections: [
      goals(figures),
      ...reasonsOf(figures),
      times(results),
      quotients(results, figures),
      method(results),
      ...failures(kernels),
    ],
  };
}

function goals(figures: readonly Figure[]): Section {
  const table: Table = {
    caption: 'Goals and figures',
    head: ['Compared with', 'Kernels', 'Figure', 'Goal', 'Holds', 'What the figure says'],
    rows: figures.flatMap(goalRows),
    wordy: [1, 2, 3, 4, 5],
  };
  return {
    title: 'Goals',
    blocks: [
      paragraph(
        'A figure is the geometric mean of one quotient per kernel; ' +
          'where the goal is for each of them, those that miss it are named. ' +
          'PolyBench’s kernels are those whose names begin with poly-, and the rest are all others.',
      ),
      { kind: 'table', table },
    ],
  };
}

/** The means of a figure, group by group, and the goals for each kernel of a group. */
function goalRows({ comparison, means, verdicts }: Figure): readonly Cell[][] {
  const holds = (verdict: Verdict): Cell => {
    const word = verdict.holds ? 'met' : 'missed';
    return { text: word, verdict: word };
  };
  const rows = shownGroups.flatMap((group): Cell[][] => {
    const mean = means[group];
    if (mean === undefined) return [];
    const verdict = verdicts.find((own) => own.group === group && own.of === 'mean');
    const goal: readonly Cell[] = verdict === undefined ? ['none', nothing] : [verdict.goal, holds(verdict)];
    return [[groupTitles[group], formatRatio(mean), ...goal]];
  });
  const each = verdicts
    .filter(({ of }) => of === 'each')
    .map((verdict): Cell[] => [groupTitles[verdict.group], verdict.found, verdict.goal, holds(verdict)]);
  return [
    ...rows.map((cells, at) => [comparison.title, ...cells, at === 0 ? comparison.meaning : 'the same']),
    ...each.map((cells) => [`${comparison.title}, each`, ...cells, 'the same, kernel by kernel']),
  ];
}

/** What misses its goal, with the reason. */
function reasonsOf(figures: readonly Figure[]): readonly Section[] {
  const rows = findMisses(figures).map((miss): Cell[] => [
    miss.figure.comparison.title,
    'group' in miss.of ? `mean of ${groupTitles[miss.of.group]}` : miss.of.kernel,
    formatRatio(miss.found),
    reasonOf(miss) ?? 'not known',
  ]);
  if (rows.length === 0) return [];
  const table: Table = {
    caption: 'Goals that are missed',
    head: ['Compared with', 'Kernels', 'Figure', 'Reason'],
    rows,
    wordy: [1, 3],
  };
  return [{ title: 'What is missed, and why', blocks: [{ kind: 'table', table }] }];
}

function times({ kernels }: Results): Section {
  const shown = opponents.filter(({ pick }) => kernels.some((kernel) => pickTime(kernel.times, pick) !== null));
  const table: Table = {
    caption: 'Milliseconds of a run',
    head: ['Kernel', ...shown.map(({ title }) => title), 'Sluice, first run', 'JavaScript, first run'],
    rows: byGroup(kernels, (kernel) => [
      kernel.name,
      ...[
        ...shown.map(({ pick }) => pick),
        { of: ['sluice'], time: 'first' } as const,
        {
          of: ['javascript', 'javascript-node24', 'javascript-flat', 'javascript-flat-node24'],
          time: 'first',
        } as const,
      ].map((pick) => orNothing(pickTime(kernel.times, pick), formatTime)),
    ]),
    wordy: [],
  };
  return {
    title: 'Times',
    blocks: [
      paragraph(
        'Steady times are medians of later runs; C is the better of gcc and clang; ' +
          'JavaScript is the best that it reaches, be it the first run or a later one, on either Node. ' +
          'A dash stands where a kernel is not written in that language or was not measured.',
      ),
      { kind: 'charts', charts: [overview(kernels, shown)] },
      { kind: 'table', table },
    ],
  };
}

function overview(kernels: readonly KernelResult[], shown: typeof opponents): Chart {
  const [own, ...others] = shown;
  return {
    kind: 'dots',
    title: 'Times beside Sluice’s',
    description:
      'For each kernel the time of each competitor, divided by Sluice’s: ' +
      'to the left of the line they are quicker, to the right slower. The scale is logarithmic.',
    unit: 'Sluice',
    series: others.map(({ title }) => title),
    rows: kernels.flatMap(({ name, times: found }) => {
      const base = own === undefined ? null : pickTime(found, own.pick);
      return base === null ? [] : [{ name, values: others.map(({ pick }) => divide(pickTime(found, pick), base)) }];
    }),
  };
}

function quotients({ kernels }: Results, figures: readonly Figure[]): Section {
  const meansOf = (group: Group): readonly Cell[][] =>
    kernels.some(({ name }) => isIn(name, group))
      ? [
          [
            `geometric mean, ${groupTitles[group]}`,
            ...figures.map(({ means }) => orNothing(means[group] ?? null, formatRatio)),
          ],
        ]
      : [];
  const rows = byGroup(
    kernels,
    (kernel): Cell[] => [
      kernel.name,
      ...figures.map(({ comparison }): Cell => {
        const ratio = ratioOf(kernel, comparison);
        return ratio !== null && misses(comparison, kernel.name, ratio)
          ? { text: formatRatio(ratio), verdict: 'missed' }
          : orNothing(ratio, formatRatio);
      }),
    ],
    meansOf,
  );
  const table: Table = {
    caption: 'Quotients of each kernel',
    head: ['Kernel', ...figures.map(({ comparison }) => comparison.title)],
    rows: [...rows, ...meansOf('all')],
    wordy: [],
  };
  const charts = charted.flatMap((id) => {
    const figure = figures.find(({ comparison }) => comparison.id === id);
    return figure === undefined ? [] : [lollipops(figure)];
  });
  return {
    title: 'Quotients',
    blocks: [
      paragraph('What each column divides by what is said above, at the goals.'),
      { kind: 'charts', charts },
      { kind: 'table', table },
    ],
  };
}

/** A goal for all kernels is drawn; one for a group stands in the table. */
function lollipops({ comparison, ratios, means }: Figure): LollipopChart {
  const bound = comparison.goals.find(({ group }) => group === 'all')?.mean;
  return {
    kind: 'lollipops',
    title: comparison.title,
    description: `${comparison.meaning}.`,
    mean: means.all!,
    goal:
      bound === undefined
        ? null
        : 'atMost' in bound
          ? { value: bound.atMost, text: 'at most' }
          : { value: bound.atLeast, text: 'at least' },
    rows: ratios.toSorted((a, b) => a.ratio - b.ratio).map(({ kernel, ratio }) => ({ name: kernel, value: ratio })),
  };
}

function method({ settings, competitors, kernels }: Results): Section {
  const { processes, warmUp, repetitions } = settings;
  const table: Table = {
    caption: 'Who competes',
    head: ['Competitor', 'Version', 'Flags'],
    rows: competitors.map(({ title, version, flags }) => [title, version, flags === '' ? nothing : flags]),
    wordy: [1, 2],
  };
  const words = [
    `Each competitor is started in ${processes} fresh processes (a fresh browser, where one is named). ` +
      `Each process runs the kernel once, which is a first run; then ${warmUp} times uncounted; ` +
      `then ${repetitions} times for the steady time. All competitors take turns run by run, so that whatever else ` +
      'the machine does hits all of them, and another one begins in each round; those in a browser behind the ' +
      'others, since an open browser works even when nobody asks it. Quoted are medians: ' +
      `of ${processes} first runs, and of ${processes * repetitions} later ones.`,
    'The work is the same in every language and lies within one call of the program. ' +
      'Results are compared in every run, and are the same bit for bit: so that native C computes them too, it is ' +
      'compiled with -ffp-contract=off, and rounds a product before it is added, as everywhere else.',
    'Sources are written as somebody writes them who knows the language and its compiler: ' +
      'typed arrays and rows held in variables in JavaScript, unchecked static arrays in AssemblyScript, ' +
      '32-bit integers in C where they suffice. In Sluice an int has 64 bits and every access is checked.',
    'The kernels of PolyBench and SciMark are written from the mathematics of each in Sluice and in C alike, with ' +
      'matrices as double[][] and subscripts as they come. JavaScript and AssemblyScript have sums in variables; ' +
      'JavaScript has two forms of most, an array for each row and one flat array, of which the better counts.',
  ];
  const work: Table = {
    caption: 'Kernels',
    head: ['Kernel', 'What it exercises', 'n'],
    rows: kernels.map(({ name, about, n }) => [name, about, String(n)]),
    wordy: [1],
  };
  return {
    title: 'How it was measured',
    blocks: [...words.map(paragraph), { kind: 'table', table }, { kind: 'table', table: work }],
  };
}

/** What could not be measured is said, not hidden. */
function failures(kernels: readonly KernelResult[]): readonly Section[] {
  const rows = kernels.flatMap(({ name, failures: found }) =>
    Object.entries(found).map(([id, message]) => [name, id, summarise(message)]),
  );
  if (rows.length === 0) return [];
  const blocks: readonly Block[] = [
    { kind: 'table', table: { caption: 'Failures', head: ['Kernel', 'Competitor', 'Reason'], rows, wordy: [1, 2] } },
  ];
  return [{ title: 'What could not be measured', blocks }];
}

/** The line that names the error: an engine puts the place before it. */
function summarise(message: string): string {
  const lines = message.split('\n').filter((line) => line.trim() !== '');
  return (lines.find((line) => /error/i.test(line)) ?? lines[0] ?? '').trim();
}

function describeProcessor({ processor, cores }: Results['machine']): string {
  return `${processor}, ${cores} ${cores === 1 ? 'core' : 'cores'}`;
}

function formatDate(date: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(date));
}

/** A row for each kernel, PolyBench's first, and behind each group its own. */
function byGroup(
  kernels: readonly KernelResult[],
  write: (kernel: KernelResult) => Cell[],
  behind: (group: Group) => readonly Cell[][] = () => [],
): readonly Cell[][] {
  return (['polybench', 'rest'] as const).flatMap((group) => [
    ...kernels.filter(({ name }) => isIn(name, group)).map(write),
    ...behind(group),
  ]);
}

function orNothing(value: number | null, format: (value: number) => string): string {
  return value === null ? nothing : format(value);
}

function divide(above: number | null, below: number): number | null {
  return above === null ? null : above / below;
}
