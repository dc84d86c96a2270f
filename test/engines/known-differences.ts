// What is known to differ in an engine, with the reason: these deviations fail no run, and docs/engines.md tells them.
// A run fails if one of them is gone, so that the table and the page lose it too.

import type { EngineResult } from './results.ts';

export interface KnownDifference {
  /** The engines that it concerns, as the page names them. */
  readonly engines: string;
  /** What is different there, as a sentence in Markdown. */
  readonly what: string;
  readonly why: string;
  readonly concerns: (engine: Pick<EngineResult, 'engine' | 'lacking'>) => boolean;
  /** Whether a deviation is this one. */
  readonly explains: (complaint: string) => boolean;
}

export const knownDifferences: readonly KnownDifference[] = [
  {
    engines: 'Bun',
    what: 'What a function of a plugin throws has no place in the script.',
    why: 'Like JavaScriptCore, on which it stands, it tells no places of calls.',
    concerns: ({ engine }) => engine === 'Bun',
    explains: (complaint) => /^plugins\/a-throw-is-plugin-error\.slu:\d+: .* at line none$/.test(complaint),
  },
  {
    engines: 'Firefox without JSPI (before 153)',
    what: 'A call that has to wait for the host, as `Http.get`, ends the script with an error that says so.',
    why: 'Suspending WebAssembly wants `javascript.options.wasm_js_promise_integration` in about:config.',
    concerns: ({ lacking }) => lacking.includes('suspending (JSPI)'),
    explains: (complaint) =>
      /^(http|plugins)\//.test(complaint) &&
      complaint.includes('HostError: ') &&
      complaint.includes('this engine cannot suspend WebAssembly (JSPI)'),
  },
];

/** Deviations that no known difference of the engine explains. */
export function unexplained(result: EngineResult): readonly string[] {
  const known = knownDifferences.filter(({ concerns }) => concerns(result));
  return complaintsOf(result).filter((complaint) => !known.some(({ explains }) => explains(complaint)));
}

/** Known differences of the engine that it did not show: they have to leave the table. */
export function notShown(result: EngineResult): readonly KnownDifference[] {
  return knownDifferences.filter(
    ({ concerns, explains }) => concerns(result) && !complaintsOf(result).some((complaint) => explains(complaint)),
  );
}

/** What is wrong with a run, a line each: deviations that nothing explains, and differences that are gone. */
export function problems(result: EngineResult): readonly string[] {
  return [
    ...unexplained(result),
    ...notShown(result).map(({ what }) => `this difference is gone, remove it from knownDifferences: ${what}`),
  ].map((line) => `${result.engine}: ${line}`);
}

/** The table as Markdown, as docs/engines.md shows it. */
export function formatDifferences(): string {
  const rows = knownDifferences.map(({ engines, what, why }) => [engines, what, why]);
  return [['Engine', 'What fails', 'Why'], ['---', '---', '---'], ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

function complaintsOf({ results }: EngineResult): readonly string[] {
  return results.flatMap(({ complaints }) => complaints);
}
