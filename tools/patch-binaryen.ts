// What the build changes in Binaryen's JavaScript, all of it. Expressions say what its text looks like; where a new
// version reads otherwise, each change is left away for itself, with a warning, and the rest works as it did.

import { runInNewContext } from 'node:vm';
import { inlineInvokes } from './inline-invokes.ts';

export interface PatchedBinaryen {
  /** The module, which imports `./loading.js`. */
  readonly script: string;
  /** The file beside it. */
  readonly wasm: Uint8Array;
  /** What did not fit: empty for a version that is known. */
  readonly warnings: readonly string[];
}

/** `NAME(` before the text that holds the module. */
const moduleCall = /\w+\((?=`\\0asm)/;
/**
 * By this Binaryen tells Node from other engines. It has nothing to read there, and what is Node's would lead bundlers
 * to modules that browsers lack.
 */
const tellsNode = /globalThis\.process\?\.versions\?\.node&&globalThis\.process\?\.type!="renderer"/;

const head = `// Made by tools/split-binaryen.ts from the package binaryen, Apache-2.0.
import { loading } from './loading.js';
`;
/** For whoever copies or reads the file where the script has the module in itself: a module without content. */
const nothing = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);

/**
 * Takes the module out of the script, where it is ten megabytes of text to decode; has the module catch exceptions
 * itself (inline-invokes.ts), which takes some seconds; and has the script ask for nothing of Node's.
 */
export function patchBinaryen(source: string, inline = inlineInvokes): PatchedBinaryen {
  const warnings: string[] = [];
  const attempt = <Value>(change: () => Value, otherwise: Value): Value => {
    try {
      return change();
    } catch (error) {
      warnings.push((error as Error).message);
      return otherwise;
    }
  };
  const parts = attempt(() => takeApart(source), null);
  if (parts === null) return { script: `${head}loading.before();\n${source}`, wasm: nothing, warnings };
  const { before, after, module } = parts;
  const wasm = attempt(() => inline(module, before + after), module);
  const start = attempt(() => withoutNode(before), before);
  const script = `${head}const wasmBytes = await loading.take();\nloading.before();\n${start}wasmBytes${after}`;
  return { script, wasm, warnings };
}

interface Parts {
  /** The script around the call that decodes the module. */
  readonly before: string;
  readonly after: string;
  readonly module: Uint8Array;
}

function takeApart(source: string): Parts {
  const call = moduleCall.exec(source);
  if (call === null) throw new Error('it holds its module in another way');
  const start = call.index + call[0].length;
  const end = endOfLiteral(source, start);
  const module = decodeLiteral(source.slice(start, end));
  if (!WebAssembly.validate(module)) throw new Error('it writes its module in another way');
  return { before: source.slice(0, call.index), after: source.slice(end + 1), module };
}

/** The offset behind the closing backtick of the template literal that begins at `start`. */
function endOfLiteral(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '`') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
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

function withoutNode(script: string): string {
  if (!tellsNode.test(script)) throw new Error('it tells Node from browsers in another way');
  return script.replace(tellsNode, 'false');
}
