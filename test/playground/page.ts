// The page in a browser, as somebody at it has it: what can be pressed, typed and seen. Waiting is for what shall
// appear, never for a time.

import { startBrowser } from '../engines/browsers.ts';
import type { BrowserKind } from '../engines/browsers.ts';

/** The part of puppeteer-core that is used here. Scripts are texts, which the page evaluates. */
interface Browser {
  newPage(): Promise<Page>;
  defaultBrowserContext(): { overridePermissions(origin: string, names: readonly string[]): Promise<void> };
  close(): Promise<void>;
}

interface Page {
  goto(url: string): Promise<unknown>;
  evaluate(script: string): Promise<unknown>;
  click(selector: string): Promise<void>;
  select(selector: string, value: string): Promise<unknown>;
  $(selector: string): Promise<{ uploadFile(...paths: readonly string[]): Promise<void> } | null>;
  workers(): readonly { evaluate(script: string): Promise<unknown> }[];
  waitForFunction(script: string, options: { readonly timeout: number; readonly polling: number }): Promise<unknown>;
  setViewport(size: { readonly width: number; readonly height: number; readonly hasTouch?: boolean }): Promise<void>;
  emulateMediaFeatures(features: readonly { readonly name: string; readonly value: string }[]): Promise<void>;
  screenshot(options: { readonly path: string }): Promise<unknown>;
  close(): Promise<void>;
  bringToFront(): Promise<void>;
  on(event: 'pageerror', listener: (error: { readonly message?: string }) => void): void;
  readonly mouse: { move(x: number, y: number): Promise<void> };
  readonly keyboard: {
    type(text: string): Promise<void>;
    press(key: string): Promise<void>;
    down(key: string): Promise<void>;
    up(key: string): Promise<void>;
  };
}

const patience = 60_000;

export interface PlaygroundBrowser {
  readonly kind: BrowserKind;
  /** Lets the page of an address read what is copied, in browsers that can be told to. */
  allowClipboard(url: string): Promise<boolean>;
  /** A new tab with the page; waits until the compiler is there, and the page is isolated if it can be. */
  open(
    url: string,
    size?: { readonly width: number; readonly height: number },
    canIsolate?: boolean,
  ): Promise<Playground>;
  close(): Promise<void>;
}

export async function startPlayground(kind: BrowserKind): Promise<PlaygroundBrowser> {
  const browser = (await startBrowser(kind)) as unknown as Browser;
  return {
    kind,
    allowClipboard: async (url) => {
      if (kind.browser !== 'chrome') return false;
      const context = browser.defaultBrowserContext();
      await context.overridePermissions(new URL(url).origin, [
        'clipboard-read',
        'clipboard-write',
        'clipboard-sanitized-write',
      ]);
      return true;
    },
    open: async (url, size = { width: 1280, height: 800 }, canIsolate = true) => {
      const page = await browser.newPage();
      await page.bringToFront();
      await page.setViewport(size);
      const playground = new Playground(page);
      await playground.goTo(url, canIsolate);
      return playground;
    },
    close: () => browser.close(),
  };
}

export class Playground {
  readonly page: Page;
  readonly failures: string[] = [];

  constructor(page: Page) {
    this.page = page;
    page.on('pageerror', (error) => this.failures.push(error.message ?? String(error)));
  }

  async goTo(url: string, canIsolate = true): Promise<void> {
    // An address that differs in its fragment alone would not be loaded anew.
    await this.page.goto('about:blank');
    await this.page.goto(url);
    // Without suspending in the engine, the page is loaded twice: what is isolated stays.
    const isolated = canIsolate ? `(crossOriginIsolated || 'Suspending' in WebAssembly) && ` : '';
    await this.until(`${isolated}document.documentElement.dataset.ready`);
  }

  /** Waits for an expression of the page to hold. */
  async until(expression: string): Promise<void> {
    try {
      await this.#waitFor(expression);
    } catch (cause) {
      const seen = await this.page.evaluate('document.body.innerText').catch(() => 'nothing');
      throw new Error(`the page never had ${expression}; it shows:\n${String(seen).slice(0, 2_000)}`, { cause });
    }
  }

  /** Pages that are loaded anew meanwhile are waited for too. */
  async #waitFor(expression: string): Promise<void> {
    const end = Date.now() + patience;
    for (;;) {
      try {
        await this.page.waitForFunction(`!!(${expression})`, { timeout: end - Date.now(), polling: 50 });
        return;
      } catch (error) {
        if (Date.now() > end - 1_000 || !/context|navigat|realm|frame/i.test(String(error))) throw error;
      }
    }
  }

  text(selector: string): Promise<string> {
    return this.page.evaluate(
      `document.querySelector(${JSON.stringify(selector)})?.textContent ?? ''`,
    ) as Promise<string>;
  }

  /** Waits for an element to have a text in it. */
  async sees(selector: string, text: string): Promise<void> {
    await this.until(
      `[...document.querySelectorAll(${JSON.stringify(selector)})].some((one) => one.checkVisibility() && ` +
        `one.textContent.includes(${JSON.stringify(text)}))`,
    );
  }

  /** Presses the button with that text. */
  async press(text: string, selector = 'button'): Promise<void> {
    await this.sees(selector, text);
    await this.page.evaluate(
      `[...document.querySelectorAll(${JSON.stringify(selector)})].find((one) => one.checkVisibility() && ` +
        `one.textContent.includes(${JSON.stringify(text)})).setAttribute('data-pressed', '')`,
    );
    await this.page.click('[data-pressed]');
    await this.page.evaluate(
      `document.querySelectorAll('[data-pressed]').forEach((one) => one.removeAttribute('data-pressed'))`,
    );
  }

  /** Replaces the script, as by the keyboard: select all, and paste. */
  async setScript(text: string): Promise<void> {
    await this.page.click('.cm-content');
    await this.chord('Control', 'a');
    await this.page.evaluate(`document.execCommand('insertText', false, ${JSON.stringify(text)})`);
    await this.until(`document.querySelector('.cm-content').textContent !== ''`);
  }

  /** Moves the mouse over a text in the editor. */
  async pointAt(text: string): Promise<void> {
    const [x, y] = JSON.parse(
      (await this.page.evaluate(`(() => {
        const walker = document.createTreeWalker(document.querySelector('.cm-content'), NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) {
          const at = walker.currentNode.data.indexOf(${JSON.stringify(text)});
          if (at < 0) continue;
          const range = new Range();
          range.setStart(walker.currentNode, at);
          range.setEnd(walker.currentNode, at + 1);
          const { x, y, width, height } = range.getBoundingClientRect();
          return JSON.stringify([x + width / 2, y + height / 2]);
        }
      })()`)) as string,
    ) as [number, number];
    await this.page.mouse.move(0, 0);
    await this.page.mouse.move(x, y);
  }

  async chord(modifier: string, key: string): Promise<void> {
    await this.page.keyboard.down(modifier);
    await this.page.keyboard.press(key);
    await this.page.keyboard.up(modifier);
  }

  script(): Promise<string> {
    return this.page.evaluate(
      `[...document.querySelectorAll('.cm-line')].map((line) => line.textContent).join('\\n')`,
    ) as Promise<string>;
  }

  /** Presses Run and waits for the end. */
  async run(): Promise<void> {
    await this.begin();
    await this.ended();
  }

  async begin(): Promise<void> {
    await this.page.evaluate(`document.querySelector('#said').textContent = ''`);
    await this.page.click('#run');
  }

  async ended(): Promise<void> {
    await this.until(`!document.querySelector('#run').hidden && document.querySelector('#said').textContent !== ''`);
  }
}
