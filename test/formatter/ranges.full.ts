// Ranges of all scripts of the repository.

import { expect, it } from 'vitest';
import { checkRanges, scripts } from './range-checks.ts';

const folders = Map.groupBy(scripts, ([path]) => path.split('/').slice(0, 3).join('/'));

it('are many', () => expect(scripts.length).toBeGreaterThan(1400));

it.each([...folders.keys()])('keeps what is always so for ranges of scripts in %s', (folder) => {
  for (const [path, text] of folders.get(folder)!) checkRanges(path, text, 8);
});
