// Every script of the repository, good or with mistakes: formatted it has the same tokens, does not change any more,
// and compiles to the same module, but for the places in the script.

import { describe, expect, it } from 'vitest';
import { compile } from '../../src/compile.ts';
import { format } from '../../src/formatter/format.ts';
import { formatWell, read } from './checks.ts';
import { scripts } from './range-checks.ts';

describe('scripts of the repository', () => {
  it('are many', () => expect(scripts.length).toBeGreaterThan(1400));

  const folders = Map.groupBy(scripts, ([path]) => path.split('/').slice(0, 3).join('/'));
  it.each([...folders.keys()])('%s', (folder) => {
    for (const [path, text] of folders.get(folder)!) {
      try {
        formatWell(text);
      } catch (fault) {
        throw new Error(path, { cause: fault });
      }
    }
  });
});

describe('what a formatted script compiles to', () => {
  const sample = scripts.filter(([, text], at) => at % 40 === 0 && read(text).isGood && !text.includes('import '));
  it.each(sample)('is the same module: %s', async (_path, text) => {
    const { text: formatted } = format(text);
    expect(await codeOf(formatted)).toEqual(await codeOf(text));
  });
});

/** The module as text, in which some names have offsets; lines and columns are in the manifest. */
async function codeOf(text: string): Promise<unknown> {
  const { artifact, diagnostics } = await compile('test.slu', text, { text: true });
  return artifact === null ? diagnostics.map(({ code }) => code) : artifact.text?.replaceAll(/:test\.slu:\d+/g, '');
}
