// `sluice types`: writes a TypeScript declaration file for a script.

import { basename } from 'node:path';
import { isWasm } from '../../runtime-host/api/node.ts';
import type { Ints, Manifest, ScriptOptions } from '../../runtime-host/api/node.ts';
import { escapeControls } from '../diagnostics/display.ts';
import { commandLine } from './command-line.ts';
import { valueOf } from './command.ts';
import type { CommandInput } from './command.ts';
import { exitCodes, UsageError } from './exit.ts';
import { decodeScript, keepScript, writeFiles } from './files.ts';
import { compileText } from './compile-text.ts';
import { loadModule } from './load.ts';
import { stdout } from './output.ts';
import { readPluginOption } from './plugins.ts';
import { nameOfOperand, readOperand, refuseStandardInput } from './standard-input.ts';
import { declareRecords } from './record-declarations.ts';
import { declareTypes, typeNameOf } from './type-declarations.ts';

export async function typesCommand(input: CommandInput): Promise<number> {
  const { operand } = input;
  if (!input.values.has('output'))
    refuseStandardInput(
      operand,
      'types',
      'the types of standard input have no name of their own: give them one with -o OUT.d.ts',
      commandLine('types', '-', '-o', 'out.d.ts'),
    );
  const name = basename(nameOfOperand(operand));
  const output = valueOf(input, 'output') ?? `${operand.replace(/\.(slu|wasm)$/, '')}.d.ts`;
  if (!/\.d\.[cm]?ts$/.test(output))
    throw new UsageError(`a declaration file ends in .d.ts, not as ${escapeControls(output)}`, 'types');
  keepScript(operand, [output]);
  const imported: string[] = [];
  const manifest = await readManifest(operand, imported, await readPluginOption(input, 'types'));
  if (manifest === null) return exitCodes.diagnostics;
  for (const path of imported) keepScript(path, [output], 'the script imports it');
  const typeName = typeNameOf(name);
  // These characters end a line in TypeScript, and therefore a comment.
  const from = escapeControls(name).replace(/[\u2028\u2029]/g, ' ');
  const ints = (valueOf(input, 'ints') ?? 'bigint') as Ints;
  const options = ints === 'bigint' ? '' : `, { ints: '${ints}' }`;
  const content =
    `// Types of ${from}, written by sluice types. Usage: await loadScript<${typeName}>(…${options})\n\n` +
    [declareTypes(manifest, typeName, ints), ...declareRecords(manifest, typeName).map((part) => `${part}\n`)].join(
      '\n',
    );
  writeFiles([{ path: output, content }]);
  stdout.line(`${escapeControls(output)}: the types of ${from}, as ${typeName}`);
  return exitCodes.fine;
}

/** Null for a script with errors; they have been printed. `read` collects the imported files. */
async function readManifest(
  operand: string,
  read: string[],
  plugins: Pick<ScriptOptions, 'plugins'>,
): Promise<Manifest | null> {
  const bytes = readOperand(operand);
  const path = nameOfOperand(operand);
  if (isWasm(bytes) || path.endsWith('.wasm')) return (await loadModule(path, bytes, plugins)).manifest;
  const { artifact } = await compileText(path, decodeScript(path, bytes), 'build', plugins, read);
  return artifact?.manifest ?? null;
}
