// Scripts for the tests of the host: compiled, loaded and run, with what they handed out and how they ended.

import { loadScript, ScriptError } from '../../runtime-host/api/node.ts';
import type { Script, ScriptOptions } from '../../runtime-host/api/node.ts';
import { compile } from '../../src/compile.ts';

/** Throws an Error with what the compiler says against the text. */
export async function load(text: string, options: ScriptOptions = {}): Promise<Script> {
  const { artifact, diagnostics } = await compile('test.slu', text);
  if (artifact === null) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return loadScript(artifact.wasm, options);
}

/** What the script handed out as text, an error of its own last as `Type: message`. */
export async function handsOut(
  text: string,
  options: ScriptOptions = {},
  values: Readonly<Record<string, unknown>> = {},
): Promise<string[]> {
  const script = await load(text, options);
  const given: string[] = [];
  try {
    const run = script.run(values);
    await run.forEach((_value, print) => given.push(print()));
    const result = await run.resultText;
    if (result !== undefined) given.push(result);
  } catch (error) {
    if (!(error instanceof ScriptError)) throw error;
    given.push(`${error.name}: ${error.message}`);
  }
  return given;
}

/** The lines that a host's log took. */
export function collectLog(): { readonly lines: string[]; readonly log: (line: string) => void } {
  const lines: string[] = [];
  return { lines, log: (line) => lines.push(line) };
}
