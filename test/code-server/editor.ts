// VS Code in headless Chromium: code-server serves it, with the extension of this repository installed from its
// package. An `Editor` is a window with a folder opened, which a test uses as a person does, by keys, clicks and what
// it sees.

import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { browserKinds, startBrowser, whyNotHere } from '../engines/browsers.ts';
import type { Browser, Tab } from '../engines/browsers.ts';

const chromium = browserKinds.find(({ name }) => name === 'Chromium')!;
const program = join(import.meta.dirname, 'node_modules/code-server/out/node/entry.js');

/** What a window offers beside what other tests use of one. */
interface Page extends Tab {
  readonly keyboard: {
    press(key: string): Promise<void>;
    down(key: string): Promise<void>;
    up(key: string): Promise<void>;
    type(text: string, options?: { readonly delay: number }): Promise<void>;
  };
  readonly mouse: {
    click(x: number, y: number, options?: { readonly count: number }): Promise<void>;
    move(x: number, y: number, options?: { readonly steps: number }): Promise<void>;
  };
  setViewport(size: { readonly width: number; readonly height: number }): Promise<void>;
  screenshot(options: { readonly path: string }): Promise<unknown>;
}

interface Place {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface EditorOptions {
  /** The folder that is opened. */
  readonly project: string;
  /** For the editor's own files. */
  readonly scratch: string;
  readonly extension: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly isTrusted?: boolean;
}

/** Nothing but the editor: no greetings, no questions, no network. */
const quiet = {
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'chat.disableAIFeatures': true,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'editor.accessibilitySupport': 'off',
  'files.simpleDialog.enable': true,
  'terminal.integrated.gpuAcceleration': 'off',
};

export class Editor {
  readonly #server: ChildProcess;
  readonly #browser: Browser;
  readonly page: Page;

  private constructor(server: ChildProcess, browser: Browser, page: Page) {
    this.#server = server;
    this.#browser = browser;
    this.page = page;
  }

  static async start(options: EditorOptions): Promise<Editor> {
    const { scratch, project, extension, settings, environment = {}, isTrusted = true } = options;
    const user = join(scratch, 'user');
    mkdirSync(join(user, 'User'), { recursive: true });
    writeFileSync(join(user, 'User/settings.json'), JSON.stringify({ ...quiet, ...settings }));
    const folders = ['--user-data-dir', user, '--extensions-dir', join(scratch, 'extensions')];
    const env = { ...process.env, ...environment, HOME: scratch, XDG_CONFIG_HOME: scratch };
    const installed = spawnSync(process.execPath, [program, ...folders, '--install-extension', extension], { env });
    if (installed.status !== 0) throw new Error(`the extension is not installed: ${installed.stderr.toString()}`);
    const port = await freePort();
    const server = spawn(
      process.execPath,
      [
        program,
        ...folders,
        '--auth=none',
        `--bind-addr=127.0.0.1:${port}`,
        '--disable-telemetry',
        '--disable-update-check',
        '--disable-getting-started-override',
        ...(isTrusted ? ['--disable-workspace-trust'] : []),
        project,
      ],
      { env, stdio: 'ignore' },
    );
    try {
      await until('code-server answers', async () => (await fetch(`http://127.0.0.1:${port}/healthz`)).ok);
      const browser = await startBrowser(chromium);
      const page = (await browser.newPage()) as Page;
      await page.setViewport({ width: 1280, height: 800 });
      await page.goto(`http://127.0.0.1:${port}/?folder=${encodeURIComponent(project)}`);
      const editor = new Editor(server, browser, page);
      await editor.see('.monaco-workbench .part.statusbar');
      return editor;
    } catch (error) {
      server.kill('SIGKILL');
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#browser.close();
    this.#server.kill();
  }

  /** Waits for an element whose text has these words, and says where its middle is. */
  async see(selector: string, words = ''): Promise<Place> {
    return until(`an element ${selector} with "${words}"`, async () => {
      const found = await this.page.evaluate(
        `(() => {
          for (const element of document.querySelectorAll(${JSON.stringify(selector)})) {
            const text = (element.textContent ?? '').replaceAll('\\u00a0', ' ');
            const { x, y, width, height } = element.getBoundingClientRect();
            const isShown = width > 0 && height > 0;
            if (isShown && text.includes(${JSON.stringify(words)})) return JSON.stringify({ x, y, width, height });
          }
          return null;
        })()`,
      );
      return found === null ? null : (JSON.parse(found as string) as Place);
    });
  }

  async seeNo(selector: string, words = ''): Promise<void> {
    await until(
      `no element ${selector} with "${words}"`,
      async () => !(await this.texts(selector)).some((text) => text.includes(words)),
    );
  }

  async texts(selector: string): Promise<readonly string[]> {
    const found = await this.page.evaluate(
      `JSON.stringify([...document.querySelectorAll(${JSON.stringify(selector)})].map(({ textContent }) =>
        textContent.replaceAll('\\u00a0', ' ')))`,
    );
    return JSON.parse(found as string) as readonly string[];
  }

  async click(selector: string, words = ''): Promise<void> {
    const { x, y, width, height } = await this.see(selector, words);
    await this.page.mouse.click(x + width / 2, y + height / 2);
  }

  /** `Control+Shift+P` */
  async press(keys: string): Promise<void> {
    const all = keys.split('+');
    const last = all.pop()!;
    for (const key of all) await this.page.keyboard.down(key);
    await this.page.keyboard.press(last);
    for (const key of all.toReversed()) await this.page.keyboard.up(key);
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text, { delay: 15 });
  }

  /** A command by its title in the palette. */
  async command(title: string): Promise<void> {
    await this.press('F1');
    await this.see('.quick-input-widget');
    await this.type(title);
    await this.click('.quick-input-list .monaco-list-row', title);
    await this.seeNo('.quick-input-widget:not([style*="display: none"]) .quick-input-list .monaco-list-row', title);
  }

  /** Opens a file of the folder by name. */
  async open(name: string): Promise<void> {
    await this.press('Control+p');
    await this.see('.quick-input-widget');
    await this.type(name);
    await this.see('.quick-input-list .monaco-list-row.focused', name);
    await this.press('Enter');
    await this.see('.tab.active', name);
    await this.see('.editor-group-container.active .monaco-editor .view-line');
  }

  /** Puts the cursor in front of a column of a line, both from 1. */
  async goTo(line: number, column: number): Promise<void> {
    await this.press('Control+g');
    await this.see('.quick-input-widget');
    await this.type(`${line}:${column}`);
    await this.press('Enter');
    await this.see('.part.statusbar', `Ln ${line}, Col ${column}`);
  }

  /** Where a word of the text stands in the editor. */
  async word(line: string, word: string): Promise<Place> {
    return until(`"${word}" in the line "${line}"`, async () => {
      const found = await this.page.evaluate(
        `(() => {
          for (const element of document.querySelectorAll('.editor-group-container.active .view-line')) {
            const text = element.textContent.replaceAll('\\u00a0', ' ');
            if (!text.includes(${JSON.stringify(line)})) continue;
            let from = text.indexOf(${JSON.stringify(word)}, text.indexOf(${JSON.stringify(line)}));
            const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
            for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
              if (from < node.data.length) {
                const range = document.createRange();
                range.setStart(node, from);
                range.setEnd(node, Math.min(node.data.length, from + ${word.length}));
                const { x, y, width, height } = range.getBoundingClientRect();
                return JSON.stringify({ x, y, width, height });
              }
              from -= node.data.length;
            }
          }
          return null;
        })()`,
      );
      return found === null ? null : (JSON.parse(found as string) as Place);
    });
  }

  /** The colour in which a word is shown. */
  async colour(line: string, word: string): Promise<string> {
    const { x, y, width, height } = await this.word(line, word);
    const at = `document.elementFromPoint(${x + width / 2}, ${y + height / 2})`;
    return (await this.page.evaluate(`getComputedStyle(${at}).color`)) as string;
  }

  /** The lines that the editor shows. */
  async lines(): Promise<readonly string[]> {
    const found = await this.page.evaluate(
      `JSON.stringify([...document.querySelectorAll('.editor-group-container.active .view-line')]
        .map((e) => [e.offsetTop, e.textContent.replaceAll('\\u00a0', ' ')])
        .toSorted((a, b) => a[0] - b[0]).map(([, text]) => text))`,
    );
    return JSON.parse(found as string) as readonly string[];
  }

  async screenshot(path: string): Promise<void> {
    await this.page.screenshot({ path });
  }
}

/** What is missing here, with what installs it; null if nothing is. */
export async function whyNoEditor(): Promise<string | null> {
  const installed = [program, join(import.meta.dirname, 'node_modules/code-server/lib/vscode/node_modules')];
  if (!installed.every((path) => existsSync(path)))
    return '`node tools/install-test-packages.ts --full` installs VS Code';
  return whyNotHere(chromium);
}

/** Asks until there is an answer; says after a minute what did not come. */
export async function until<Answer>(what: string, ask: () => Promise<Answer | null | false>): Promise<Answer> {
  const end = Date.now() + 60_000;
  for (;;) {
    const answer = await ask().catch(() => null);
    if (answer !== null && answer !== false) return answer;
    if (Date.now() > end) throw new Error(`${what}: not within a minute`);
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
