// The extension as on a desktop: a project of two files, and each thing that its user does. The steps follow one
// another in one window.

import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { root } from '../../tools/entries.ts';
import { command, Workspace } from '../language-server/client.ts';
import { openWindow } from './steps.ts';

const folder = new Workspace({
  'elsewhere.slu': 'yield sum;\n',
  'project/shapes.slu': '/* The area of a square. */\nint square(int side) {\n  return side * side;\n}\n',
  'project/main.slu': `import "./shapes.slu" as shapes;

main(int limit = 3) {
  int total = 0;
  for (int side=1;side<=limit;side++) {
      total+=shapes.sqare( side );
  }
  yield \`total \${total}\`;
}
`,
  'project/closed.slu': 'main() {\n  yield "a" - 1;\n}\n',
  'project/reading.slu': 'main() {\n  yield File.read("note.txt").trim();\n}\n',
  'project/note.txt': 'read with permission\n',
  'project/.vscode/tasks.json': JSON.stringify({
    version: '2.0.0',
    tasks: [
      { type: 'sluice', command: 'check', file: 'closed.slu', group: { kind: 'build', isDefault: true } },
      {
        label: 'elsewhere',
        type: 'shell',
        command: 'node_modules/.bin/sluice check ../elsewhere.slu',
        // With an owner of its own it takes nothing of another task out of the list.
        problemMatcher: { base: '$sluice', owner: 'elsewhere' },
        group: { kind: 'test', isDefault: true },
      },
    ],
  }),
});
const project = join(folder.path, 'project');

/** Registers the tests; `vsix` is the file of the extension, once there is one. */
export function testDesktop(vsix: () => string): void {
  beforeAll(() => {
    // As `npm install` puts the command into a project.
    mkdirSync(join(project, 'node_modules/.bin'), { recursive: true });
    symlinkSync(command, join(project, 'node_modules/.bin/sluice'));
  });
  const window = openWindow(vsix, folder, { folder: project });

  const problems = "texts('.markers-panel .monaco-list-row')";
  const terminal = "texts('.terminal-wrapper.active .xterm-rows > div')";

  it('marks a mistake, and lists it and those of files that are not open', async () => {
    await window().openFile('main.slu');
    await window().until("parts('.squiggly-error').length === 1");
    // It moves the lines below it.
    await window().until("texts('.codelens-decoration a').includes('Run')");
    await window().press('Control+Shift+m');
    await window().until(`${problems}.length === 4`);
    expect(await window().read(problems)).toEqual([
      expect.stringMatching(/^closed\.slu/),
      expect.stringMatching(/^Operator '-' not defined for \(string, int\) sluice/),
      expect.stringMatching(/^main\.slu/),
      expect.stringMatching(/^the file that is called shapes here has no function 'sqare'/),
    ]);
    await window().press('Control+j');
  });

  it('mends the mistake by its quick fix', async () => {
    await window().click(await window().place('sqare'));
    await window().press('Control+.');
    await window().clickPart('.action-widget .monaco-list-row', "Write 'square'");
    await window().until("parts('.squiggly-error').length === 0");
    expect(await window().lines()).toContain('      total+=shapes.square( side );');
  });

  it('says what a function of the other file is, where the mouse rests on it', async () => {
    const shown = await window().hover('square');
    expect(shown).toContain('int square(int side)');
    expect(shown).toContain('The area of a square.');
    expect(shown).toContain('shapes.slu');
    expect(shown).not.toContain(project);
  });

  it('renames the function in both files', async () => {
    await window().click(await window().place('square'));
    await window().press('F2');
    await window().until("document.activeElement?.matches('.rename-box input')");
    await window().type('area');
    await window().press('Enter');
    await window().until("lines().some((line) => plain(line.textContent).includes('shapes.area( side )'))");
    await window().command('File: Save All');
    await expect.poll(() => folder.read('project/main.slu'), { timeout: 30_000 }).toContain('shapes.area( side )');
    expect(folder.read('project/shapes.slu')).toContain('int area(int side)');
  });

  it('formats the script', async () => {
    await window().command('Format Document');
    await window().until("lines().some((line) => plain(line.textContent) === '    total += shapes.area(side);')");
    await window().press('Control+s');
    await expect.poll(() => folder.read('project/main.slu'), { timeout: 30_000 }).toBe(`import "./shapes.slu" as shapes;

main(int limit = 3) {
  int total = 0;
  for (int side = 1; side <= limit; side++) {
    total += shapes.area(side);
  }
  yield \`total \${total}\`;
}
`);
  });

  it('completes what the other file declares', async () => {
    await window().click(await window().place('yield'));
    await window().press('End');
    await window().press('Enter');
    await window().type('yield shapes.');
    await window().until("texts('.suggest-widget .monaco-list-row').some((row) => row.startsWith('area'))");
    await window().press('Enter');
    await window().until("lines().some((line) => plain(line.textContent).startsWith('  yield shapes.area('))");
    await window().command('File: Revert File');
    await window().until("lines().every((line) => !plain(line.textContent).startsWith('  yield shapes'))");
  });

  it('runs the script by its lens, in a terminal', async () => {
    await window().clickPart('.codelens-decoration a', 'Run');
    await window().until(`${terminal}.includes('total 14')`);
  });

  it('runs it with the arguments that are asked for', async () => {
    await window().openFile('main.slu');
    await window().command('Sluice: Run File with Arguments…');
    await window().until("texts('.quick-input-title').includes('main(int limit = 3)')");
    await window().type('limit=4');
    await window().press('Enter');
    await window().until(`${terminal}.includes('total 30')`);
  });

  it('shows what a script asks for, and asks in the terminal when it runs', async () => {
    await window().openFile('reading.slu');
    await window().until("texts('.codelens-decoration').some((text) => text.includes('asks: --allow-file-read='))");
    await window().clickPart('.codelens-decoration a', 'Run');
    await window().until(`${terminal}.includes('y, a, n or d?')`);
    await window().type('y');
    await window().press('Enter');
    await window().until(`${terminal}.includes('read with permission')`);
  });

  it('lists what tasks report of scripts elsewhere, and no mistake of the project twice', async () => {
    await window().openFile('main.slu');
    await window().command('Tasks: Run Build Task');
    const hasEnded = (file: string): string =>
      `['Executing task', '${file}', '1 error', 'press any key'].every((text) => ${terminal}.join('').includes(text))`;
    await window().until(hasEnded('closed.slu'));
    await window().command('Tasks: Run Test Task');
    await window().until(hasEnded('elsewhere.slu'));
    await window().press('Control+Shift+m');
    await window().until(`${problems}.some((text) => text.startsWith('elsewhere.slu'))`);
    expect(await window().read(problems)).toEqual([
      expect.stringMatching(/^elsewhere\.slu/),
      expect.stringMatching(/'sum'.*E2012/),
      expect.stringMatching(/^closed\.slu/),
      expect.stringMatching(/^Operator '-'/),
    ]);
  });

  it('explains a loop behind its head', async () => {
    await window().openFile('main.slu');
    const explained = `lines().flatMap((line) => [...line.querySelectorAll('span')])
    .map((part) => getComputedStyle(part, '::after').content)
    .filter((text) => text.includes('fast:'))`;
    await window().command('Sluice: Explain Loops: What Makes Each Fast or Slow');
    await window().until(`${explained}.length === 1`);
    await window().command('Sluice: Hide Explanations of Loops');
    await window().until(`${explained}.length === 0`);
  });

  it('shows the module as text beside the script', async () => {
    await window().command('Sluice: Show WebAssembly Text');
    await window().until("texts('.view-line').some((line) => line.startsWith('(module'))");
  });

  it('says which server it is, and goes on with another one', async () => {
    const { version } = JSON.parse(readFileSync(join(root, 'editors/vscode/package.json'), 'utf8')) as {
      version: string;
    };
    const item = `document.getElementById('status.languageStatus')`;
    await window().rest(await window().read(`middleOf(${item}.getBoundingClientRect())`));
    await window().until(
      `texts('.monaco-hover').some((text) => text.includes('the server of the extension ${version}'))`,
    );
    await window().command('Sluice: Restart Language Server');
    await window().openFile('shapes.slu');
    await window().click(await window().place('return'));
    await window().press('End');
    await window().type(' return sid;');
    await window().until("parts('.squiggly-error').length === 1");
  });
}
