// What functions can ask for: directly, through what they call, and the flag that allows it.

import { describe, expect, it } from 'vitest';
import { defineModule } from '../../runtime-host/api/node.ts';
import { commands } from '../../src/cli/commands.ts';
import { LibraryRegistry } from '../../src/library/registry.ts';
import { permissionsOf } from '../../src/queries/index.ts';
import { flagsOfPermissions } from '../../src/queries/permission-flags.ts';
import { ask } from './cursor.ts';

function permissions(script: string, others: Readonly<Record<string, string>> = {}, plugins?: readonly unknown[]) {
  const { analysis } = ask(script, others, plugins);
  return permissionsOf(analysis).map(
    ({ name, requests }) => `${name}: ${[...new Set(requests.map(({ flag }) => flag))].join(' ')}`,
  );
}

describe('permissions', () => {
  it('are known of every function', () => {
    expect(
      permissions(`string load() { return File.read("data/a.csv"); }
void save(string text) { File.write("out/b.txt", text); }
string pure(string text) { return text.upper(); }
main() {
  save(pure(load()));
}`),
    ).toEqual([
      'load: --allow-file-read=data',
      'save: --allow-file-write=out',
      'pure: ',
      'main: --allow-file-read=data --allow-file-write=out',
    ]);
  });

  it('are reached through other files, and behind a dot', () => {
    const lib =
      'string load(string path) { return File.read(path); }\nstring again(string p) { return p.load(); }\n' +
      'string x = Env.get("HOME");\nyield Http.get("https://never.example");';
    expect(permissions('import "lib.slu" as lib;\nyield lib.again("a");', { 'lib.slu': lib })).toEqual([
      '<top level>: --allow-env=HOME --allow-file-read=DIR',
    ]);
  });

  it('end where functions call each other', () => {
    expect(
      permissions(
        'int a(int n) { return b(n); }\nint b(int n) { return File.exists("x") ? a(n) : n; }\nmain() { yield a(1); }',
      ),
    ).toEqual(['a: --allow-file-read=.', 'b: --allow-file-read=.', 'main: --allow-file-read=.']);
  });

  it.each<readonly [string, string]>([
    ['File.read("a.txt")', '--allow-file-read=.'],
    ['File.read("/etc/a.txt")', '--allow-file-read=/etc'],
    ['File.read("/a.txt")', '--allow-file-read=/'],
    ['File.list("data/")', '--allow-file-read=data'],
    ['File.read(`data/${n}.txt`)', '--allow-file-read=data'],
    ['File.read("data/" + n.toString())', '--allow-file-read=data'],
    ['File.read(`${n}/a.txt`)', '--allow-file-read=DIR'],
    ['File.read(path)', '--allow-file-read=fixed'],
    ['Http.get("https://API.example.com/x?y=1")', '--allow-http-get=api.example.com'],
    ['Http.get(`https://api.example.com/${n}`)', '--allow-http-get=api.example.com'],
    ['Http.get(`https://api${n}.example.com/`)', '--allow-http-get=DOMAIN'],
    ['Http.get("https://api.example.com:8080/")', '--allow-http-get=api.example.com'],
    ['Env.get("HOME")', '--allow-env=HOME'],
  ])('%s wants %s', (call, flag) => {
    expect(permissions(`const string path = "fixed/a";\nint n = 1;\nyield ${call};\nyield n;`)).toEqual([
      `<top level>: ${flag}`,
    ]);
  });

  it('of plugins are their own', () => {
    const plugin = defineModule({
      name: 'Mail',
      functions: { 'void send(string to)': { permission: 'mail:send', call: () => undefined } },
    });
    expect(permissions('Mail.send("a");', {}, [plugin])).toEqual(['<top level>: --allow-plugin=mail:send']);
  });

  it('have flags that the command has', () => {
    const asked = new LibraryRegistry().libraries.flatMap(({ functions }) =>
      functions.flatMap(({ implementation }) =>
        implementation.kind === 'host' && implementation.permission !== null ? [implementation.permission] : [],
      ),
    );
    expect(Object.keys(flagsOfPermissions).sort()).toEqual([...new Set(asked)].sort());
    const flags = commands.find(({ name }) => name === 'run')!.options.map(({ name }) => name);
    for (const { flag } of Object.values(flagsOfPermissions)) expect(flags).toContain(flag);
  });
});
