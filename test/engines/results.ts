// What the engines answered, and the table of it that docs/engines.md shows.

import type { GroupResult } from './suites.ts';

export interface EngineResult {
  readonly engine: string;
  readonly version: string;
  /** Features that the engine does without. */
  readonly lacking: readonly string[];
  readonly results: readonly GroupResult[];
}

/** Whether a check failed for the one reason that is known: the engine cannot suspend, and the script had to wait. */
export function cannotWait(complaint: string): boolean {
  return complaint.includes('HostError: ') && complaint.includes('this engine cannot suspend WebAssembly (JSPI)');
}

/** Deviations that nothing explains. */
export function unexplained({ results }: EngineResult): readonly string[] {
  return results.flatMap(({ complaints }) => complaints).filter((complaint) => !cannotWait(complaint));
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

const [begin, end] = ['<!-- engines: `npm run test:engines -- --write` -->', '<!-- /engines -->'];

/** The text with the table between its two markers. Throws if it has none. */
export function placeTable(text: string, table: string): string {
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`there is no place for the table: ${begin} and ${end}`);
  return `${text.slice(0, from + begin.length)}\n${table}\n${text.slice(to)}`;
}
