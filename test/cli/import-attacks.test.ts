// A script of another's, checked by somebody who may read more than its author: what it imports is shown in messages.

import { linkSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Folder } from './sluice.ts';

const folder = new Folder();
afterAll(() => folder.remove());
const at = (name: string): string => join(folder.path, name);
const secret = 'user:SECRET-7431:0:0\n';

mkdirSync(at('outside'));
mkdirSync(at('scripts'));
folder.write('outside/passwd', secret);
folder.write('outside/.env', secret);
folder.write('outside/key.pem', secret);
folder.write('outside/hidden-name.txt', secret);
symlinkSync('../outside/passwd', at('scripts/link.slu'));
symlinkSync('../outside', at('scripts/folder.slu'));
folder.write('outside/own.slu', 'int f() { return 1; }\n');
symlinkSync('../outside/own.slu', at('scripts/other.slu'));
folder.write('outside/twice', 'int g() { return 2; }\n');
linkSync(at('outside/twice'), at('scripts/twice.slu'));

function check(path: string, format = 'text'): { code: number; output: string } {
  folder.write('scripts/main.slu', `import "${path}" as it;\nmain() { return it.f(); }\n`);
  const { code, stdout, stderr } = folder.run('check', 'scripts/main.slu', '--format', format);
  return { code: code!, output: stdout + stderr };
}

describe('an import of what is no script', () => {
  it.each([
    '../outside/passwd',
    '../outside/.env',
    '../outside/key.pem',
    'link.slu',
    'folder.slu/passwd',
    './../outside/./passwd',
  ])('%s shows nothing of it', (path) => {
    for (const format of ['text', 'json', 'sarif', 'github']) {
      const { code, output } = check(path, format);
      expect(code).toBe(1);
      expect(output).not.toContain('SECRET');
      expect(output).toContain('does not end in .slu');
    }
  });

  it('is no way to learn the names of files', () => {
    expect(check('../outside/hidden-nam.txt').output).not.toContain('hidden-name');
  });

  it('is one of a script through a link', () => {
    expect(check('other.slu')).toMatchObject({ code: 0 });
  });
});
