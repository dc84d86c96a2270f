// Divides the npm package's single file into a small module and a .wasm file: decoding ten megabytes of
// string literal is most of the cost of loading it. The module is changed on the way (inline-invokes.ts), which takes
// some seconds, once. The result is what `#binaryen` stands for.

import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
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
const wasmBytes = await loading.take();
loading.before();
`;

/**
 * By this Binaryen tells Node from other engines. It has nothing to read there, and what is Node's would lead bundlers
 * to modules that browsers lack.
 */
const tellsNode = /globalThis\.process\?\.versions\?\.node&&globalThis\.process\?\.type!="renderer"/;

/**
 * What `#loading` stands for: reads the .wasm file, which bundlers find by the expression that names it. Whoever loads
 * Binaryen may read it first, from elsewhere too, and have something done just before the engine compiles it.
 */
const loadingModule = `// Made by tools/split-binaryen.ts.
let bytes = null;
let isTaken = false;

/** What is wrong, and what to do about it. */
function lost(url, why) {
  return new Error('the compiler cannot load its file binaryen.wasm, at ' + url + ': ' + why + '. Copy it there from the package sluice, where it is dist/binaryen.wasm, or say where it is with the option wasmUrl');
}

async function readFrom(url) {
  // Where there are files, what has no scheme is a path.
  const files = /^(file:|(?![a-z][a-z0-9+.-]+:))/i.test(url) ? globalThis.process?.getBuiltinModule?.('fs') : undefined;
  if (files !== undefined) {
    try {
      return new Uint8Array(files.readFileSync(url.startsWith('file:') ? new URL(url) : url));
    } catch (error) {
      throw lost(url, error.code === 'ENOENT' ? 'there is no such file' : String(error.code));
    }
  }
  let response;
  try {
    response = await fetch(url);
  } catch {
    throw lost(url, 'it cannot be fetched');
  }
  if (!response.ok) throw lost(url, 'the status of the answer is ' + response.status);
  return new Uint8Array(await response.arrayBuffer());
}

export const loading = {
  before() {},
  async read(given) {
    if (bytes !== null || isTaken) return;
    const url = String(given ?? new URL('./binaryen.wasm', import.meta.url));
    const found = await readFrom(url);
    // Servers answer with a page where they have no file.
    if (found[0] !== 0 || found[1] !== 0x61 || found[2] !== 0x73 || found[3] !== 0x6d) throw lost(url, 'what is there is no WebAssembly');
    bytes = found;
  },
  async take() {
    await this.read();
    const taken = bytes;
    bytes = null;
    isTaken = true;
    return taken;
  },
};
`;

const loadingTypes = `export declare const loading: {
  /** Called when the engine is about to compile Binaryen. */
  before: () => void;
  /**
   * Reads the file unless it has been read; from its own place if no other is given. Rejects with an Error that says
   * what to do.
   */
  read: (url?: string | URL) => Promise<void>;
  /** The file, once. */
  take: () => Promise<Uint8Array>;
};
`;

function isFresh(): boolean {
  const made = statSync(moduleFile, { throwIfNoEntry: false });
  return (
    made !== undefined &&
    made.mtimeMs > statSync(source).mtimeMs &&
    [import.meta.filename, inliner].every((tool) => made.mtimeMs > statSync(tool).mtimeMs)
  );
}

/** The bytes that the literal stands for: a unit above 255 stands for zero. */
function decodeLiteral(literal: string): Uint8Array<ArrayBuffer> {
  // Read by the engine as what it is, a template literal.
  const text = runInNewContext(literal) as string;
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
  if (!WebAssembly.validate(wasm)) throw new Error('the module literal of binaryen was misread');
  mkdirSync(folder, { recursive: true });
  writeFileSync(wasmFile, inlineInvokes(wasm, text.slice(0, call.index) + text.slice(end)));
  writeFileSync(loadingFile, loadingModule);
  writeFileSync(loadingTypesFile, loadingTypes);
  writeFileSync(typesFile, "export { default } from 'binaryen';\n");
  if (!tellsNode.test(text.slice(0, call.index)))
    throw new Error('the package binaryen has changed its form: it tells Node from browsers otherwise');
  writeFileSync(
    moduleFile,
    prologue + text.slice(0, call.index).replace(tellsNode, 'false') + 'wasmBytes' + text.slice(end + 1),
  );
}

if (!isFresh()) split();
