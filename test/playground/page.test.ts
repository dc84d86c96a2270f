// The built page in Chromium, by what somebody does in it who has never seen the language: a mistake and its fix,
// values as text and as a plot, a link, permissions, limits, no network, no mouse.

import { rmSync } from 'node:fs';
import { afterAll, beforeAll, it } from 'vitest';
import { browserKinds, whyNotHere } from '../engines/browsers.ts';
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

it.each(stories)('$title', { timeout: 120_000 }, async ({ tell }) => {
  await tell({ browser, served });
});
