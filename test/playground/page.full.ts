// The built page in Chromium and Firefox, by all that people do in it; and what the whole of it takes on the way.

import { describe, expect, it } from 'vitest';
import { brotliSize } from './brotli-size.ts';
import { loadedAtFirst, useStage } from './stage.ts';
import { stories } from './stories.ts';

describe('the compiler', () => {
  const stage = useStage('Chromium');

  it('makes the first load 2 MB at most', { timeout: 600_000 }, async () => {
    const { editing, compiling } = await loadedAtFirst(stage());
    for (const part of ['engine-worker', 'part-emit', 'binaryen'])
      expect(compiling.join('\n')).toContain(`assets/${part}`);
    expect(await brotliSize(stage().folder, [...editing, ...compiling])).toBeLessThanOrEqual(2_000_000);
  });
});

describe.each(['Chromium', 'Firefox'])('%s', (name) => {
  const stage = useStage(name);

  it.each(stories)('$title', { timeout: 240_000 }, async ({ tell }) => {
    await tell(stage());
  });
});
