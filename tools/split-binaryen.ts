// Divides the npm package's single file into a small module and a .wasm file: decoding ten megabytes of
// string literal is most of the cost of loading it. The module is changed on the way (inline-invokes.ts), which takes
// some seconds, once. The result is what `#binaryen` stands for.

import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { inlineInvokes } from './inline-invokes.ts';

const source = new URL('../node_modules/binaryen/index.js', import.meta.url);
const inliner = new URL('inline-invokes.ts', import.meta.url);
const folder = new URL('../generated/', import.meta.url);
const moduleFile = new URL('binaryen.js', folder);
const typesFile = new URL('binaryen.d.ts', folder);
const wasmFile = new URL('binaryen.wasm', folder);
const loadingFile = new URL('loading.js', folder);
const loadingTypesFile = new URL('loading.d.ts', folder);

const prologue = `// Made by tools/split-binaryen.ts from the package binaryen, Apache-2.0.
import { loading } from './loading.js';
const wasmUrl = new URL('./binaryen.wasm', import.meta.url);
// Written so that a bundler that knows globalThis.process to be undefined takes Node's part out.
const wasmBytes = globalThis.process?.versions?.node !== undefined && wasmUrl.protocol === 'file:'
  ? new Uint8Array((await import('node:fs')).readFileSync(wasmUrl))
  : new Uint8Array(await (await fetch(wasmUrl)).arrayBuffer());
loading.before();
`;

/** What `#loading` stands for: who loads Binaryen may have something done just before the engine compiles it. */
const loadingModule = `// Made by tools/split-binaryen.ts.
export const loading = { before() {} };
`;

function isFresh(): boolean {
  const made = statSync(moduleFile, { throwIfNoEntry: false });
  return made !== undefined && made.mtimeMs > statSync(source).mtimeMs && [import.meta.filename, inliner].every((tool) => made.mtimeMs > statSync(tool).mtimeMs);
}

/** The bytes that the literal stands for: a unit above 255 stands for zero. */
function decodeLiteral(literal: string): Uint8Array {
  const text = new Function(`return ${literal};`)() as string;
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    bytes[at] = (~unit >> 8) & unit;
  }
  return bytes;
}

/** The offset behind the closing backtick of the template literal that begins at `start`. */
function endOfLiteral(text: string, start: number): number {
  let at = start + 1;
  while (text[at] !== '`') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function split(): void {
  const text = readFileSync(source, 'utf8');
  const call = /\w+\((?=`\\0asm)/.exec(text);
  if (call === null) throw new Error('the package binaryen has changed its form: no module literal found');
  const start = call.index + call[0].length;
  const end = endOfLiteral(text, start);
  const wasm = decodeLiteral(text.slice(start, end));
  if (!WebAssembly.validate(wasm as Uint8Array<ArrayBuffer>)) throw new Error('the module literal of binaryen was misread');
  mkdirSync(folder, { recursive: true });
  writeFileSync(wasmFile, inlineInvokes(wasm, text.slice(0, call.index) + text.slice(end)));
  writeFileSync(loadingFile, loadingModule);
  writeFileSync(loadingTypesFile, 'export declare const loading: { before: () => void };\n');
  writeFileSync(typesFile, "export { default } from 'binaryen';\n");
  writeFileSync(moduleFile, prologue + text.slice(0, call.index) + 'wasmBytes' + text.slice(end + 1));
}

if (!isFresh()) split();
