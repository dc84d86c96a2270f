// What files take on the way, as servers compress those that do not change.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

const compress = promisify(brotliCompress);

/** The bytes of the files of a folder under brotli at its best. */
export async function brotliSize(folder: string, files: readonly string[]): Promise<number> {
  const sizes = await Promise.all(
    files.map(async (file) => {
      const bytes = await readFile(join(folder, file));
      const params = { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
      return (await compress(bytes, { params })).length;
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
