// The extension in a real VS Code, used as a person does: a project of two files, a mistake mended by a click, hover,
// rename over both files, formatting, completion, runs in a terminal. Without its package, or the browser, it fails and
// says what installs them.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Editor, until, whyNoEditor } from './editor.ts';

const root = join(import.meta.dirname, '../..');
const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'sluice-editor-')));
const project = join(scratch, 'shapes');
const extension = join(scratch, 'sluice.vsix');

const geometry = `// Shapes and what they measure.
type Circle { double radius; }

// The area of a circle.
double area(Circle c) {
  return math.PI * c.radius * c.radius;
}
`;
const main = `import "geometry.slu" as geo;

main(int n = 3) {
  geo.Circle circle = { radius: n };
  yield \`area \${geo.area(circle).toFixed(2)}\`;
}
`;
const tests = `import "geometry.slu" as geo;

export void isRound() {
  if (geo.area({ radius: 0 }) != 0) throw "not round";
}
`;

/** Terminals of the editor start with the PATH of a login, not with ours: which Node runs the command is said here. */
const settings = {
  'terminal.integrated.env.linux': { PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter) },
};

let editor: Editor;

function open(options: Partial<Parameters<typeof Editor.start>[0]> = {}): Promise<Editor> {
  return Editor.start({ project, scratch, extension, settings, ...options });
}

beforeAll(async () => {
  const why = await whyNoEditor();
  if (why !== null) throw new Error(why);
  const vsce = join(root, 'editors/vscode/node_modules/@vscode/vsce/vsce');
  const words = [vsce, 'package', '--no-dependencies', '--skip-license', '--allow-missing-repository'];
  const made = spawnSync(process.execPath, [...words, '--no-rewrite-relative-links', '--out', extension], {
    cwd: join(root, 'editors/vscode'),
    encoding: 'utf8',
  });
  if (made.status !== 0) throw new Error(made.stdout + made.stderr);
  mkdirSync(join(project, 'node_modules/.bin'), { recursive: true });
  // As npm does it.
  symlinkSync(join(root, 'packages/sluice/bin/sluice.mjs'), join(project, 'node_modules/.bin/sluice'));
  writeFileSync(join(project, 'geometry.slu'), geometry);
  writeFileSync(join(project, 'main.slu'), main);
  writeFileSync(join(project, 'geometry.test.slu'), tests);
  editor = await open();
});

afterAll(async () => {
  await editor?.close();
  rmSync(scratch, { recursive: true, force: true });
});

describe('a project of two files', () => {
  it('is coloured', async () => {
    await editor.open('main.slu');
    const colourOf = async (line: string, word: string): Promise<string> => editor.colour(line, word);
    const keyword = await colourOf('yield', 'yield');
    expect(await colourOf('import', 'import')).toBe(keyword);
    expect(await colourOf('geo.Circle', 'circle')).not.toBe(keyword);
    expect(await colourOf('yield', 'area ')).not.toBe(keyword);
  });

  it('shows a mistake of an imported file, whose fix is a click', async () => {
    await editor.open('geometry.slu');
    await editor.see('.squiggly-error');
    const { x, y, width, height } = await editor.word('return math', 'math');
    await editor.page.mouse.click(x + width / 2, y + height / 2);
    await editor.press('Control+.');
    await editor.click('.action-widget .monaco-list-row', 'Math');
    await editor.seeNo('.squiggly-error');
    expect(await editor.lines()).toContain('  return Math.PI * c.radius * c.radius;');
  });

  it('says what a name is where the mouse rests on it', async () => {
    const { x, y, width, height } = await editor.word('double area', 'area');
    await editor.page.mouse.move(x - 60, y + 60);
    await editor.page.mouse.move(x + width / 2, y + height / 2, { steps: 5 });
    await editor.see('.monaco-hover', 'double area(Circle c)');
    await editor.see('.monaco-hover', 'The area of a circle.');
    await editor.press('Escape');
  });

  it('renames in both files', async () => {
    const { x, y, width, height } = await editor.word('double area', 'area');
    await editor.page.mouse.click(x + width / 2, y + height / 2);
    await editor.press('F2');
    await editor.see('.rename-box');
    await editor.press('Control+a');
    await editor.type('surface');
    await editor.press('Enter');
    await editor.word('double surface(Circle c)', 'surface');
    await editor.open('main.slu');
    await editor.word('geo.surface(circle)', 'surface');
    await editor.command('File: Save All');
    await until('both files are saved', async () =>
      ['geometry.slu', 'main.slu'].every((name) => readFileSync(join(project, name), 'utf8').includes('surface(')),
    );
  });

  it('is formatted', async () => {
    await editor.goTo(4, 1);
    await editor.press('Control+Shift+k');
    await editor.type('geo.Circle   circle={radius :n};\n');
    await editor.command('Format Document');
    await editor.word('  geo.Circle circle = { radius: n };', 'radius');
    expect((await editor.lines()).slice(0, 6)).toEqual(main.replace('area(', 'surface(').split('\n').slice(0, 6));
  });

  it('completes a member', async () => {
    await editor.goTo(4, 37);
    await editor.type('\nyield circle.');
    await editor.click('.suggest-widget .monaco-list-row', 'radius');
    if ((await editor.texts('.suggest-widget.visible')).length > 0) await editor.press('Enter');
    await editor.word('yield circle.radius', 'radius');
    await editor.type(';');
    await editor.seeNo('.squiggly-error');
  });

  it('runs in a terminal by its lens', async () => {
    await editor.click('.codelens-decoration a', 'Run');
    await editor.see('.xterm-rows', 'area 28.27');
    expect(readFileSync(join(project, 'main.slu'), 'utf8')).toContain('yield circle.radius;');
  });
});
