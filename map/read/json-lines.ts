// The line of an NDJSON file that is no JSON: DuckDB counts lines otherwise where several are read at once.

import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import { decompressorOf } from './compressed.ts';

const byteOrderMark = '\u00ef\u00bb\u00bf';

/** What is wrong with the first line that is no JSON object, or with a file that has none; null if all is well. */
export async function findFaultyLine(path: string): Promise<string | null> {
  const { createInterface } = await import('node:readline');
  const file = createReadStream(path);
  const decompressor = decompressorOf(path);
  const input = decompressor === null ? file : file.pipe(decompressor);
  // Each byte a character: what is no UTF-8 would be replaced otherwise.
  input.setEncoding('latin1');
  let number = 0;
  let records = 0;
  try {
    for await (const bytes of createInterface({ input, crlfDelay: Infinity })) {
      number += 1;
      const fault = number === 1 && bytes.startsWith(byteOrderMark) ? withMark : faultOf(bytes);
      if (fault !== null) return `line ${number}: ${fault}`;
      if (bytes.trim() !== '') records += 1;
    }
  } catch {
    // What is wrong with what is compressed, others say.
    return null;
  } finally {
    file.destroy();
  }
  return records === 0 ? 'it has no records, and so no columns' : null;
}

const withMark = 'it begins with a byte order mark, which NDJSON has none of';

function faultOf(bytes: string): string | null {
  const line = Buffer.from(bytes, 'latin1');
  if (!isUtf8(line))
    return /^(?:\u00ff\u00fe|\u00fe\u00ff)/.test(bytes) ? 'it is UTF-16, and UTF-8 is read' : 'it is no UTF-8';
  if (bytes.trim() === '') return null;
  try {
    const value: unknown = JSON.parse(line.toString());
    return typeof value !== 'object' || value === null || Array.isArray(value) ? 'it is JSON, but no object' : null;
  } catch (error) {
    return bytes.includes('\0')
      ? 'it has a NUL character: that may be UTF-16, and UTF-8 is read'
      : `it is no JSON: ${(error as Error).message}`;
  }
}
