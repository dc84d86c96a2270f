// Runs scripts with counters.

import { loadScript } from '../../runtime-host/api/host.ts';
import { ScriptError } from '../../runtime-host/api/index.ts';
import { nodeMachine } from '../../runtime-host/node/machine.ts';
import { CoverageRecorder } from '../../src/cli/testing/coverage-recorder.ts';
import { compileWith } from '../../src/compile.ts';
import { createSourceFile } from '../../src/source.ts';
import { lineAt, linesOf, mergeCoverage } from '../../src/coverage/coverage.ts';
import type { FileCoverage } from '../../src/coverage/coverage.ts';
import { memoryReader } from '../../src/memory-reader.ts';

export interface Counting {
  readonly files?: Readonly<Record<string, string>>;
  /** Exported functions to call, each in an instance of its own, in place of a run. */
  readonly calls?: readonly string[];
  /** How often it runs. */
  readonly runs?: number;
}

/** What of a script ran, and of the files that it imports. Errors that end it are none of the test's business. */
export async function coverageOfScript(text: string, options: Counting = {}): Promise<readonly FileCoverage[]> {
  const { files = {}, calls = [], runs = 1 } = options;
  const recorder = new CoverageRecorder();
  const { artifact, diagnostics } = await compileWith(
    'a.slu',
    text,
    { optimise: false, reader: memoryReader({ ...files, 'a.slu': text }) },
    { instrument: (program) => recorder.instrument(program) },
  );
  if (artifact === null) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  const script = await loadScript(
    artifact.wasm,
    {},
    { ...nodeMachine, stacks: null, thread: { onInstance: (exports) => recorder.add(exports) } },
  );
  const run = async (): Promise<void> => {
    const started = script.run();
    await started.forEach(() => {});
    await started.result;
  };
  const work =
    calls.length > 0 ? calls.map((name) => () => script.call(name)) : Array.from({ length: runs }, () => run);
  for (const one of work) {
    await one().catch((error: unknown) => {
      if (!(error instanceof ScriptError)) throw error;
    });
    recorder.collect();
  }
  return mergeCoverage(recorder.coverage());
}

/** `line: count` of each line with code. */
export function lineCounts(file: FileCoverage): readonly string[] {
  return [...linesOf(file)].map(([line, count]) => `${line}: ${count}`);
}

/** `line kind: what people see = count, …` of each branch. */
export function branchCounts({ path, text, branches }: FileCoverage): readonly string[] {
  const source = createSourceFile(path, text);
  return branches.map(
    ({ kind, start, outcomes }) =>
      `${lineAt(source, start)} ${kind}: ${outcomes
        .map((outcome) => `${text.slice(outcome.start, outcome.end)} = ${outcome.count}`)
        .join(', ')}`,
  );
}
