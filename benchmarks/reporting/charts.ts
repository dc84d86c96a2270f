// The charts of the report, as SVG that takes its colours from the page. Each has a title and a description for those
// who do not see it, and tells series apart by shape as well as by colour.

import { formatRatio } from '../suite/figures.ts';
import { escapeText } from './escape.ts';
import { logScale } from './scale.ts';
import type { Scale } from './scale.ts';

export type Chart = DotChart | LollipopChart;

/** Many series, one row for each kernel. */
export interface DotChart {
  readonly kind: 'dots';
  readonly title: string;
  readonly description: string;
  /** What has the value 1. */
  readonly unit: string;
  readonly series: readonly string[];
  readonly rows: readonly { readonly name: string; readonly values: readonly (number | null)[] }[];
}

/** One series, with its mean and its goal. */
export interface LollipopChart {
  readonly kind: 'lollipops';
  readonly title: string;
  readonly description: string;
  readonly mean: number;
  readonly goal: { readonly value: number; readonly text: string } | null;
  readonly rows: readonly { readonly name: string; readonly value: number }[];
}

const labelWidth = 158;
const right = 46;
const axisHeight = 30;
const topMargin = 22;

/** A shape of about ten pixels around its place; one for each series. */
const shapes: readonly string[] = [
  '<circle r="5"/>',
  '<circle r="4.2" class="hollow"/>',
  '<rect x="-4.5" y="-4.5" width="9" height="9"/>',
  '<rect x="-4" y="-4" width="8" height="8" class="hollow"/>',
  '<path d="M0-6 6 5-6 5Z"/>',
  '<path d="M0-6 6 0 0 6-6 0Z"/>',
  '<path d="M0 6 6-5-6-5Z" class="hollow"/>',
  '<path d="M-5-5 5 5M-5 5 5-5" class="hollow"/>',
];

export function drawChart(chart: Chart): string {
  const body = chart.kind === 'dots' ? drawDots(chart) : drawLollipops(chart);
  return (
    `<figure class="${chart.kind}"><figcaption><strong>${escapeText(chart.title)}</strong> ` +
    `${escapeText(chart.description)}</figcaption>\n${body}\n</figure>`
  );
}

function drawDots(chart: DotChart): string {
  const [width, rowHeight] = [960, 24];
  const scale = logScale(
    chart.rows.flatMap(({ values }) => values.filter((value) => value !== null)),
    [labelWidth, width - right],
  );
  const bottom = topMargin + chart.rows.length * rowHeight;
  const rows = chart.rows.map(({ name, values }, at) => {
    const y = topMargin + (at + 0.5) * rowHeight;
    const marks = values.map((value, series) =>
      value === null
        ? ''
        : mark(series, scale.place(value), y, `${name}, ${chart.series[series]}: ${formatRatio(value)}`),
    );
    return `${label(name, y)}${marks.join('')}`;
  });
  const stripes = chart.rows.map((_, at) => stripe(at, topMargin + (at + 0.5) * rowHeight, rowHeight, width));
  const own = scale.place(1);
  const unit =
    `<line class="unit" x1="${own}" x2="${own}" y1="${topMargin}" y2="${bottom}"/><text class="unit-name" ` +
    `x="${own}" y="14" text-anchor="middle">${escapeText(chart.unit)}</text>`;
  const legend = chart.series.map(
    (name, series) =>
      '<li><svg class="key" viewBox="-8 -8 16 16" aria-hidden="true"><g ' +
      `class="series-${series}">${shapes[series % shapes.length]}</g></svg>${escapeText(name)}</li>`,
  );
  return `<ul class="legend">${legend.join('')}</ul>\n${frame(chart, width, bottom, [...stripes, axis(scale, bottom), unit, ...rows])}`;
}

function drawLollipops(chart: LollipopChart): string {
  const [width, rowHeight] = [470, 20];
  const { goal } = chart;
  const scale = logScale(
    [1, chart.mean, ...(goal === null ? [] : [goal.value]), ...chart.rows.map(({ value }) => value)],
    [labelWidth + 24, width - right],
  );
  const bottom = topMargin + chart.rows.length * rowHeight;
  const one = scale.place(1);
  const rows = chart.rows.map(({ name, value }, at) => {
    const y = topMargin + (at + 0.5) * rowHeight;
    const x = scale.place(value);
    const stem = `<line class="stem" x1="${one}" x2="${x}" y1="${y}" y2="${y}"/>`;
    const number =
      `<text class="value" x="${value < 1 ? x - 9 : x + 9}" y="${y + 4}" ` +
      `text-anchor="${value < 1 ? 'end' : 'start'}">${formatRatio(value)}</text>`;
    return `${label(name, y)}${stem}${mark(0, x, y, `${name}: ${formatRatio(value)}`)}${number}`;
  });
  const lines = [
    `<line class="unit" x1="${one}" x2="${one}" y1="${topMargin}" y2="${bottom}"/>`,
    upright('mean', scale.place(chart.mean), bottom),
    ...(goal === null ? [] : [upright('goal', scale.place(goal.value), bottom)]),
  ];
  const key =
    `<p class="key-line"><span class="mean">mean ${formatRatio(chart.mean)}</span>` +
    `${goal === null ? '' : ` <span class="goal">goal: ${goal.text} ${formatRatio(goal.value)}</span>`}</p>`;
  return `${key}\n${frame(chart, width, bottom, [axis(scale, bottom), ...lines, ...rows])}`;
}

function frame({ title, description }: Chart, width: number, bottom: number, parts: readonly string[]): string {
  const texts = `<title>${escapeText(title)}</title><desc>${escapeText(description)}</desc>`;
  return (
    `<div class="scroll"><svg role="img" viewBox="0 0 ${width} ` +
    `${bottom + axisHeight}" aria-label="${escapeText(title)}">${texts}\n${parts.join('\n')}\n</svg></div>`
  );
}

function axis({ ticks, place }: Scale, bottom: number): string {
  return ticks
    .map(
      (tick) =>
        `<line class="grid" x1="${place(tick)}" x2="${place(tick)}" y1="${topMargin}" y2="${bottom}"/><text ` +
        `class="tick" x="${place(tick)}" y="${bottom + 18}" text-anchor="middle">${tick}×</text>`,
    )
    .join('');
}

function stripe(at: number, y: number, height: number, width: number): string {
  return at % 2 === 0 ? `<rect class="stripe" x="0" y="${y - height / 2}" width="${width}" height="${height}"/>` : '';
}

function label(name: string, y: number): string {
  return `<text class="name" x="${labelWidth - 14}" y="${y + 4}" text-anchor="end">${escapeText(name)}</text>`;
}

function mark(series: number, x: number, y: number, title: string): string {
  return (
    `<g class="series-${series}" transform="translate(${x} ` +
    `${y})"><title>${escapeText(title)}</title>${shapes[series % shapes.length]}</g>`
  );
}

function upright(kind: 'mean' | 'goal', x: number, bottom: number): string {
  return `<line class="${kind}-line" x1="${x}" x2="${x}" y1="${topMargin - 6}" y2="${bottom}"/>`;
}
