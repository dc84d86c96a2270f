// What the stories are told on: the built page, its server, and a browser. Each describe block has its own.

import { rmSync } from 'node:fs';
import { afterAll, beforeAll } from 'vitest';
import { browserKinds, whyNotHere } from '../engines/browsers.ts';
import { buildPage } from './build.ts';
import { startPlayground } from './page.ts';
import type { PlaygroundBrowser } from './page.ts';
import { servePage } from './serve.ts';
import type { Served } from './serve.ts';

export interface Stage {
  readonly browser: PlaygroundBrowser;
  readonly served: Served;
  /** That of the built page. */
  readonly folder: string;
}

/** Prepares a browser for the tests around, and gives it to them. */
export function useStage(name: string): () => Stage {
  const kind = browserKinds.find((kind) => kind.name === name)!;
  let stage: Stage | null = null;

  beforeAll(async () => {
    const why = await whyNotHere(kind);
    if (why !== null) throw new Error(why);
    const folder = buildPage();
    const served = await servePage(folder);
    stage = { browser: await startPlayground(kind), served, folder };
  }, 180_000);

  afterAll(async () => {
    if (stage === null) return;
    await stage.browser.close();
    stage.served.close();
    rmSync(stage.folder, { recursive: true, force: true });
  });

  return () => stage!;
}

/** The files that a browser asks for that has none of them: to edit, and then to compile. */
export async function loadedAtFirst({
  browser,
  served,
}: Stage): Promise<{ readonly editing: readonly string[]; readonly compiling: readonly string[] }> {
  const page = await browser.open(served.url);
  // The service worker, which is begun when the compiler is there, takes the rest for visits without a network.
  await page.until(`document.documentElement.dataset.offline === 'true'`);
  await page.page.close();
  const loaded = [...new Set(served.asked.slice(0, served.asked.indexOf('service-worker.js')))];
  // The engine is begun when the editor and the language server are there.
  const first = loaded.findIndex((file) => file.includes('engine-worker'));
  return { editing: loaded.slice(0, first), compiling: loaded.slice(first) };
}
