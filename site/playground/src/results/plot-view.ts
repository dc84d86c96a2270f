// Numbers as lines, by uPlot, which is loaded when the first plot is wanted. The numbers themselves are in the table:
// the canvas has a description for those who cannot see it.

import type uPlotModule from 'uplot';
import { element } from '../page/element.ts';
import type { PlotData } from './collected.ts';

type Plot = typeof uPlotModule;
const mostLines = 12;

export class PlotView {
  readonly root = element('div', { class: 'plot', tabindex: 0, role: 'img', 'aria-label': 'An empty plot' });
  #library: Promise<Plot> | null = null;
  #plot: uPlotModule | null = null;
  #names = '';
  #data: PlotData | null = null;

  constructor() {
    new ResizeObserver(() => this.#plot?.setSize(this.#size())).observe(this.root);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
      this.#drop();
      if (this.#data !== null) void this.show(this.#data);
    });
  }

  async show(data: PlotData): Promise<void> {
    this.#data = data;
    this.root.setAttribute('aria-label', describe(data));
    this.#library ??= loadLibrary();
    const Plot = await this.#library;
    // A later one came while it was loading.
    if (this.#data !== data || !this.root.isConnected) return;
    const names = JSON.stringify([data.across, ...data.lines.keys()]);
    const columns = [data.xs, ...[...data.lines.values()].slice(0, mostLines)] as uPlotModule.AlignedData;
    if (this.#plot !== null && this.#names === names) return this.#plot.setData(columns);
    this.#drop();
    this.#names = names;
    this.#plot = new Plot(this.#options(data), columns, this.root);
  }

  #drop(): void {
    this.#plot?.destroy();
    this.#plot = null;
    this.#names = '';
  }

  #size(): { readonly width: number; readonly height: number } {
    const { clientWidth, clientHeight } = this.root;
    return { width: Math.max(clientWidth - 16, 120), height: Math.max(clientHeight - 64, 120) };
  }

  #options({ across, lines, xs }: PlotData): uPlotModule.Options {
    const style = getComputedStyle(document.documentElement);
    const colour = (name: string): string => style.getPropertyValue(name).trim();
    const axis = {
      stroke: colour('--faint'),
      grid: { stroke: colour('--line'), width: 1 },
      ticks: { stroke: colour('--line'), width: 1 },
      font: '12px system-ui',
    };
    const names = [...lines.keys()].slice(0, mostLines);
    const sparse = xs.length <= 60;
    return {
      ...this.#size(),
      scales: { x: { time: false } },
      legend: { live: true },
      cursor: { drag: { x: true, y: true, uni: 20 } },
      axes: [axis, { ...axis, size: 64 }],
      series: [
        { label: across },
        ...names.map((label, at) => ({
          label,
          stroke: colour(`--line-${(at % 6) + 1}`),
          width: 2,
          dash: at >= 6 ? [6, 4] : [],
          spanGaps: true,
          points: { show: sparse, size: 6 },
        })),
      ],
    };
  }
}

async function loadLibrary(): Promise<Plot> {
  const [{ default: Plot }] = await Promise.all([import('uplot'), import('uplot/dist/uPlot.min.css')]);
  return Plot;
}

function describe({ across, xs, lines }: PlotData): string {
  const parts = [...lines].slice(0, mostLines).map(([name, values]) => {
    let [least, most] = [Infinity, -Infinity];
    for (const y of values) if (y !== null) [least, most] = [Math.min(least, y), Math.max(most, y)];
    return `${name} from ${Number(least.toPrecision(4))} to ${Number(most.toPrecision(4))}`;
  });
  return `A plot of ${xs.length} points${across === '#' ? '' : ` along ${across}`}: ${parts.join(', ')}`;
}
