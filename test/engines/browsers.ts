// The browsers that the suites run in: how to find one, what to say where it is not, and a page in it that runs
// groups of checks. puppeteer-core drives them; it is installed here, not with the product.

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { GroupResult } from './suites.ts';

export interface BrowserKind {
  readonly name: string;
  readonly browser: 'chrome' | 'firefox';
  /** Names of the program, in the order of preference. */
  readonly programs: readonly string[];
  /** What installs it. */
  readonly install: string;
  readonly flags: readonly string[];
  readonly preferences: Readonly<Record<string, boolean>>;
}

const chromium: BrowserKind = {
  name: 'Chromium',
  browser: 'chrome',
  programs: ['chromium', 'chromium-browser', 'google-chrome'],
  install: 'apt-get install chromium',
  flags: [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
  ],
  preferences: {},
};

const firefox: BrowserKind = {
  name: 'Firefox',
  browser: 'firefox',
  programs: ['firefox-esr', 'firefox'],
  install: 'apt-get install firefox-esr',
  flags: [],
  preferences: {},
};

/** The last one stands for Firefox before 153, where suspending is an experiment. */
export const browserKinds: readonly BrowserKind[] = [
  chromium,
  firefox,
  {
    ...firefox,
    name: 'Firefox without JSPI',
    preferences: { 'javascript.options.wasm_js_promise_integration': false },
  },
];

/** A page that runs groups of checks. */
export interface BrowserPage {
  readonly version: string;
  readonly lacking: readonly string[];
  readonly run: (suite: string, name: string) => Promise<GroupResult>;
  readonly close: () => Promise<void>;
}

/** The part of puppeteer-core that is used here. */
interface Puppeteer {
  launch(options: object): Promise<Browser>;
}

export interface Browser {
  version(): Promise<string>;
  newPage(): Promise<Tab>;
  close(): Promise<void>;
}

/** Scripts are texts, which the page evaluates. */
export interface Tab {
  goto(url: string): Promise<unknown>;
  evaluate(script: string): Promise<unknown>;
  click(selector: string): Promise<void>;
}

/** Why the suites cannot run in a browser here, with what would mend it; null if they can. */
export async function whyNotHere(kind: BrowserKind): Promise<string | null> {
  if (findProgram(kind) === null) return `${kind.install} installs the browser`;
  return (await loadPuppeteer()) === null ? '`npm ci` in test/engines installs what drives it' : null;
}

/** Starts a browser of which `whyNotHere` says nothing. */
export async function startBrowser(kind: BrowserKind): Promise<Browser> {
  return (await loadPuppeteer())!.launch({
    browser: kind.browser,
    executablePath: findProgram(kind)!,
    headless: true,
    args: kind.flags,
    extraPrefsFirefox: kind.preferences,
    // One topic is one call, on a machine that is busy with other tests.
    protocolTimeout: 300_000,
  });
}

/** Starts the browser with a page of the server. */
export async function openPage(kind: BrowserKind, url: string): Promise<BrowserPage> {
  const browser = await startBrowser(kind);
  try {
    const page = await browser.newPage();
    await navigate(page, url);
    const call = async (expression: string): Promise<unknown> =>
      JSON.parse(
        (await page.evaluate(
          `import('/page.js').then(async (page) => JSON.stringify(await page.${expression}))`,
        )) as string,
      );
    return {
      version: /[\d.]+/.exec(await browser.version())![0],
      lacking: (await call('lacking()')) as readonly string[],
      run: async (suite, name) => (await call(`run(${JSON.stringify(suite)}, ${JSON.stringify(name)})`)) as GroupResult,
      close: () => browser.close(),
    };
  } catch (error) {
    await browser.close();
    throw error;
  }
}

/**
 * Firefox on a busy machine may say that it has loaded a page and evaluate the next script in the blank one before it.
 */
export async function navigate(page: Tab, url: string): Promise<void> {
  let found: unknown;
  for (let attempts = 0; attempts < 5; attempts++) {
    await page.goto(url);
    found = await page.evaluate('location.href');
    if (found === url) return;
  }
  throw new Error(`the browser is at ${String(found)} after it was sent to ${url}`);
}

async function loadPuppeteer(): Promise<Puppeteer | null> {
  // Not a literal: the product is checked and tested where it is not installed too.
  const name = 'puppeteer-core';
  try {
    return ((await import(name)) as { readonly default: Puppeteer }).default;
  } catch (error) {
    if ((error as { readonly code?: string }).code === 'ERR_MODULE_NOT_FOUND') return null;
    throw error;
  }
}

/** Where the browser is; null where it is not installed. */
export function findProgram({ programs }: BrowserKind): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const paths = programs.flatMap((program) => folders.map((folder) => join(folder, program)));
  return paths.find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
