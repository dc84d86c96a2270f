// `sluice run`: prints yields line by line as they come, then the result.

import { ArgumentError, formatLocation, InternalError, ScriptError } from '../../runtime-host/api/node.ts';
import type { Script, ScriptRun } from '../../runtime-host/api/node.ts';
import { escapeForTerminal } from '../diagnostics/display.ts';
import { diagnosticsJson } from '../diagnostics/formats.ts';
import { argumentHelp } from './argument-help.ts';
import { valueOf } from './command.ts';
import type { CommandInput } from './command.ts';
import { readDeterminism } from './determinism.ts';
import { errorHelp } from './error-help.ts';
import { exitCodes } from './exit.ts';
import { errorLine, valueLine } from './json-lines.ts';
import { stackHelp } from './large-stack.ts';
import type { RunStack } from './large-stack.ts';
import { readLimits, usualLimitHelp } from './limits.ts';
import { loadFile } from './load.ts';
import { hasLoggedArguments, readLogOptions, writeLog } from './logs.ts';
import { stderr, stdout, terminalStyle } from './output.ts';
import { readPermissions } from './permissions/permissions.ts';
import { readPluginOption } from './plugins.ts';
import { readArguments } from './script-arguments.ts';
import { superviseRun } from './supervision.ts';
import type { Supervision } from './supervision.ts';

export async function runCommand(input: CommandInput): Promise<number> {
  if (input.switches.has('watch')) return (await import('./watch.ts')).watchScript(input);
  const asLines = valueOf(input, 'format') === 'ndjson';
  const supervision: Supervision = superviseRun(input.values.has('plugin'), () => permissions.close());
  const permissions = readPermissions(input, 'run', supervision.whileAsking);
  const options = {
    ...readDeterminism(input, 'run'),
    ...permissions.options,
    ...readLimits(input, 'run'),
    ...readLogOptions(input, 'run'),
    ...(await readPluginOption(input, 'run')),
  };
  const { script, diagnostics, compileMs, stack } = await loadFile(input.operand, {
    options,
    usesCache: !input.switches.has('no-cache'),
    thread: supervision.thread,
  });
  if (script === null) {
    if (asLines) stdout.scriptLine(diagnosticsJson(diagnostics));
    return exitCodes.diagnostics;
  }
  const { run, code } = await runToEnd(script, input, stack, supervision, permissions.close);
  if (run !== null) await writeLog(input, run);
  if (input.switches.has('time') && run !== null) printTimes(compileMs, run, asLines);
  return code;
}

/** Runs a script, and prints what it hands out and how it ends. The run is null if its arguments do not fit. */
export async function runToEnd(
  script: Script,
  input: CommandInput,
  stack: RunStack,
  supervision: Supervision,
  close: () => void,
): Promise<{ readonly run: ScriptRun | null; readonly code: number }> {
  const asLines = valueOf(input, 'format') === 'ndjson';
  let run: ScriptRun | null = null;
  let code: number = exitCodes.fine;
  try {
    run = startRun(script, input);
    await printValues(run, { asLines, raw: input.switches.has('raw'), enter: supervision.enter }).finally(close);
  } catch (error) {
    if (!(error instanceof ScriptError) && !(error instanceof InternalError)) throw error;
    printError(error, asLines, script, stack, input);
    code =
      error instanceof InternalError
        ? exitCodes.internalFault
        : error instanceof ArgumentError
          ? exitCodes.wrongUse
          : exitCodes.scriptError;
  } finally {
    supervision.close();
  }
  return { run, code };
}

/** Starts a run with the arguments of the command line. Throws ArgumentError. */
export function startRun(script: Script, input: CommandInput): ScriptRun {
  if (hasLoggedArguments(input)) return script.run();
  return script.run(readArguments(script.manifest, input.values.get('arg') ?? [], 'run'));
}

export interface Printing {
  readonly asLines?: boolean;
  /** Prints text unchanged, on a terminal too. */
  readonly raw?: boolean;
  /** Runs the code that starts the run. */
  readonly enter?: Supervision['enter'];
}

/** Prints what the script yields and returns. Rejects with the error that ended the run. */
export async function printValues(
  run: ScriptRun,
  { asLines = false, raw = false, enter = (work) => work() }: Printing = {},
): Promise<void> {
  const print = (text: string): void => (raw ? stdout.rawLine(text) : stdout.scriptLine(text));
  await enter(() => run.forEach((value, text) => print(asLines ? valueLine('yield', value, text()) : text())));
  const value = await run.result;
  const text = await run.resultText;
  if (asLines) print(valueLine('result', value ?? null, text ?? ''));
  else if (text !== undefined) print(text);
}

/** Prints the error and its place: to standard error for people, as a line of standard output for programs. */
export function printError(
  error: ScriptError | InternalError,
  asLines: boolean,
  { manifest }: Script,
  stack: RunStack,
  input: CommandInput,
): void {
  if (asLines) {
    stdout.scriptLine(errorLine(error));
    return;
  }
  stdout.flush();
  const style = terminalStyle();
  const title =
    error instanceof InternalError ? show(error.message) : `${style.error(show(error.name))}: ${show(error.message)}`;
  const help =
    error instanceof ArgumentError
      ? argumentHelp(error, manifest)
      : error.name === 'StackOverflowError'
        ? [stackHelp(stack)]
        : error instanceof ScriptError
          ? [...usualLimitHelp(error, input), ...errorHelp(error)]
          : [];
  const helpLines = help.map((line, at) => (at === 0 ? `${style.strong('help:')} ${show(line)}` : show(line)));
  stderr.line(
    [title, ...frameLines(error.frames.map((frame) => show(formatLocation(frame)))), ...helpLines].join('\n'),
  );
}

/** Escapes a text of the script, so that none of its lines looks like one of ours. */
function show(text: string): string {
  return escapeForTerminal(text).replaceAll('\n', '\n  | ');
}

const maxFrameLines = 30;
const lastFrameLines = 5;

/** Frames that repeat, as in endless recursion, are counted instead of listed; so is the middle of a long stack. */
function frameLines(frames: readonly string[]): string[] {
  const lines: string[] = [];
  for (let at = 0; at < frames.length;) {
    let next = at + 1;
    while (frames[next] === frames[at]) next++;
    const more = next - at - 1;
    lines.push(`    at ${frames[at]!}`);
    if (more > 0) lines.push(more === 1 ? `    at ${frames[at]!}` : `    … ${more} more of the same`);
    at = next;
  }
  if (lines.length <= maxFrameLines) return lines;
  const first = lines.slice(0, maxFrameLines - lastFrameLines - 1);
  return [
    ...first,
    `    … ${lines.length - first.length - lastFrameLines} more lines`,
    ...lines.slice(-lastFrameLines),
  ];
}

function printTimes(compileMs: number, run: ScriptRun, asLines: boolean): void {
  const { instantiateMs, runMs: firstRunMs } = run.times;
  if (asLines) {
    stdout.line(
      JSON.stringify({
        time: { compileMs: rounded(compileMs), instantiateMs: rounded(instantiateMs), firstRunMs: rounded(firstRunMs) },
      }),
    );
    return;
  }
  stdout.flush();
  stderr.line(
    `compiled in ${compileMs.toFixed(1)} ms, instantiated in ${instantiateMs.toFixed(1)} ` +
      `ms, ran in ${firstRunMs.toFixed(1)} ms`,
  );
}

/** Milliseconds, rounded to the microsecond. */
export function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
