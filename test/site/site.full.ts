// The built site in Chromium: its home, its search, the page of a diagnostic, and a script that opens in the
// playground.

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { browserKinds, startBrowser } from '../engines/browsers.ts';
import type { Browser, Tab } from '../engines/browsers.ts';
import { servePage } from '../playground/serve.ts';
import type { Served } from '../playground/serve.ts';
import { root } from '../../tools/entries.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 300_000 });

const folder = join(root, 'site/dist');
let served: Served;
let browser: Browser;

/** The part of puppeteer-core that is used here besides. */
interface Page extends Tab {
  waitForFunction(script: string, options: { readonly timeout: number }): Promise<unknown>;
  type(selector: string, text: string): Promise<void>;
}

async function open(path: string): Promise<Page> {
  const page = (await browser.newPage()) as Page;
  await page.goto(served.url + path);
  return page;
}

async function until(page: Page, condition: string): Promise<void> {
  await page.waitForFunction(condition, { timeout: 30_000 });
}

beforeAll(async () => {
  // A build of its own mode, as vitest's would be that of tests.
  const env = { ...process.env, NODE_ENV: 'production' };
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'tools/build-site.ts')], {
    cwd: root,
    env,
    encoding: 'utf8',
  });
  expect(status, stdout + stderr).toBe(0);
  served = await servePage(folder);
  browser = await startBrowser(browserKinds[0]!);
});
afterAll(async () => {
  await browser.close();
  served.close();
});

it('has a page for each page of the documentation, and what programs read', () => {
  const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
  expect(pages.length).toBeGreaterThan(15);
  expect(pages.filter((name) => !existsSync(join(folder, name.replace('.md', '.html'))))).toEqual([]);
  expect(readFileSync(join(folder, 'llms.txt'), 'utf8')).toContain('tutorial');
  expect(readFileSync(join(folder, 'llms-full.txt'), 'utf8').length).toBeGreaterThan(100_000);
});

it('leads from home to the tutorial', async () => {
  const page = await open('');
  await until(page, "document.querySelector('.VPHero')?.innerText.includes('Sluice')");
  await page.click('.VPHero a[href*="tutorial"]');
  await until(page, "location.pathname.includes('tutorial') && document.querySelector('main h1') !== null");
});

it('finds a page by a word in it', async () => {
  const page = await open('index.html');
  await until(page, "document.querySelector('.VPNavBarSearch button') !== null");
  await page.click('.VPNavBarSearch button');
  await until(page, "document.querySelector('#localsearch-input') !== null");
  await page.type('#localsearch-input', 'dictionary');
  await until(page, "document.querySelectorAll('.VPLocalSearchBox .result').length > 0");
  await page.click('.VPLocalSearchBox .result');
  await until(page, "document.querySelector('main')?.innerText.toLowerCase().includes('dictionary')");
});

it('explains a diagnostic on a page of its own', async () => {
  const page = await open('diagnostics/E2012.html');
  await until(page, "document.querySelector('main h1')?.innerText.includes('E2012')");
  expect(await page.evaluate("document.querySelector('main').innerText")).toContain(
    "there is no variable 'cuont' here",
  );
});

it('opens a script of a page in the playground', async () => {
  const page = await open('tutorial.html');
  await until(page, "document.querySelector('a.run') !== null");
  const script = (await page.evaluate("document.querySelector('.runs code').innerText")) as string;
  await page.goto((await page.evaluate("document.querySelector('a.run').href")) as string);
  await until(page, "document.documentElement.dataset.ready === 'true'");
  const shown = (await page.evaluate("document.querySelector('.cm-content').innerText")) as string;
  expect(shown.trim()).toBe(script.trim());
});
