// `sluice test`: finds the tests, runs them, and reports.

import { availableParallelism } from 'node:os';
import type { ScriptOptions } from '../../../runtime-host/api/host.ts';
import { quote } from '../../language/quoted-text.ts';
import { fileLines, endLines } from '../../testing/reports/text.ts';
import { jsonReport } from '../../testing/reports/json.ts';
import { junitReport } from '../../testing/reports/junit.ts';
import { tapReport } from '../../testing/reports/tap.ts';
import { hasFailed, isWithoutTests } from '../../testing/results.ts';
import { valueOf } from '../command.ts';
import type { CommandInput } from '../command.ts';
import { readDeterminism } from '../determinism.ts';
import { exitCodes, UsageError } from '../exit.ts';
import { readLimits } from '../limits.ts';
import { outputStyle, stderr, stdout, terminalStyle } from '../output.ts';
import { readPermissions } from '../permissions/permissions.ts';
import { readPluginOption } from '../plugins.ts';
import { importsOf, watch, wordsOf } from '../watch.ts';
import { readCoverage } from './coverage-options.ts';
import type { CoverageOptions } from './coverage-options.ts';
import { findTestFiles } from './find-files.ts';
import type { FoundFiles } from './find-files.ts';
import { isWorker, runInProcesses, serveParent } from './processes.ts';
import { usualSeconds } from './options.ts';
import { readOnly } from './only.ts';
import { runFile } from './run-file.ts';
import type { TestedFile } from './run-file.ts';

/** So many files are worth a process that has to load the compiler. */
const filesPerProcess = 8;

export async function testCommand(given: CommandInput): Promise<number> {
  const input = withUsual(given);
  const isWanted = readOnly(input.values.get('only') ?? []);
  const coverage = readCoverage(input);
  if (input.switches.has('watch')) return watchTests(given, coverage);
  const permissions = readPermissions(input, 'test');
  const options: ScriptOptions = {
    ...readDeterminism(input, 'test'),
    ...permissions.options,
    ...readLimits(input, 'test'),
    ...(await readPluginOption(input, 'test')),
  };
  const bails = input.switches.has('bail');
  const counts = coverage !== null;
  const run = (path: string): Promise<TestedFile | null> =>
    runFile(path, { options, isWanted, updates: input.switches.has('update'), bails, counts });
  try {
    if (isWorker()) return await serveParent(run);
    const { files } = findTestFiles(input.operands, coverage?.folder);
    const jobs = Math.min(files.length, readJobs(input, files.length));
    return await report(input, coverage, (onResult) =>
      jobs > 1
        ? runInProcesses(jobs, files, wordsOf('test', given), bails, onResult)
        : runHere(files, run, bails, onResult),
    );
  } finally {
    permissions.close();
  }
}

type RunAll = (onResult: (result: TestedFile) => void) => Promise<void>;

async function runHere(
  files: readonly string[],
  run: (path: string) => Promise<TestedFile | null>,
  bails: boolean,
  onResult: (result: TestedFile) => void,
): Promise<void> {
  for (const file of files) {
    const result = await run(file);
    if (result !== null) onResult(result);
    if (bails && result !== null && hasFailed(result)) return;
  }
}

/** Runs all, and prints what happened in the format that was asked for. Throws UsageError if there are no tests. */
async function report(input: CommandInput, coverage: CoverageOptions | null, runAll: RunAll): Promise<number> {
  const format = valueOf(input, 'format') ?? 'text';
  const style = outputStyle();
  const start = performance.now();
  const results: TestedFile[] = [];
  await runAll((result) => {
    results.push(result);
    if (format === 'text') for (const line of fileLines(result, style)) stdout.line(line);
    if (stdout.isTerminal) stdout.flush();
  });
  if (results.every(isWithoutTests)) throw noTests(input);
  const ms = performance.now() - start;
  switch (format) {
    case 'tap':
      stdout.scriptLine(tapReport(results));
      break;
    case 'junit':
      stdout.scriptLine(junitReport(results, ms));
      break;
    case 'json':
      stdout.scriptLine(jsonReport(results, ms));
      break;
    default:
      for (const line of endLines(results, ms, style)) stdout.line(line);
  }
  const isCovered = coverage === null || (await printCoverage(results, coverage, format === 'text'));
  return isCovered && !results.some(hasFailed) ? exitCodes.fine : exitCodes.diagnostics;
}

/** Beside a report for programs, the one for people goes to standard error. False if too little is covered. */
async function printCoverage(
  results: readonly TestedFile[],
  options: CoverageOptions,
  isText: boolean,
): Promise<boolean> {
  const { reportCoverage } = await import('./coverage.ts');
  const { stream, style } = isText
    ? { stream: stdout, style: outputStyle() }
    : { stream: stderr, style: { ...terminalStyle(), passed: (text: string) => text } };
  const { lines, fault } = reportCoverage(
    results.flatMap(({ coverage = [] }) => coverage),
    options,
    style,
  );
  for (const line of lines) stream.line(line);
  stdout.flush();
  if (fault !== null) stderr.line(`${terminalStyle().error('error')}: ${fault}`);
  return fault === null;
}

function noTests({ operands, values }: CommandInput): UsageError {
  const where =
    operands.length === 0 ? 'below this folder' : `in ${operands.map((operand) => quote(operand)).join(', ')}`;
  const only = values.get('only');
  if (only !== undefined)
    return new UsageError(`no test ${where} has ${only.map((name) => quote(name)).join(' or ')} in its name`, 'test');
  return new UsageError(
    `there are no tests ${where}: a test is a script with lines such as \`yield 6 * 7; // → 42\`, ` +
      'or an exported function without parameters in a file that is named *.test.slu',
    'test',
  );
}

/** With the limits and the seed that tests have if nothing is said. Nobody is asked for permissions. */
function withUsual(input: CommandInput): CommandInput {
  return {
    ...input,
    switches: new Set([...input.switches, 'no-prompt']),
    values: new Map([['max-time', [usualSeconds]], ['seed', ['0']], ...input.values]),
  };
}

function readJobs(input: CommandInput, files: number): number {
  const text = valueOf(input, 'jobs');
  if (text === undefined) return Math.min(availableParallelism(), Math.ceil(files / filesPerProcess));
  if (/^\d{1,3}$/.test(text) && Number(text) >= 1) return Number(text);
  throw new UsageError(`--jobs takes a whole number from 1 to 999, not ${quote(text)}`, 'test');
}

/** Looks at the tests, at what they import, at plugins, and at the folders, where new tests may come. */
async function watchTests(input: CommandInput, coverage: CoverageOptions | null): Promise<number> {
  // Or the first run would change the folder around.
  if (coverage !== null) (await import('./coverage.ts')).makeFolder(coverage.folder);
  const find = (): FoundFiles => findTestFiles(input.operands, coverage?.folder);
  const { files: first } = find();
  return watch({
    words: wordsOf('test', input),
    first,
    find: () => {
      const { files, folders } = find();
      return [...new Set([...files, ...files.flatMap(importsOf), ...folders, ...(input.values.get('plugin') ?? [])])];
    },
    describe: (files) => `one of ${files.length} files and folders`,
  });
}
