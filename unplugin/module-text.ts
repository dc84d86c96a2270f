// The module of JavaScript that a script becomes.

import type { EmittedProgram } from '../src/index.ts';
import type { Ints } from '../runtime-host/run/script-types.ts';

/** An exported function of a script, as one of the module. */
export interface ModuleFunction {
  readonly name: string;
  /** It can reach a call that may wait for the host, and gives a promise. */
  readonly waits: boolean;
}

/** The functions of the module; `default` is the loader, and a function of that name is reached through it. */
export function functionsOf({ exports = [], waits = [] }: EmittedProgram['manifest']): readonly ModuleFunction[] {
  return exports
    .filter(({ name }) => name !== 'default')
    .map(({ name }) => ({ name, waits: waits.includes(`call.${name}`) }));
}

/** `reference` is that of the module's file where it has one; else its bytes are in the text. */
export function moduleText({ wasm, manifest }: EmittedProgram, ints: Ints, reference: string | null): string {
  const functions = functionsOf(manifest);
  const hasCalls = functions.some(({ waits }) => !waits);
  const source =
    reference === null
      ? `Uint8Array.from(atob('${Buffer.from(wasm).toString('base64')}'), (unit) => unit.charCodeAt(0))`
      : `new URL(import.meta.ROLLUP_FILE_URL_${reference})`;
  const begun = functions.length === 0 ? '' : 'const script = await load();\n';
  return `import { ${hasCalls ? 'ArgumentError, ' : ''}loadScript } from 'sluice-host';

const source = ${source};
const load = (options) => loadScript(source, { trusted: true, ...options, ints: '${ints}' });
export default load;
${begun}${hasCalls ? callText : ''}${functions.map(functionText).join('')}`;
}

/**
 * One instance serves all calls, as globals of a module do. A failure may have ended it, so the next call has another.
 */
const callText = `let instance = script.instance();
function call(name, values) {
  try {
    return instance.callSync(name, ...values).value;
  } catch (error) {
    if (!(error instanceof ArgumentError)) {
      instance.close();
      instance = script.instance();
    }
    throw error;
  }
}
`;

/** A function may have a name that nothing may be declared by, such as `delete`. */
function functionText({ name, waits }: ModuleFunction, at: number): string {
  const body = waits
    ? `async (...values) => (await script.call('${name}', ...values)).value`
    : `(...values) => call('${name}', values)`;
  return `const function${at} = ${body};\nexport { function${at} as ${name} };\n`;
}
