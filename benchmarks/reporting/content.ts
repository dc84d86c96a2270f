// The report in words and numbers: goals, times, quotients, and how all of it was measured.

import { opponents } from '../suite/comparisons.ts';
import { formatRatio, formatTime, keeps, makeFigures, pickTime, ratioOf } from '../suite/figures.ts';
import type { Figure } from '../suite/figures.ts';
import type { KernelResult, Results } from '../suite/results.ts';
import type { Chart, LollipopChart } from './charts.ts';
import { paragraph } from './document.ts';
import type { Block, Cell, Report, Section, Table } from './document.ts';

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
    sections: [goals(figures), times(results), quotients(results, figures), method(results), ...failures(kernels)],
  };
}

function goals(figures: readonly Figure[]): Section {
  const rows = figures.flatMap(({ comparison, mean, verdicts }): Cell[][] => {
    if (verdicts.length === 0) return [[comparison.title, formatRatio(mean), 'none', nothing, comparison.meaning]];
    return verdicts.map(({ goal, found, holds }, at) => [
      at === 0 ? comparison.title : `${comparison.title}, each`,
      found,
      goal,
      { text: holds ? 'met' : 'missed', verdict: holds ? 'met' : 'missed' },
      at === 0 ? comparison.meaning : 'the same, kernel by kernel',
    ]);
  });
  const table: Table = {
    caption: 'Goals and figures',
    head: ['Compared with', 'Figure', 'Goal', 'Holds', 'What the figure says'],
    rows,
    wordy: [1, 2, 3, 4],
  };
  return {
    title: 'Goals',
    blocks: [
      paragraph(
        'A figure is the geometric mean of one quotient per kernel; ' +
          'where the goal is for each of them, those that miss it are named.',
      ),
      { kind: 'table', table },
    ],
  };
}

function times({ kernels }: Results): Section {
  const shown = opponents.filter(({ pick }) => kernels.some((kernel) => pickTime(kernel.times, pick) !== null));
  const table: Table = {
    caption: 'Milliseconds of a run',
    head: ['Kernel', ...shown.map(({ title }) => title), 'Sluice, first run', 'JavaScript, first run'],
    rows: kernels.map((kernel) => [
      kernel.name,
      ...[
        ...shown.map(({ pick }) => pick),
        { of: ['sluice'], time: 'first' } as const,
        { of: ['javascript', 'javascript-node24'], time: 'first' } as const,
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
  const rows = kernels.map((kernel): Cell[] => [
    kernel.name,
    ...figures.map(({ comparison }): Cell => {
      const ratio = ratioOf(kernel, comparison);
      const each = comparison.goal?.each;
      return ratio !== null && each !== undefined && !keeps(each, ratio)
        ? { text: formatRatio(ratio), verdict: 'missed' }
        : orNothing(ratio, formatRatio);
    }),
  ]);
  const table: Table = {
    caption: 'Quotients of each kernel',
    head: ['Kernel', ...figures.map(({ comparison }) => comparison.title)],
    rows: [...rows, ['geometric mean', ...figures.map(({ mean }) => formatRatio(mean))]],
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

function lollipops({ comparison, ratios, mean }: Figure): LollipopChart {
  const bound = comparison.goal?.mean;
  return {
    kind: 'lollipops',
    title: comparison.title,
    description: `${comparison.meaning}.`,
    mean,
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
      'the machine does hits all of them, and another one begins in each round. Quoted are medians: ' +
      `of ${processes} first runs, and of ${processes * repetitions} later ones.`,
    'The work is the same in every language and lies within one call of the program. ' +
      'Results are compared in every run: exactly, but for native C, which may fuse a multiplication and an ' +
      'addition and round once where others round twice.',
    'Sources are written as somebody writes them who knows the language and its compiler: ' +
      'typed arrays and rows held in variables in JavaScript, unchecked static arrays in AssemblyScript, ' +
      '32-bit integers in C where they suffice. In Sluice an int has 64 bits and every access is checked.',
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

function orNothing(value: number | null, format: (value: number) => string): string {
  return value === null ? nothing : format(value);
}

function divide(above: number | null, below: number): number | null {
  return above === null ? null : above / below;
}
