// `--jobs`: files are tested in processes of this command, each of which takes the next file when it is done with one.
// Threads would share the engine's settings of stacks, which belong to a whole process.

import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { hasFailed } from '../../testing/results.ts';
import { exitCodes } from '../exit.ts';
import type { TestedFile } from './run-file.ts';

const mark = 'SLUICE_TEST_PROCESS';

/** Whether this process is one of those that a parent has started. */
export function isWorker(): boolean {
  return process.env[mark] !== undefined && process.send !== undefined;
}

/** Tests what the parent names, until it closes the channel. */
export function serveParent(run: (path: string) => Promise<TestedFile | null>): Promise<number> {
  return new Promise((resolve, reject) => {
    process.on('message', (path: string) => {
      run(path).then((result) => process.send!({ result }), reject);
    });
    process.on('disconnect', () => resolve(exitCodes.fine));
    process.send!('ready');
  });
}

/** Results come in the order of the files. */
export async function runInProcesses(
  jobs: number,
  files: readonly string[],
  words: readonly string[],
  bails: boolean,
  onResult: (result: TestedFile) => void,
): Promise<void> {
  const results = new Map<number, TestedFile | null>();
  let next = 0;
  let told = 0;
  let isOver = false;
  const take = (at: number, result: TestedFile | null): void => {
    results.set(at, result);
    if (bails && result !== null && hasFailed(result)) isOver = true;
    for (; results.has(told); told++) {
      const one = results.get(told)!;
      if (one !== null) onResult(one);
    }
  };
  const work = async (): Promise<void> => {
    let child: ChildProcess | null = null;
    while (!isOver && next < files.length) {
      const at = next++;
      child ??= await start(words);
      const result = await askFor(child, files[at]!);
      if (result === undefined) child = null;
      take(at, result === undefined ? lost(files[at]!) : result);
    }
    child?.disconnect();
  };
  await Promise.all(Array.from({ length: jobs }, work));
  // After --bail there may be gaps.
  for (const [, result] of [...results].filter(([at]) => at >= told).toSorted(([a], [b]) => a - b))
    if (result !== null) onResult(result);
}

async function start(words: readonly string[]): Promise<ChildProcess> {
  const child = fork(process.argv[1]!, [...words], {
    serialization: 'advanced',
    env: { ...process.env, [mark]: '1' },
  });
  await new Promise<void>((resolve) => {
    child.once('message', () => resolve());
    child.once('exit', () => resolve());
  });
  return child;
}

/** Undefined if the process ends instead of answering. */
function askFor(child: ChildProcess, path: string): Promise<TestedFile | null | undefined> {
  return new Promise((resolve) => {
    const exit = (): void => resolve(undefined);
    child.once('exit', exit);
    child.once('message', ({ result }: { readonly result: TestedFile | null }) => {
      child.off('exit', exit);
      resolve(result);
    });
    if (child.connected) child.send(path);
    else resolve(undefined);
  });
}

function lost(path: string): TestedFile {
  const source = { name: path, text: '', lineStarts: [0], pairs: [] };
  const message = 'the process that ran these tests has ended';
  return {
    path,
    tests: [],
    skipped: [],
    diagnostics: [],
    faults: [{ kind: 'fault', span: { file: source, start: 0, end: 0 }, message, help: null }],
    updated: 0,
    ms: 0,
  };
}
