// The extension in a browser: VS Code runs its web entry in a worker there, with the language server in another one.
// The settings of the server say so; elsewhere VS Code does the same where it has no machine behind it.

import { expect, it } from 'vitest';
import { Workspace } from '../language-server/client.ts';
import { openWindow } from './steps.ts';

const project = new Workspace({
  'shapes.slu': '/* The area of a square. */\nint square(int side) {\n  return side * side;\n}\n',
  'main.slu': 'import "./shapes.slu" as shapes;\n\nmain() {\n  yield shapes.square(3)+shapes.sqare(4) ;\n}\n',
});

/** Registers the tests; `vsix` is the file of the extension, once there is one. */
export function testWeb(vsix: () => string): void {
  const window = openWindow(vsix, project, { settings: { 'remote.extensionKind': { 'sluice.sluice': ['web'] } } });

  it('marks a mistake, and nothing that an imported file has', async () => {
    await window().openFile('main.slu');
    await window().until("parts('.squiggly-error').length === 1");
    await window().press('Control+Shift+m');
    await window().until("texts('.markers-panel .monaco-list-row').length === 2");
    const problems = await window().read<string[]>("texts('.markers-panel .monaco-list-row')");
    expect(problems[1]).toContain("no function 'sqare'");
    await window().press('Control+j');
  });

  it('underlines the path of the imported file, which leads there', async () => {
    await window().until("texts('.detected-link').includes('\"./shapes.slu\"')");
  });

  it('mends the mistake by its quick fix', async () => {
    await window().click(await window().place('sqare'));
    await window().press('Control+.');
    await window().clickPart('.action-widget .monaco-list-row', "Write 'square'");
    await window().until("parts('.squiggly-error').length === 0");
  });

  it('goes on after the server was started again', async () => {
    await window().command('Sluice: Restart Language Server');
    expect(await window().hover('square')).toContain('The area of a square.');
  });

  it('renames in both files', async () => {
    await window().click(await window().place('square'));
    await window().press('F2');
    await window().until("document.activeElement?.matches('.rename-box input')");
    await window().type('area');
    await window().press('Enter');
    await window().until("lines().some((line) => plain(line.textContent).includes('shapes.area('))");
    await window().command('File: Save All');
    await expect.poll(() => project.read('shapes.slu'), { timeout: 30_000 }).toContain('int area(int side)');
  });

  it('formats the script', async () => {
    await window().command('Format Document');
    await window().until("lines().some((line) => plain(line.textContent).includes(' + shapes.area('))");
    await window().press('Control+s');
    await expect
      .poll(() => project.read('main.slu'), { timeout: 30_000 })
      .toContain('yield shapes.area(3) + shapes.area(4);');
  });

  it('offers nothing that it cannot do there', async () => {
    expect(await window().read("texts('.codelens-decoration a')")).toEqual([]);
    await window().press('F1');
    await window().until("document.activeElement?.matches('.quick-input-widget input')");
    await window().type('Sluice: ');
    await window().until(
      "texts('.quick-input-widget .monaco-list-row').some((row) => row.startsWith('Sluice: Restart'))",
    );
    const offered = await window().read<string[]>("texts('.quick-input-widget .monaco-list-row')");
    expect(offered.filter((row) => /^Sluice: (?:Run|Test|Build|Benchmark|Explain|Show WebAssembly)/.test(row))).toEqual(
      [],
    );
  });
}
