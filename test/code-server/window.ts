// A window of VS Code in Chromium, worked with as a user does: by keys, by the mouse, and by reading what it shows.

import { setTimeout } from 'node:timers/promises';
import { browserKinds, startBrowser } from '../engines/browsers.ts';
import type { Browser, Tab } from '../engines/browsers.ts';

/** In ms; the machine may be busy. */
const patience = 60_000;

/** The part of puppeteer-core that is used here besides. */
interface Page extends Omit<Tab, 'goto'> {
  goto(url: string, options: { readonly timeout: number }): Promise<unknown>;
  readonly keyboard: {
    press(key: string): Promise<void>;
    down(key: string): Promise<void>;
    up(key: string): Promise<void>;
    type(text: string): Promise<void>;
  };
  readonly mouse: {
    move(x: number, y: number): Promise<void>;
    click(x: number, y: number): Promise<void>;
  };
  setViewport(size: { readonly width: number; readonly height: number }): Promise<void>;
  screenshot(options: { readonly path: string }): Promise<unknown>;
  waitForFunction(script: string, options: { readonly timeout: number }): Promise<unknown>;
}

/**
 * What expressions that the page evaluates may use: the texts of parts of it, the lines of the editor from above, where
 * a word of a line is, and where a part is that has a text.
 */
const helpers = `
  const plain = (text) => text.replaceAll('\\u00a0', ' ').replaceAll('\\u200b', '').replaceAll('\\u200c', '').trimEnd();
  const parts = (selector) => [...document.querySelectorAll(selector)];
  const texts = (selector) => parts(selector).map((part) => plain(part.innerText).replaceAll('\\n', ' '));
  const topOf = (part) => part.getBoundingClientRect().top;
  const lines = () =>
    parts('.editor-group-container.active .view-lines > .view-line').sort((a, b) => topOf(a) - topOf(b));
  const middleOf = ({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 });
  const placeOfWord = (word, part) => {
    const line = lines().find((found) => plain(found.textContent).includes(part));
    if (line === undefined) return null;
    const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      const start = plain(node.data).indexOf(word);
      if (start < 0) continue;
      const range = document.createRange();
      range.setStart(node, start);
      range.setEnd(node, start + word.length);
      return middleOf(range.getBoundingClientRect());
    }
    return null;
  };
  const placeOfPart = (selector, text) => {
    const found = parts(selector).find((part) => plain(part.innerText) === text);
    return found === undefined ? null : middleOf(found.getBoundingClientRect());
  };
`;

interface Place {
  readonly x: number;
  readonly y: number;
}

export class EditorWindow {
  readonly #browser: Browser;
  readonly #page: Page;

  private constructor(browser: Browser, page: Page) {
    this.#browser = browser;
    this.#page = page;
  }

  /** Opens a folder, and waits until its files are listed. */
  static async open(url: string, folder: string): Promise<EditorWindow> {
    const browser = await startBrowser(browserKinds[0]!);
    try {
      const page = (await browser.newPage()) as unknown as Page;
      await page.setViewport({ width: 1280, height: 800 });
      await page.goto(`${url}?folder=${encodeURIComponent(folder)}`, { timeout: 2 * patience });
      const window = new EditorWindow(browser, page);
      await window.until("texts('.explorer-folders-view .monaco-list-row').length > 0");
      return window;
    } catch (error) {
      await browser.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#browser.close();
  }

  async screenshot(path: string): Promise<void> {
    await this.#page.screenshot({ path });
  }

  /** Waits until an expression, which may use the helpers, is true. */
  async until(condition: string, timeout = patience): Promise<void> {
    await this.#page.waitForFunction(`(() => { ${helpers} return ${condition}; })()`, { timeout });
  }

  /** What an expression is, which may use the helpers. */
  async read<Value>(expression: string): Promise<Value> {
    return (await this.#page.evaluate(`(() => { ${helpers} return ${expression}; })()`)) as Value;
  }

  /** Presses a key, or several at once: `Control+Shift+p`. */
  async press(keys: string): Promise<void> {
    const all = keys.split('+');
    for (const key of all.slice(0, -1)) await this.#page.keyboard.down(key);
    await this.#page.keyboard.press(all.at(-1)!);
    for (const key of all.slice(0, -1).toReversed()) await this.#page.keyboard.up(key);
  }

  async type(text: string): Promise<void> {
    await this.#page.keyboard.type(text);
  }

  /** Starts a command by its title in the palette. */
  async command(title: string): Promise<void> {
    await this.press('F1');
    await this.#choose(title);
  }

  async openFile(name: string): Promise<void> {
    await this.press('Control+p');
    await this.#choose(name);
    await this.until(`document.querySelector('.tabs-container .tab.active')?.dataset.resourceName === ${quote(name)}`);
    await this.until('lines().length > 0');
  }

  async #choose(text: string): Promise<void> {
    await this.until("document.activeElement?.matches('.quick-input-widget input')");
    await this.type(text);
    await this.until(
      `texts('.quick-input-widget .monaco-list-row.focused').some((row) => row.startsWith(${quote(text)}))`,
    );
    await this.press('Enter');
    await this.until("document.activeElement?.matches('.quick-input-widget input') === false");
  }

  /** The lines that the editor shows. */
  async lines(): Promise<readonly string[]> {
    return this.read('lines().map((line) => plain(line.textContent))');
  }

  /** Where a word is, in the first line of the editor that has `part` in it, once it is shown. */
  async place(word: string, part = word): Promise<Place> {
    return this.#whereOnce(`placeOfWord(${quote(word)}, ${quote(part)})`);
  }

  /** Waits until the place is there, and stays where it is: lenses move the lines below them. */
  async #whereOnce(expression: string): Promise<Place> {
    for (let before: Place | null = null; ;) {
      await this.until(`${expression} !== null`);
      const found = await this.read<Place | null>(expression);
      if (found !== null && found.x === before?.x && found.y === before.y) return found;
      before = found;
      await setTimeout(200);
    }
  }

  async click({ x, y }: Place): Promise<void> {
    await this.#page.mouse.click(x, y);
  }

  /** What a hover says of a word; the mouse comes again where the server was not there yet. */
  async hover(word: string): Promise<string> {
    const hovers = "texts('.monaco-hover-content').filter((text) => !/^(Loading.*)?$/.test(text))";
    for (let attempts = 0; attempts < 5; attempts++) {
      await this.#page.mouse.move(0, 0);
      await this.rest(await this.place(word));
      const isShown = await this.until(`${hovers}.length > 0`, 6000).then(
        () => true,
        () => false,
      );
      if (!isShown) continue;
      const [text] = await this.read<string[]>(hovers);
      await this.press('Escape');
      return text!;
    }
    throw new Error(`no hover says what ${word} is`);
  }

  /** Rests with the mouse on a place. */
  async rest({ x, y }: Place): Promise<void> {
    await this.#page.mouse.move(x, y - 1);
    await this.#page.mouse.move(x, y);
  }

  /** Clicks at what a selector finds that has this text, once it is there. */
  async clickPart(selector: string, text: string): Promise<void> {
    await this.click(await this.#whereOnce(`placeOfPart(${quote(selector)}, ${quote(text)})`));
  }
}

function quote(text: string): string {
  return JSON.stringify(text);
}
