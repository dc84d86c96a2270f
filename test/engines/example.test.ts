// The page in examples/browser, served by its own server and opened in real browsers: it compiles a script, shows what
// it yields while it still runs, asks, and honours every answer.

import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { browserKinds, navigate, startBrowser, whyNotHere } from './browsers.ts';
import type { Browser, Tab } from './browsers.ts';

let server: ChildProcess;
let url: string;

beforeAll(async () => {
  server = spawn(process.execPath, [fileURLToPath(new URL('../../examples/browser/serve.mjs', import.meta.url)), '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(server.stdout!, 'data')) as [Buffer];
  url = line.toString().trim();
});
afterAll(() => server.kill());

const texts = (selector: string): string =>
  `[...document.querySelectorAll('${selector}')].map((element) => element.textContent)`;

for (const kind of browserKinds) {
  // Without suspending, a page cannot wait for a person: that the host says so is tested with the suites.
  if (kind.name === 'Firefox without JSPI') continue;
  const reason = await whyNotHere(kind);
  if (reason !== null) {
    it.skip(`${kind.name} is not tested: ${reason}`);
    continue;
  }

  describe(kind.name, () => {
    let browser: Browser;
    let tab: Tab;
    beforeAll(async () => {
      browser = await startBrowser(kind);
    }, 60_000);
    afterAll(() => browser?.close());
    beforeEach(async () => {
      tab = await browser.newPage();
      await navigate(tab, url);
      await until("document.documentElement.dataset.ready === 'true'");
    });
    afterEach(async () => {
      await tab.evaluate("document.getElementById('stop').click()");
    });

    /** Looks again and again: the page's own policy forbids what puppeteer would wait with. */
    async function until(condition: string): Promise<void> {
      for (const end = Date.now() + 30_000; (await tab.evaluate(condition)) !== true;) {
        if (Date.now() > end) throw new Error(`it did not come to pass: ${condition}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }

    const output = async (): Promise<string[]> => (await tab.evaluate(texts('#output li'))) as string[];
    const files = async (): Promise<string[]> => (await tab.evaluate(texts('#files li'))) as string[];

    /** Waits for the question, and gives what it says. */
    async function question(): Promise<string[]> {
      await until("document.querySelector('dialog').open");
      return (await tab.evaluate(texts('#wish, #object'))) as string[];
    }

    /** Answers, and waits until the answer has been taken. */
    async function answer(value: string): Promise<void> {
      await tab.evaluate(
        "document.querySelector('dialog').dataset.answered = ''; " +
          "document.querySelector('dialog').addEventListener('close', (event) => { " +
          "event.target.dataset.answered = 'yes'; }, { once: true })",
      );
      await tab.click(`dialog button[value=${value}]`);
      await until("document.querySelector('dialog').dataset.answered === 'yes'");
    }

    async function run(script?: string): Promise<void> {
      if (script !== undefined)
        await tab.evaluate(`document.getElementById('script').value = ${JSON.stringify(script)}`);
      await tab.click('#run');
    }

    const ended = (): Promise<unknown> => until("!document.getElementById('run').disabled");

    it('streams, asks, and does what is allowed', async () => {
      await run();
      expect(await question()).toEqual(['This script wants to get', `${url}readings.txt`]);
      expect(await output()).toEqual([]);
      await answer('once');
      await until(
        "document.getElementById('wish').textContent.includes('write') && document.querySelector('dialog').open",
      );
      // The script waits for the answer; what it has yielded so far is there.
      expect(await output()).toEqual([
        '120 readings, 20.33 on average',
        'reading 31 is 29.02, above 25.63',
        'reading 77 is 33.49, above 25.63',
        'reading 104 is 28.45, above 25.63',
      ]);
      expect(await question()).toEqual(['This script wants to write the file', '/home/report.csv']);
      await answer('once');
      await ended();
      expect((await output()).slice(-2)).toEqual(['report.csv is written', '→ 33.49']);
      expect(await files()).toContain('/home/report.csv\n31,29.02\n77,33.49\n104,28.45\n');
    }, 60_000);

    it('does not do what is denied', async () => {
      await run();
      await question();
      await answer('once');
      await until(
        "document.getElementById('wish').textContent.includes('write') && document.querySelector('dialog').open",
      );
      await answer('deny');
      await ended();
      expect((await output()).slice(-2)).toEqual([
        'no report: File.write denied: the host does not permit it',
        '→ 33.49',
      ]);
      expect(await files()).toEqual(['/home/notes.txt\nNobody has touched this file.']);
    }, 60_000);

    it('asks once for a run where that was the answer, and each time otherwise', async () => {
      await run('for (int i = 0; i < 3; i++) yield File.read("notes.txt").length();');
      await question();
      await answer('once');
      await question();
      await answer('run');
      await ended();
      expect(await output()).toEqual(['29', '29', '29']);
    }, 60_000);

    it('keeps what lies outside of its files denied, whatever the answer', async () => {
      await run('File.write("/etc/motd", "x");');
      expect(await question()).toEqual(['This script wants to write the file', '/etc/motd']);
      await answer('run');
      await ended();
      expect(await output()).toEqual([
        expect.stringContaining('SecurityError: File.write denied: outside allowedDirectories'),
      ]);
    }, 60_000);

    it('shows mistakes with their place, and stops a script', async () => {
      await run('yield 1 +;');
      await ended();
      expect((await output())[0]).toMatch(/^SyntaxError E\d+: .*\n --> page.slu:1:/);
      await run('while (true) yield 1;');
      await until("document.querySelectorAll('#output li').length > 5");
      await tab.click('#stop');
      await ended();
      expect((await output()).at(-1)).toBe('stopped');
    }, 60_000);
  });
}
