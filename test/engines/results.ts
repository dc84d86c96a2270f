// What the engines answered, and the table of it that docs/engines.md shows.

import type { GroupResult } from './suites.ts';

export interface EngineResult {
  readonly engine: string;
  readonly version: string;
  /** Features that the engine does without. */
  readonly lacking: readonly string[];
  readonly results: readonly GroupResult[];
}

/** As Markdown, a row for each engine. */
export function formatTable(engines: readonly EngineResult[]): string {
  const rows = engines.map(({ engine, version, lacking, results }) => [
    engine,
    version,
    String(sum(results, 'passed')),
    String(sum(results, 'failed')),
    lacking.length === 0 ? '' : lacking.join(', '),
  ]);
  const lines = [['Engine', 'Version', 'Passed', 'Failed', 'Missing'], ['---', '---', '---:', '---:', '---'], ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function sum(results: readonly GroupResult[], field: 'passed' | 'failed'): number {
  return results.reduce((total, result) => total + result[field], 0);
}

/** The places of docs/engines.md that are generated. */
export const places = {
  engines: ['<!-- engines: `npm run test:engines -- --write` -->', '<!-- /engines -->'],
  differences: ['<!-- differences: test/engines/known-differences.ts -->', '<!-- /differences -->'],
} as const;

/** The text with the table between the two markers of the place. Throws if it has none. */
export function placeTable(text: string, place: keyof typeof places, table: string): string {
  const [begin, end] = places[place];
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`there is no place for the table: ${begin} and ${end}`);
  return `${text.slice(0, from + begin.length)}\n${table}\n${text.slice(to)}`;
}
