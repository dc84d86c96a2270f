// Stacks that errors of a script must have in every engine, innermost place first. JavaScriptCore tells the names of
// functions and nothing about where in them a call stands: there only the innermost place can be known.

import { loadScript, ScriptError } from '../../runtime-host/api/index.ts';
import { compile } from '../../src/index.ts';

export interface StackRow {
  readonly name: string;
  readonly script: string;
  /** As `function:line:column`. */
  readonly frames: readonly string[];
}

export const stackRows: readonly StackRow[] = [
  {
    name: 'of a throw, through calls',
    script: `
int deep(int n) {
  if (n == 0) throw "deep";
  return deep(n - 1) + 1;
}
main() {
  return deep(2) + 1;
}`,
    frames: ['deep:3:15', 'deep:4:10', 'deep:4:10', 'main:7:10'],
  },
  {
    name: 'of an error of the runtime',
    script: `
int at(int[] xs, int i) {
  if (i > 50) return at(xs, i - 1);
  return xs[i];
}
main() {
  return at([1], 51);
}`,
    frames: ['at:4:10', 'at:3:22', 'main:7:10'],
  },
];

/** Unoptimised, so that no function is written into another. */
export async function framesOf({ script }: StackRow): Promise<readonly string[]> {
  const { artifact } = await compile('stack.slu', script, { optimise: false });
  try {
    await (await loadScript(artifact!.wasm)).run().result;
  } catch (error) {
    if (error instanceof ScriptError)
      return error.frames.map((frame) => `${frame.function}:${frame.line}:${frame.column}`);
    throw error;
  }
  return [];
}

/** Whether the stacks of this engine tell places in wasm at all, tried on a module that traps. */
export function tellsPlacesOfCallers(): boolean {
  // (func (export "f") unreachable)
  const bytes = Uint8Array.of(
    0x00,
    0x61,
    0x73,
    0x6d,
    0x01,
    0x00,
    0x00,
    0x00,
    0x01,
    0x04,
    0x01,
    0x60,
    0x00,
    0x00,
    0x03,
    0x02,
    0x01,
    0x00,
    0x07,
    0x05,
    0x01,
    0x01,
    0x66,
    0x00,
    0x00,
    0x0a,
    0x05,
    0x01,
    0x03,
    0x00,
    0x00,
    0x0b,
  );
  const { f } = new WebAssembly.Instance(new WebAssembly.Module(bytes), {}).exports as { readonly f: () => void };
  try {
    f();
  } catch (error) {
    return /wasm-function\[\d+\]:0x/.test(String((error as Error).stack));
  }
  throw new Error('the module did not trap');
}
