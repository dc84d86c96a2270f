// The built page in Chromium and Firefox, by all that people do in it; and what the whole of it takes on the way.

import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { brotliSize } from './brotli-size.ts';
import { startPlayground } from './page.ts';
import { servePage } from './serve.ts';
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

/** The page then needs the service worker to be isolated. */
const withoutSuspending = { 'javascript.options.wasm_js_promise_integration': false };

describe('a service worker that is never ready', () => {
  const stage = useStage('Firefox');

  it('keeps no page from beginning', { timeout: 240_000 }, async () => {
    const folder = `${stage().folder}-never-ready`;
    cpSync(stage().folder, folder, { recursive: true });
    const worker = "addEventListener('install', (event) => event.waitUntil(new Promise(() => {})));";
    writeFileSync(join(folder, 'service-worker.js'), worker);
    const served = await servePage(folder);
    const browser = await startPlayground({ ...stage().browser.kind, preferences: withoutSuspending });
    try {
      const page = await browser.open(served.url, undefined, false);
      await page.setScript('yield 6 * 7;');
      await page.run();
      await page.sees('#results', '42');
    } finally {
      await browser.close();
      served.close();
      rmSync(folder, { recursive: true });
    }
  });
});

describe.each(['Chromium', 'Firefox'])('%s', (name) => {
  const stage = useStage(name);

  it.each(stories)('$title', { timeout: 240_000 }, async ({ tell }) => {
    await tell(stage());
  });
});
