// `-` in place of a file: the script comes from standard input.

import { readSync } from 'node:fs';
import { UsageError } from './exit.ts';
import { readBytes, reasonOf } from './files.ts';

export const standardInput = '-';
/** Its name in messages and stacks. */
const shownName = '<stdin>';
const chunkBytes = 65_536;
const mostBytes = 256 * 2 ** 20;

/** The bytes of an operand, a file or standard input. Throws UsageError. */
export function readOperand(operand: string): Uint8Array<ArrayBuffer> {
  return operand === standardInput ? readStandardInput() : readBytes(operand);
}

/**
 * The file name of an operand. The files that it imports are beside it, or in the working directory for standard input.
 */
export function nameOfOperand(operand: string): string {
  return operand === standardInput ? shownName : operand;
}

/** Throws UsageError if the operand is standard input and a file is needed. */
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

/** Answers how many bytes came; 0 at the end. */
function readSome(into: Uint8Array): number {
  for (;;) {
    try {
      return readSync(0, into);
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === 'EOF') return 0;
      if (code !== 'EAGAIN') throw new UsageError(`cannot read standard input: ${reasonOf(code)}`);
      // Another process has made the input non-blocking, and there is no input yet.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}
