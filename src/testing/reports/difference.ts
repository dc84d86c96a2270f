// How two lists of values differ, as lines for a person: `-` expected, `+` actual. Long JSON is laid out first, so that
// only the parts that differ are shown with a sign.

import { writeEvent } from '../notation.ts';
import type { Event } from '../notation.ts';

export interface DifferenceLine {
  readonly sign: '-' | '+' | ' ';
  readonly text: string;
}

/** What fits behind `expected:` on one line. */
const longestInline = 70;
/** Beyond so many lines the table of the comparison would be large. */
const mostCompared = 1_000;
/** Equal lines that are shown around those that differ. */
const context = 3;

/** Whether both are short enough to stand on one line each. */
export function isShort(expected: readonly Event[], actual: readonly Event[]): boolean {
  return [expected, actual].every((events) => events.map(writeEvent).join(' | ').length <= longestInline);
}

export function differenceOf(expected: readonly Event[], actual: readonly Event[]): readonly DifferenceLine[] {
  const [before, after] = [expected.flatMap(linesOf), actual.flatMap(linesOf)];
  return withContext(compareLines(before, after));
}

/** A value over several lines if it is JSON of several parts. */
function linesOf(event: Event): string[] {
  if (event.kind === 'error') return [writeEvent(event)];
  const { text } = event;
  if (text.length > 20 && /^[[{]/.test(text)) {
    const laidOut = layOut(text);
    if (laidOut !== null) return laidOut.split('\n');
  }
  return text.includes('\n') ? text.split('\n') : [writeEvent(event)];
}

/** JSON with line breaks, its numbers as they are written; null for another text. */
function layOut(text: string): string | null {
  const { rawJSON } = JSON as unknown as { readonly rawJSON: (number: string) => unknown };
  const keep = (_: string, value: unknown, place?: { readonly source?: string }): unknown =>
    typeof value === 'number' && place?.source !== undefined ? rawJSON(place.source) : value;
  try {
    return JSON.stringify(JSON.parse(text, keep), null, 2);
  } catch {
    return null;
  }
}

/** By the longest common subsequence of lines. */
function compareLines(before: readonly string[], after: readonly string[]): DifferenceLine[] {
  if (before.length > mostCompared || after.length > mostCompared)
    return [
      ...before.map((text): DifferenceLine => ({ sign: '-', text })),
      ...after.map((text): DifferenceLine => ({ sign: '+', text })),
    ];
  const width = after.length + 1;
  const lengths = new Uint16Array((before.length + 1) * width);
  for (let row = before.length - 1; row >= 0; row--)
    for (let column = after.length - 1; column >= 0; column--)
      lengths[row * width + column] =
        before[row] === after[column]
          ? lengths[(row + 1) * width + column + 1]! + 1
          : Math.max(lengths[(row + 1) * width + column]!, lengths[row * width + column + 1]!);
  const lines: DifferenceLine[] = [];
  let [row, column] = [0, 0];
  while (row < before.length || column < after.length) {
    if (row < before.length && column < after.length && before[row] === after[column]) {
      lines.push({ sign: ' ', text: before[row]! });
      row += 1;
      column += 1;
    } else if (
      row < before.length &&
      (column === after.length || lengths[(row + 1) * width + column]! >= lengths[row * width + column + 1]!)
    ) {
      lines.push({ sign: '-', text: before[row]! });
      row += 1;
    } else {
      lines.push({ sign: '+', text: after[column]! });
      column += 1;
    }
  }
  return lines;
}

/** Equal lines far from any difference become one `…`. */
function withContext(lines: readonly DifferenceLine[]): readonly DifferenceLine[] {
  const isNear = (at: number): boolean =>
    lines.slice(Math.max(0, at - context), at + context + 1).some(({ sign }) => sign !== ' ');
  const shown: DifferenceLine[] = [];
  lines.forEach((line, at) => {
    if (isNear(at)) shown.push(line);
    else if (shown.at(-1)?.text !== '…') shown.push({ sign: ' ', text: '…' });
  });
  return shown;
}
