// Compiles scripts with plugins and runs them, for the tests of this folder.

import { loadScript } from '../../runtime-host/api/node.ts';
import type { Script, ScriptOptions, ScriptValue } from '../../runtime-host/api/node.ts';
import { compile } from '../../src/index.ts';

export async function build(text: string, plugins: readonly unknown[]): Promise<Uint8Array<ArrayBuffer>> {
  const { artifact, diagnostics } = await compile('a.slu', text, { plugins });
  if (artifact === null) throw new Error(diagnostics.map(({ message }) => message).join('\n'));
  return artifact.wasm;
}

export async function load(text: string, plugins: readonly unknown[], options: ScriptOptions = {}): Promise<Script> {
  return loadScript(await build(text, plugins), { ...options, plugins });
}

/** What the script yields; an error ends the list with its type and message. */
export async function run(
  text: string,
  plugins: readonly unknown[],
  options: ScriptOptions = {},
): Promise<ScriptValue[]> {
  const values: ScriptValue[] = [];
  try {
    await (await load(text, plugins, options)).run().forEach((value) => void values.push(value));
  } catch (error) {
    values.push(String(error));
  }
  return values;
}
