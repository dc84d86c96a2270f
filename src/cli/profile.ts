// `sluice profile`: runs a script as `sluice run` does, and says what used its fuel, or its time.

import type { ScriptOptions } from '../../runtime-host/api/node.ts';
import type { Thread } from '../../runtime-host/run/thread.ts';
import { escapeControls } from '../diagnostics/display.ts';
import { diagnosticsJson } from '../diagnostics/formats.ts';
import { valueOf } from './command.ts';
import type { CommandInput } from './command.ts';
import { compileText, readScript } from './compile-text.ts';
import { readDeterminism } from './determinism.ts';
import { exitCodes } from './exit.ts';
import { keepScript, writeFiles } from './files.ts';
import { stackOf } from './large-stack.ts';
import { readLimits } from './limits.ts';
import { loadHere } from './load.ts';
import { stderr, stdout } from './output.ts';
import { readPermissions } from './permissions/permissions.ts';
import { readPluginOption } from './plugins.ts';
import type { Profiler } from './profiling/profiler.ts';
import { runToEnd } from './run.ts';
import { nameOfOperand } from './standard-input.ts';
import { superviseRun } from './supervision.ts';
import type { Supervision } from './supervision.ts';

export async function profileCommand(input: CommandInput): Promise<number> {
  const name = nameOfOperand(input.operand);
  const text = readScript(input.operand, 'profile');
  const output = valueOf(input, 'output');
  if (output !== undefined) keepScript(input.operand, [output]);
  const supervision: Supervision = superviseRun(input.values.has('plugin'), () => permissions.close());
  const permissions = readPermissions(input, 'profile', supervision.whileAsking);
  const options: ScriptOptions = {
    ...readDeterminism(input, 'profile'),
    ...permissions.options,
    ...readLimits(input, 'profile'),
    ...(await readPluginOption(input, 'profile')),
  };
  const profiler = await createProfiler(input, supervision.thread);
  const imported: string[] = [];
  const { plugins } = options;
  const compiling = { ...profiler.options, ...(plugins === undefined ? {} : { plugins }) };
  const { artifact, diagnostics } = await compileText(name, text, 'run', compiling, imported, 'text', profiler.choice);
  if (artifact === null) {
    permissions.close();
    if (valueOf(input, 'format') === 'ndjson') stdout.scriptLine(diagnosticsJson(diagnostics));
    return exitCodes.diagnostics;
  }
  for (const path of imported) if (output !== undefined) keepScript(path, [output], 'the script imports it');
  const stack = stackOf(options.limits?.depthBytes, 'thread');
  const script = await loadHere(artifact.wasm, options, { ...supervision.thread, ...profiler.thread }, stack);
  await profiler.begin();
  const { run, code } = await runToEnd(script, input, stack, supervision, permissions.close);
  if (run === null) return code;
  const { lines, content } = await profiler.end(run, script);
  stdout.flush();
  for (const line of lines) stderr.line(line);
  if (output !== undefined) {
    writeFiles([{ path: output, content }]);
    stderr.line(`${escapeControls(output)}: open it at https://www.speedscope.app`);
  }
  return code;
}

async function createProfiler(input: CommandInput, thread: Thread): Promise<Profiler> {
  return input.switches.has('cpu')
    ? new (await import('./profiling/cpu-profiler.ts')).CpuProfiler()
    : new (await import('./profiling/fuel-profiler.ts')).FuelProfiler(thread);
}
