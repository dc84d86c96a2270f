// What people do at the page, step by step, in whatever browser.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { servePage } from './serve.ts';
import type { Stage } from './stage.ts';

export interface Story {
  readonly title: string;
  /** Whether each change is tested by it; all are before a release. */
  readonly isFirst?: true;
  readonly tell: (stage: Stage) => Promise<void>;
}

const squares = `type Point { int x; int square; }

main(int n = 5) {
  for (int i = 0; i < n; i++) {
    Point point = { x: i, square: i * i };
    yield piont;
  }
  return n;
}
`;

const documented = `// Makes it larger. <img src="x" onerror="throw new Error('a comment was run')">
int increase(int number, int by = 1) { return number + by; }

`;

const greeting = `main() {
  try {
    File.write("notes.txt", "water the plants");
    return File.read("notes.txt");
  } catch (SecurityError e) {
    return "refused";
  }
}
`;

/** What the page hands to the clipboard, which not every browser lets a test read. */
const heedCopies = `{
  const write = navigator.clipboard.writeText.bind(navigator.clipboard);
  navigator.clipboard.writeText = (text) => {
    globalThis.copied = text;
    return write(text);
  };
}`;

const asking = `main(string url) {
  try {
    yield Env.get("GREETING");
  } catch (SecurityError e) {
    yield "no variable";
  }
  try {
    return Http.get(url);
  } catch (SecurityError e) {
    return "no request";
  }
}
`;

const text = `[...document.querySelectorAll('.rows .row')].map((row) => row.textContent).join('\\n')`;

export const stories: readonly Story[] = [
  {
    title: 'a mistake, its fix by a click, values, their plot, and a link that opens with all of it',
    isFirst: true,
    tell: async ({ browser, served }) => {
      const page = await browser.open(served.url);
      await page.setScript(squares);
      await page.sees('.problem-message', 'piont');
      await page.sees('#problem-count', '1 error');
      await page.press('Apply fix');
      await page.sees('#problem-count', 'No problems');
      expect(await page.script()).toContain('yield point;');
      await page.run();
      // Structs with number fields are lines, with no word about it.
      await page.sees('[data-showing=plot][aria-pressed=true]', 'Plot');
      await page.until(`document.querySelector('.plot canvas') !== null`);
      await page.press('Text');
      expect(await page.page.evaluate(text)).toBe(
        ['0{"x":0,"square":0}', '1{"x":1,"square":1}', '2{"x":2,"square":4}', '3{"x":3,"square":9}']
          .concat(['4{"x":4,"square":16}', '→5'])
          .join('\n'),
      );
      await page.press('Table');
      await page.sees('.table-head', 'square');
      await page.press('Plot');
      await page.until(`/square from 0 to 16/.test(document.querySelector('.plot').getAttribute('aria-label'))`);
      await page.page.evaluate(heedCopies);
      const canRead = await browser.allowClipboard(served.url);
      await page.page.click('#share');
      await page.sees('#said', 'The link is copied.');
      const link = (await page.page.evaluate('copied')) as string;
      expect(link).toContain(`${served.url}#s1=`);
      if (canRead) expect(await page.page.evaluate('navigator.clipboard.readText()')).toBe(link);
      await page.page.evaluate('localStorage.clear()');
      const again = await browser.open(link);
      expect(await again.script()).toBe(await page.script());
      await again.run();
      await again.sees('[data-showing=plot][aria-pressed=true]', 'Plot');
      expect([...page.failures, ...again.failures]).toEqual([]);
      await page.page.close();
      await again.page.close();
    },
  },
  {
    title: 'what the language server knows, under the mouse, at the cursor, and by its keys',
    tell: async ({ browser, served }) => {
      const page = await browser.open(served.url);
      const { keyboard } = page.page;
      await page.setScript(documented);
      await page.sees('#problem-count', 'No problems');
      await page.pointAt('increase');
      await page.sees('.cm-lsp-hover-tooltip', 'Makes it larger');
      // What a comment says is text, whoever has written the script.
      expect(await page.page.evaluate(`document.querySelectorAll('.cm-lsp-hover-tooltip img').length`)).toBe(0);
      await page.chord('Control', 'End');
      await keyboard.type('yield inc');
      await page.sees('.cm-tooltip-autocomplete li[aria-selected]', 'increase');
      await page.sees('.cm-completionInfo', 'Makes it larger');
      // A list that has just appeared takes no key: it may have been meant for the text.
      await new Promise((resolve) => setTimeout(resolve, 200));
      await keyboard.press('Enter');
      await page.until(`document.querySelector('.cm-content').textContent.endsWith('yield increase(number)')`);
      await keyboard.type('3,');
      await page.sees('.cm-lsp-signature-tooltip .cm-lsp-active-parameter', 'int by');
      await keyboard.type(' 4');
      await keyboard.press('End');
      await page.sees('.cm-diagnostic, .problem-message', "';'");
      // Control and the full stop make the fix.
      await page.chord('Control', '.');
      await page.sees('#problem-count', 'No problems');
      await keyboard.press('Home');
      await page.chord('Control', 'ArrowRight');
      await keyboard.press('ArrowRight');
      await keyboard.press('ArrowRight');
      await keyboard.press('F2');
      await page.until(`document.activeElement.matches('.cm-lsp-rename-panel input')`);
      await keyboard.type('raise');
      await keyboard.press('Enter');
      await page.until(`document.querySelector('.cm-content').textContent.endsWith('yield raise(3, 4);')`);
      expect(await page.script()).toContain('int raise(int number, int by = 1)');
      await page.run();
      await page.sees('.row', '7');
      await page.setScript('main(){yield 1;return  2;}');
      await page.press('Format');
      await page.until(`document.querySelectorAll('.cm-line').length > 3`);
      expect(await page.script()).toBe('main() {\n  yield 1;\n  return 2;\n}\n');
      expect(page.failures).toEqual([]);
      await page.page.close();
    },
  },
  {
    title: 'mistakes in a script and in the file that it imports, and all sure fixes at once',
    tell: async ({ browser, served }) => {
      const page = await browser.open(`${served.url}#example=mistakes`);
      await page.sees('#problem-count', '3 errors');
      await page.press('Apply 2 sure fixes');
      await page.sees('#problem-count', '1 error');
      await page.press("Write 'count'");
      await page.sees('#problem-count', 'No problems');
      await page.run();
      await page.press('Text');
      await page.sees('.row', '→15');
      await page.page.select('#examples', 'trip');
      await page.sees('.argument', 'Place[]');
      await page.sees('#problem-count', 'No problems');
      await page.setScript('import "lib/geography.slu" as geography;\n\nmain() { return geography.nowhere(); }\n');
      await page.sees('#problem-count', '1 error');
      await page.sees('.problem-message', 'nowhere');
      expect(page.failures).toEqual([]);
      await page.page.close();
    },
  },
  {
    title: 'a permission that is denied, and the same one granted',
    tell: async ({ browser, served }) => {
      const page = await browser.open(served.url);
      await page.setScript(greeting);
      await page.begin();
      await page.sees('#permission', 'write the file');
      await page.sees('#wish-object', '/home/notes.txt');
      await page.press('Deny');
      await page.ended();
      expect(await page.page.evaluate(text)).toBe('→refused');
      await page.begin();
      await page.sees('#permission', 'write the file');
      await page.press('Allow always');
      await page.sees('#permission', 'read the file');
      await page.press('Allow once');
      await page.ended();
      expect(await page.page.evaluate(text)).toBe('→water the plants');
      // What is always allowed is not asked again, and the file is there.
      await page.begin();
      await page.sees('#permission', 'read the file');
      await page.page.keyboard.press('Escape');
      await page.ended();
      expect(await page.page.evaluate(text)).toBe('→refused');
      await page.press('Files', '[role=tab]');
      await page.press('notes.txt');
      await page.sees('#file-view', 'water the plants');
      expect(page.failures).toEqual([]);
      await page.page.close();
    },
  },
  {
    title: 'variables and requests, which ask, and nothing goes to another server without',
    tell: async ({ browser, served }) => {
      const folder = mkdtempSync(join(tmpdir(), 'sluice-elsewhere-'));
      writeFileSync(join(folder, 'water.txt'), 'plants are thirsty');
      const elsewhere = await servePage(folder);
      const page = await browser.open(served.url);
      try {
        await page.setScript(asking);
        await page.sees('.argument', 'url');
        await page.page.click('[name=url]');
        await page.page.keyboard.type(`${elsewhere.url}water.txt`);
        await page.begin();
        await page.sees('#permission', 'read the variable');
        await page.sees('#wish-object', 'GREETING');
        await page.press('Deny');
        await page.sees('#permission', 'fetch');
        await page.sees('#wish-object', `${elsewhere.url}water.txt`);
        await page.press('Deny');
        await page.ended();
        expect(await page.page.evaluate(text)).toBe('0no variable\n→no request');
        expect(elsewhere.asked).toEqual([]);
        // Nor can the compiler, the language server, or the page itself.
        const reach = `fetch(${JSON.stringify(elsewhere.url)} + 'water.txt').then(() => 'there', () => 'refused')`;
        expect(await page.page.evaluate(reach)).toBe('refused');
        // The language server, the engine, and the worker that the script ran in; only those of Chromium can be asked.
        const workers = page.page.workers();
        expect(workers.length).toBe(3);
        for (const worker of browser.kind.browser === 'chrome' ? workers : [])
          expect(
            await worker.evaluate(
              `new Promise((resolve) => {
                const request = new XMLHttpRequest();
                request.onload = () => resolve('there');
                request.onerror = () => resolve('refused');
                request.open('GET', ${JSON.stringify(elsewhere.url)} + 'water.txt');
                request.send();
              })`,
            ),
          ).toBe('refused');
        expect(elsewhere.asked).toEqual([]);
        await page.begin();
        await page.sees('#permission', 'read the variable');
        await page.press('Allow once');
        await page.sees('#permission', 'fetch');
        await page.press('Allow once');
        await page.ended();
        expect(await page.page.evaluate(text)).toBe('0Hello\n→plants are thirsty');
        expect(elsewhere.asked).toEqual(['water.txt']);
      } finally {
        await page.page.close();
        elsewhere.close();
        rmSync(folder, { recursive: true });
      }
    },
  },
  {
    title: 'files of the disk, as an argument and as an import',
    tell: async ({ browser, served }) => {
      const folder = mkdtempSync(join(tmpdir(), 'sluice-upload-'));
      const page = await browser.open(served.url);
      try {
        writeFileSync(join(folder, 'names.txt'), 'Ada\nGrace\n');
        writeFileSync(join(folder, 'greet.slu'), 'export string greet(string name) { return `Hi ${name}`; }\n');
        await page.press('Files', '[role=tab]');
        const upload = await page.page.$('#upload');
        await upload!.uploadFile(join(folder, 'names.txt'), join(folder, 'greet.slu'));
        await page.sees('.file', 'names.txt');
        await page.setScript(
          'import "greet.slu" as polite;\n\n' +
            'main(string names) {\n  foreach (string name in names.trim().split("\\n")) yield polite.greet(name);\n}\n',
        );
        await page.sees('#problem-count', 'No problems');
        await page.press('Results', '[role=tab]');
        await page.sees('.argument', 'names');
        await page.page.click('[name=names]');
        await page.page.keyboard.type('@names.txt');
        await page.run();
        expect(await page.page.evaluate(text)).toBe('0Hi Ada\n1Hi Grace');
        expect(page.failures).toEqual([]);
      } finally {
        await page.page.close();
        rmSync(folder, { recursive: true });
      }
    },
  },
  {
    title: 'an endless loop, stopped by the button, and another by the limit of time',
    tell: async ({ browser, served }) => {
      const page = await browser.open(served.url);
      await page.setScript('main() { int i = 0; yield "begun"; while (true) i++; }');
      await page.begin();
      await page.sees('.row', 'begun');
      await page.press('Stop');
      await page.ended();
      await page.sees('#said', 'Stopped');
      await page.press('Limits', '[role=tab]');
      await page.page.evaluate(
        `{
          const time = document.querySelector('[data-limit=timeMs]');
          time.value = 0;
          time.dispatchEvent(new Event('input'));
        }`,
      );
      await page.run();
      await page.sees('.row-error', 'TimeoutError');
      await page.sees('#said', 'TimeoutError');
      await page.page.close();
    },
  },
  {
    title: 'a hundred thousand values, of which the page makes a few elements',
    tell: async ({ browser, served }) => {
      const page = await browser.open(served.url);
      await page.setScript('main() { for (int i = 0; i < 100000; i++) yield `line ${i}`; }');
      await page.run();
      await page.sees('#said', '100,000 values');
      await page.sees('.row', 'line 99999');
      expect(await page.page.evaluate(`document.querySelectorAll('.rows .row').length`)).toBeLessThan(200);
      await page.page.close();
    },
  },
  {
    title: 'an error, and a jump to its line',
    tell: async ({ browser, served }) => {
      const page = await browser.open(served.url);
      await page.setScript(
        'int at(int[] xs, int i) {\n  return xs[i];\n}\n\nmain(int i = 7) {\n  return at([1, 2], i);\n}\n',
      );
      await page.run();
      await page.sees('.row-error', 'IndexOutOfBoundsError: index 7');
      await page.press('at at (playground.slu:2:', '.frame');
      await page.until(
        `document.activeElement.closest('.cm-editor') &&
          document.querySelector('.cm-line.cm-activeLine').textContent === '  return xs[i];'`,
      );
      await page.page.close();
    },
  },
  {
    title: 'arguments, which are checked at their field, and pictures in a frame that may do nothing',
    tell: async ({ browser, served }) => {
      const page = await browser.open(served.url);
      await page.setScript('main(int size) { return `<svg viewBox="0 0 ${size} ${size}"></svg><script>1</script>`; }');
      await page.sees('.argument', 'size');
      await page.page.click('[name=size]');
      await page.page.keyboard.type('ten');
      await page.begin();
      await page.sees('#said', 'size is an int');
      await page.page.evaluate(`document.querySelector('[name=size]').select()`);
      await page.page.keyboard.type('10');
      await page.until(`document.querySelector('[name=size]').value === '10'`);
      await page.page.keyboard.press('Enter');
      await page.sees('[data-showing=picture][aria-pressed=true]', 'Picture');
      expect(await page.page.evaluate(`document.querySelector('iframe').getAttribute('sandbox')`)).toBe('');
      expect(await page.page.evaluate(`document.querySelector('iframe').srcdoc`)).toContain('viewBox="0 0 10 10"');
      await page.page.close();
    },
  },
  {
    title: 'everything by the keyboard',
    isFirst: true,
    tell: async ({ browser, served }) => {
      const page = await browser.open(served.url);
      const { keyboard } = page.page;
      const focusOn = async (expression: string, most = 40): Promise<void> => {
        for (let presses = 0; presses < most; presses++) {
          if ((await page.page.evaluate(`!!(${expression})`)) === true) return;
          await keyboard.press('Tab');
        }
        throw new Error(`Tab never came to ${expression}`);
      };
      await focusOn(`document.activeElement.closest('.cm-content')`);
      await page.chord('Control', 'a');
      await keyboard.type('main() { yield 1; yield 4; return totl; }');
      await page.sees('#problem-count', '1 error');
      await page.chord('Control', 'z');
      await page.chord('Control', 'a');
      await keyboard.type('main() { yield 1; yield 4; }');
      await page.sees('#problem-count', 'No problems');
      await page.chord('Control', 'Enter');
      await page.sees('#said', '2 values');
      // Tab indents in the editor, and behind Escape leaves it; a list of completions takes the first.
      await keyboard.press('Enter');
      await keyboard.press('Tab');
      await keyboard.type('yie');
      await page.sees('.cm-tooltip-autocomplete', 'yield');
      await keyboard.press('Escape');
      await page.until(`document.querySelector('.cm-tooltip-autocomplete') === null`);
      expect(await page.page.evaluate(`document.activeElement.className`)).toContain('cm-content');
      await keyboard.press('Escape');
      await keyboard.press('Tab');
      await focusOn(`document.activeElement.id === 'tab-results'`);
      await keyboard.press('ArrowRight');
      await page.sees('#code-summary', 'in all');
      await keyboard.press('ArrowLeft');
      await focusOn(`document.activeElement.dataset.showing === 'table'`);
      await keyboard.press('Enter');
      await page.sees('.table-head', 'value');
      await focusOn(`document.activeElement.matches('.rows')`);
      // Whatever has the focus shows it.
      expect(await page.page.evaluate(`getComputedStyle(document.activeElement).outlineStyle`)).not.toBe('none');
      await page.page.close();
    },
  },
  {
    title: 'no network after the first load',
    tell: async ({ browser, served }) => {
      const page = await browser.open(served.url);
      await page.until(`document.documentElement.dataset.offline === 'true'`);
      served.cut(true);
      try {
        await page.goTo(served.url);
        await page.setScript('main() { yield 1; yield 2; return 3; }');
        await page.run();
        await page.sees('[data-showing=plot][aria-pressed=true]', 'Plot');
        await page.until(`document.querySelector('.plot canvas') !== null`);
        await page.page.select('#examples', 'weather');
        await page.until(`document.querySelector('.cm-content').textContent.includes('weather by month')`);
        await page.run();
        await page.sees('.row', 'Jul     26.0 °C         2.8   12 mm  ##');
        await page.sees('.row', '"wettest":"Nov","warmest":"Aug"');
      } finally {
        served.cut(false);
        await page.page.close();
      }
    },
  },
];
