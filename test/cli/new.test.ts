// `sluice new`: what it makes works, and nothing is written over.

import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Folder, sluice } from './sluice.ts';

const folder = new Folder();
afterAll(() => folder.remove());

describe('new', () => {
  it('makes a folder that checks, runs and builds', () => {
    expect(sluice(['new', 'report'], { folder: folder.path, environment: { npm_command: '' } })).toEqual({
      code: 0,
      stdout: 'report: report.slu, README.md, .gitignore\nNext: cd report && sluice report.slu -a name=you\n',
      stderr: '',
    });
    const inside = { folder: join(folder.path, 'report') };
    expect(readdirSync(inside.folder).toSorted()).toEqual(['.gitignore', 'README.md', 'report.slu']);
    expect(sluice(['check', 'report.slu'], inside)).toEqual({
      code: 0,
      stdout: 'report.slu: nothing to complain about\n',
      stderr: '',
    });
    expect(sluice(['report.slu', '-a', 'name=Ada', '-a', 'times=2'], inside).stdout).toBe(
      '1. Hello, Ada!\n2. Hello, Ada!\n',
    );
    expect(sluice(['build', 'report.slu'], inside).code).toBe(0);
    if (process.platform !== 'win32') expect(statSync(join(inside.folder, 'report.slu')).mode & 0o111).toBe(0o111);
  });

  it('says how the command is found that npx has started', () => {
    const { stdout } = sluice(['new', 'local'], { folder: folder.path, environment: { npm_command: 'exec' } });
    expect(stdout).toContain('Next: cd local && npx sluice local.slu -a name=you\n');
    expect(readFileSync(join(folder.path, 'local/README.md'), 'utf8')).toContain('the command is `npx sluice`');
  });

  it('makes it where the shell is, and says no cd then', () => {
    mkdirSync(join(folder.path, 'here'));
    const { stdout } = sluice(['new', '.'], { folder: join(folder.path, 'here'), environment: { npm_command: '' } });
    expect(stdout).toBe('.: here.slu, README.md, .gitignore\nNext: sluice here.slu -a name=you\n');
  });

  it('makes it in a path, and in an empty folder', () => {
    mkdirSync(join(folder.path, 'empty'));
    expect(folder.run('new', 'empty').code).toBe(0);
    expect(folder.run('new', 'deep/in/it').code).toBe(0);
    expect(readdirSync(join(folder.path, 'deep/in/it'))).toContain('it.slu');
  });

  it('changes nothing that is there', () => {
    mkdirSync(join(folder.path, 'full'));
    writeFileSync(join(folder.path, 'full/notes.txt'), 'mine');
    const { code, stderr } = folder.run('new', 'full');
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'sluice: full is there already, with files in it: nothing has been changed\nType: sluice new full-2\n' +
        'sluice new --help says more\n',
    });
    expect(readdirSync(join(folder.path, 'full'))).toEqual(['notes.txt']);
    expect(folder.run('new', 'full/').stderr).toContain('Type: sluice new full-2\n');
    expect(folder.run('new', '.').stderr).toMatch(/Type: sluice new [\w.]*[\w-]+\n/);
    expect(folder.run('new', '.').stderr).not.toContain('.-2');
    folder.write('file', 'mine');
    expect(folder.run('new', 'file').stderr).toContain('cannot make file: there is a file of that name');
    expect(readFileSync(join(folder.path, 'file'), 'utf8')).toBe('mine');
  });

  it.each(['a b', 'x.slu', '.hidden', 'a;b', 'é'])('refuses the name %s', (name) => {
    const { code, stderr } = folder.run('new', name);
    expect(code).toBe(2);
    expect(stderr).toContain('a folder for scripts is named with letters');
  });
});
