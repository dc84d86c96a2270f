// `sluice build`: compiles a script to a module and, on request, writes a source map and the module's text.

import { basename } from 'node:path';
import { escapeControls } from '../diagnostics/display.ts';
import { commandLine } from './command-line.ts';
import { valueOf } from './command.ts';
import type { CommandInput } from './command.ts';
import { exitCodes } from './exit.ts';
import { readExplanation } from './explain-loops.ts';
import type { FileContent } from './files.ts';
import { keepScript, writeFiles } from './files.ts';
import { compileText, readScript } from './compile-text.ts';
import { stderr, stdout } from './output.ts';
import { readPluginOption } from './plugins.ts';
import { readPasses } from './passes.ts';
import { nameOfOperand, refuseStandardInput } from './standard-input.ts';

export async function buildCommand(input: CommandInput): Promise<number> {
  const output = valueOf(input, 'output');
  if (output === undefined)
    refuseStandardInput(
      input.operand,
      'build',
      'a module of standard input has no name of its own: give it one with -o OUT.wasm',
      commandLine('build', '-', '-o', 'out.wasm'),
    );
  const text = readScript(input.operand, 'build');
  const wasmPath = output ?? withExtension(input.operand, '.wasm');
  const mapPath = `${wasmPath}.map`;
  const textPath = withExtension(wasmPath, '.wat');
  const options = {
    sourceMap: input.switches.has('source-map'),
    text: input.switches.has('wat'),
    ...(input.switches.has('no-guards') ? { guards: {} } : {}),
  };
  const outputs = [wasmPath, ...(options.sourceMap ? [mapPath] : []), ...(options.text ? [textPath] : [])];
  keepScript(input.operand, outputs);
  const passes = await readPasses(input);
  const imported: string[] = [];
  const format = valueOf(input, 'format') ?? 'text';
  const explanation = await readExplanation(input, format);
  const { artifact } = await compileText(
    nameOfOperand(input.operand),
    text,
    'build',
    { ...options, ...(await readPluginOption(input, 'build')) },
    imported,
    format,
    { ...passes.choice, ...explanation.choice },
  );
  if (artifact === null) return exitCodes.diagnostics;
  for (const path of imported) keepScript(path, outputs, 'the script imports it');
  const files: FileContent[] = [];
  if (artifact.sourceMap === null) {
    files.push({ path: wasmPath, content: artifact.wasm });
  } else {
    files.push({ path: wasmPath, content: withSourceMapUrl(artifact.wasm, encodeURI(basename(mapPath))) });
    files.push({ path: mapPath, content: artifact.sourceMap });
  }
  if (artifact.text !== null) files.push({ path: textPath, content: artifact.text });
  writeFiles(files);
  passes.print();
  explanation.print();
  // Standard output is taken by diagnostics for programs, by the Mir, or by what is said of loops.
  const out = format === 'text' && !passes.prints && !explanation.prints ? stdout : stderr;
  for (const { path, content } of files) out.line(`${escapeControls(path)}: ${Buffer.byteLength(content)} bytes`);
  return exitCodes.fine;
}

function withExtension(path: string, extension: string): string {
  return path.replace(/\.(slu|wasm)$/, '') + extension;
}

/** Adds the custom section in which debuggers look for the map. */
function withSourceMapUrl(wasm: Uint8Array, url: string): Uint8Array {
  const name = text('sourceMappingURL');
  const content = Uint8Array.from([...name, ...text(url)]);
  return Uint8Array.from([...wasm, 0, ...unsigned(content.length), ...content]);
}

function text(value: string): Uint8Array {
  const bytes = new TextEncoder().encode(value);
  return Uint8Array.from([...unsigned(bytes.length), ...bytes]);
}

/** LEB128. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}
