// `-` in place of a file: the script comes by standard input.

import { readSync } from 'node:fs';
import { UsageError } from './exit.ts';
import { readBytes, reasonOf } from './files.ts';

export const standardInput = '-';
/** How messages and stacks call it. */
const shownName = '<stdin>';
const chunkBytes = 65_536;
const mostBytes = 256 * 2 ** 20;

/** The bytes of a file that a command is given, or of standard input. Throws UsageError. */
export function readOperand(operand: string): Uint8Array<ArrayBuffer> {
  return operand === standardInput ? readStandardInput() : readBytes(operand);
}

/** How a file is called that a command is given; what it imports is beside it, or in the working directory. */
export function nameOfOperand(operand: string): string {
  return operand === standardInput ? shownName : operand;
}

/** Throws UsageError where standard input will not do. */
export function refuseStandardInput(operand: string, command: string, why: string, line: string): void {
  if (operand === standardInput) throw new UsageError(why, command, line);
}

function readStandardInput(): Uint8Array<ArrayBuffer> {
  const chunks: Uint8Array[] = [];
  for (let bytes = 0; ;) {
    const chunk = new Uint8Array(chunkBytes);
    const count = readSome(chunk);
    if (count === 0) return new Uint8Array(Buffer.concat(chunks));
    chunks.push(chunk.subarray(0, count));
    bytes += count;
    if (bytes > mostBytes) throw new UsageError('cannot read standard input: it is too large');
  }
}

/** How many bytes came; 0 at the end. */
function readSome(into: Uint8Array): number {
  for (;;) {
    try {
      return readSync(0, into);
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === 'EOF') return 0;
      if (code !== 'EAGAIN') throw new UsageError(`cannot read standard input: ${reasonOf(code)}`);
      // Somebody has made it one that does not block, and nothing is there yet.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}
