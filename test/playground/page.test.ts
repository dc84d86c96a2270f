// The built page in Chromium: what it loads before its compiler, and what somebody does in it who has never seen the
// language, with a mouse and without. All else, and Firefox, is in page.full.ts.

import { expect, it } from 'vitest';
import { brotliSize } from './brotli-size.ts';
import { loadedAtFirst, useStage } from './stage.ts';
import { stories } from './stories.ts';

const stage = useStage('Chromium');

// First of all: the browser has nothing yet.
it('loads at most 400 KB before the compiler', { timeout: 120_000 }, async () => {
  const { editing } = await loadedAtFirst(stage());
  // Otherwise a budget would be kept by files that are not counted.
  for (const part of [/^index\.html$/, /^assets\/index-.*\.js$/, /^assets\/language-server-worker-.*\.js$/])
    expect(editing).toContainEqual(expect.stringMatching(part));
  expect(await brotliSize(stage().folder, editing)).toBeLessThanOrEqual(400_000);
});

it.each(stories.filter(({ isFirst }) => isFirst === true))('$title', { timeout: 120_000 }, async ({ tell }) => {
  await tell(stage());
});
