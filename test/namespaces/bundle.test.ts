// What lies in the folders of namespaces for others than the host is not in what the host is shipped as.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { flags } from '../../runtime-host/namespaces/file/command-line/flags.ts';
import { rows } from '../../runtime-host/namespaces/file/rows.ts';
import { packageFolder } from '../../tools/entries.ts';

const folder = join(packageFolder('sluice-host'), 'dist');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.js'))
  .map((name) => [name, readFileSync(join(folder, name), 'utf8')] as const);
const filesWith = (text: string): readonly string[] =>
  files.filter(([, content]) => content.includes(text)).map(([name]) => name.replaceAll('\\', '/'));

describe('the package of the host', () => {
  it('has no flags of the command line', () => {
    for (const { name } of [...flags.allowing, ...flags.denying]) expect(filesWith(name), name).toEqual([]);
  });

  it('has no rows of the library', () => {
    for (const { signature } of rows.functions) expect(filesWith(signature), signature).toEqual([]);
  });

  it('has the functions that ask for permission in files of their own', () => {
    const fault = 'it leads through too many links';
    expect(filesWith(fault)).toContain('browser/sluice-host-file.js');
    expect(filesWith(fault)).not.toContain('browser/sluice-host.js');
  });
});
