// The built page in Chromium, by what somebody does in it who has never seen the language: a mistake and its fix,
// values as text and as a plot, a link, permissions, limits, no network, no mouse.

import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { browserKinds, whyNotHere } from '../engines/browsers.ts';
import { brotliSize } from './brotli-size.ts';
import { buildPage } from './build.ts';
import { startPlayground } from './page.ts';
import type { PlaygroundBrowser } from './page.ts';
import { servePage } from './serve.ts';
import type { Served } from './serve.ts';
import { stories } from './stories.ts';

const chromium = browserKinds.find(({ name }) => name === 'Chromium')!;
const why = await whyNotHere(chromium);
let folder = '';
let served: Served;
let browser: PlaygroundBrowser;

beforeAll(async () => {
  if (why !== null) throw new Error(why);
  folder = buildPage();
  served = await servePage(folder);
  browser = await startPlayground(chromium);
}, 120_000);

afterAll(async () => {
  await browser?.close();
  served?.close();
  if (folder !== '') rmSync(folder, { recursive: true, force: true });
});

// First of all: the browser has nothing yet.
it('loads at most 400 KB before the compiler, and at most 2 MB with it', { timeout: 240_000 }, async () => {
  const page = await browser.open(served.url);
  // The service worker, which is begun when the compiler is there, takes the rest for visits without a network.
  await page.until(`document.documentElement.dataset.offline === 'true'`);
  const loaded = [...new Set(served.asked.slice(0, served.asked.indexOf('service-worker.js')))];
  const seen = `performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname.slice(1))`;
  const ofPage = new Set(['index.html', ...((await page.page.evaluate(seen)) as readonly string[])]);
  const before = loaded.filter((file) => ofPage.has(file) && !file.includes('engine-worker'));
  const compiler = loaded.filter((file) => !before.includes(file));
  await page.page.close();

  // Otherwise a budget would be kept by files that are not counted.
  expect(before).toEqual(expect.arrayContaining(['index.html', expect.stringMatching(/^assets\/index-.*\.js$/)]));
  for (const part of ['engine-worker', 'part-emit', 'binaryen'])
    expect(compiler.join('\n')).toContain(`assets/${part}`);
  const sizeBefore = await brotliSize(folder, before);
  expect(sizeBefore).toBeLessThanOrEqual(400_000);
  expect(sizeBefore + (await brotliSize(folder, compiler))).toBeLessThanOrEqual(2_000_000);
});

it.each(stories)('$title', { timeout: 120_000 }, async ({ tell }) => {
  await tell({ browser, served });
});
