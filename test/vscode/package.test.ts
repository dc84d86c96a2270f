// The extension as a package: its manifest says what there is, the problem matcher reads what the command writes, and
// vsce makes a package of the bundles without a network, which holds no more than it should.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { commands as commandsOfLine } from '../../src/cli/commands.ts';
import { lensTitles } from '../../src/language-server/code-lenses.ts';
import { extensionFolder } from './highlighter.ts';

interface Manifest {
  readonly version: string;
  readonly icon: string;
  readonly engines: { readonly vscode: string };
  readonly capabilities: { readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] } };
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string }[];
    readonly menus: Readonly<Record<string, readonly { readonly command: string }[]>>;
    readonly keybindings: readonly { readonly command: string }[];
    readonly languages: readonly { readonly configuration: string; readonly icon: Readonly<Record<string, string>> }[];
    readonly grammars: readonly { readonly path: string }[];
    readonly snippets: readonly { readonly path: string }[];
    readonly configuration: { readonly properties: Readonly<Record<string, unknown>> };
    readonly taskDefinitions: readonly {
      readonly properties: { readonly command: { readonly enum: readonly string[] } };
    }[];
    readonly problemMatchers: readonly { readonly pattern: readonly Readonly<Record<string, string | number>>[] }[];
  };
}

const read = (path: string): string => readFileSync(join(extensionFolder, path), 'utf8');
const manifest = JSON.parse(read('package.json')) as Manifest;
const { contributes } = manifest;
const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'sluice-vsix-'));
afterAll(() => rmSync(folder, { recursive: true }));

const sources = [
  'extension',
  'desktop',
  'web',
  'settings',
  'desktop/run-commands',
  'desktop/tasks',
  'desktop/loops',
  'desktop/wasm-text',
  'desktop/command-line',
]
  .map((name) => read(`src/${name}.ts`))
  .join('\n');

describe('the manifest', () => {
  it('has the version of the packages', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'packages/sluice/package.json'), 'utf8')) as Manifest;
    expect(manifest.version).toBe(version);
  });

  it('names files that are there', () => {
    const paths = [
      manifest.icon,
      ...contributes.languages.flatMap(({ configuration, icon }) => [configuration, ...Object.values(icon)]),
      ...contributes.grammars.map(({ path }) => path),
      ...contributes.snippets.map(({ path }) => path),
    ];
    expect(paths.filter((path) => !existsSync(join(extensionFolder, path)))).toEqual([]);
    expect(statSync(join(extensionFolder, manifest.icon)).size).toBeLessThan(20_000);
  });

  it('declares the commands that its menus and keys start', () => {
    const declared = new Set(contributes.commands.map(({ command }) => command));
    const used = [...Object.values(contributes.menus).flat(), ...contributes.keybindings].map(({ command }) => command);
    expect(used.filter((command) => !declared.has(command))).toEqual([]);
  });

  it('calls what the lenses start by the same name', () => {
    const titles = new Map(contributes.commands.map(({ command, title }) => [command, title]));
    expect(titles.get('sluice.run')).toBe(`${lensTitles.run} File`);
    expect(titles.get('sluice.bench')).toBe(`${lensTitles.bench} File`);
  });

  it('declares the settings that the sources read, and no others', () => {
    const named = [...read('src/settings.ts').matchAll(/found\.get\('([\w.]+)'/g)].map(([, name]) => `sluice.${name}`);
    // The client itself reads this one.
    const declared = Object.keys(contributes.configuration.properties).filter((name) => name !== 'sluice.trace.server');
    expect(named.toSorted()).toEqual(declared.toSorted());
  });

  it('gives no workspace that is not trusted a say in what is started', () => {
    const { restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    const starting = ['sluice.languageServer', 'sluice.path', 'sluice.plugins', 'sluice.run.options'];
    expect(restrictedConfigurations.toSorted()).toEqual(starting);
  });

  it('formats scripts itself', () => {
    const {
      publisher,
      name,
      contributes: given,
    } = JSON.parse(read('package.json')) as {
      readonly publisher: string;
      readonly name: string;
      readonly contributes: {
        readonly configurationDefaults: { readonly '[sluice]': Readonly<Record<string, unknown>> };
      };
    };
    expect(given.configurationDefaults['[sluice]']['editor.defaultFormatter']).toBe(`${publisher}.${name}`);
  });

  it('has tasks for commands that there are', () => {
    const known = commandsOfLine.map(({ name }) => name);
    const offered = contributes.taskDefinitions[0]!.properties.command.enum;
    expect(offered.filter((name) => !known.includes(name))).toEqual([]);
    expect(sources).toContain(`[${offered.map((name) => `'${name}'`).join(', ')}] as const`);
  });
});

describe('the problem matcher', () => {
  const [head, place] = contributes.problemMatchers[0]!.pattern;
  const check = (name: string, text: string): readonly string[] => {
    writeFileSync(join(folder, name), text);
    const words = [join(root, 'packages/sluice/bin/sluice.mjs'), 'check', name];
    return spawnSync(process.execPath, words, { cwd: folder, encoding: 'utf8' }).stderr.split('\n');
  };

  /** As VS Code reads them: two lines, one behind the other. */
  function problemsIn(lines: readonly string[]) {
    return lines.flatMap((line, at) => {
      const first = new RegExp(String(head!['regexp'])).exec(line);
      const second = new RegExp(String(place!['regexp'])).exec(lines[at + 1] ?? '');
      if (first === null || second === null) return [];
      const of = (match: RegExpExecArray, pattern: Readonly<Record<string, string | number>>, name: string) =>
        match[Number(pattern[name])];
      return [
        {
          severity: of(first, head!, 'severity'),
          code: of(first, head!, 'code'),
          message: of(first, head!, 'message'),
          file: of(second, place!, 'file'),
          line: of(second, place!, 'line'),
          column: of(second, place!, 'column'),
        },
      ];
    });
  }

  it('finds errors and warnings with their places', () => {
    expect(problemsIn(check('error.slu', 'main() {\n  yield "a" + 1;\n}\n'))).toEqual([
      {
        severity: 'Error',
        code: 'E2025',
        message: "Operator '+' not defined for (string, int)",
        file: 'error.slu',
        line: '2',
        column: '13',
      },
    ]);
    expect(problemsIn(check('warning.slu', 'main() {\n  int unused = 1;\n  yield 2;\n}\n'))).toMatchObject([
      { severity: 'Warning', file: 'warning.slu', line: '2', column: '7' },
    ]);
  });

  it('finds errors of syntax, and places in long files', () => {
    const lines = check('broken.slu', `${'// line\n'.repeat(1200)}int = 3;\n`);
    expect(problemsIn(lines)).toMatchObject([{ severity: 'Error', file: 'broken.slu', line: '1201' }]);
  });
});

describe('the package', () => {
  it('is made without a network, of the bundles and little else', { timeout: 120_000 }, () => {
    const vsce = join(extensionFolder, 'node_modules/@vscode/vsce/vsce');
    expect(existsSync(vsce), '`npm ci` in editors/vscode installs vsce').toBe(true);
    const out = join(folder, 'sluice.vsix');
    const options = [
      '--no-dependencies',
      '--skip-license',
      '--allow-missing-repository',
      '--no-rewrite-relative-links',
    ];
    const env = { ...process.env, npm_config_offline: 'true', npm_config_registry: 'http://127.0.0.1:9/' };
    const made = spawnSync(process.execPath, [vsce, 'package', ...options, '--out', out], {
      cwd: extensionFolder,
      encoding: 'utf8',
      env,
    });
    expect(made.status, made.stdout + made.stderr).toBe(0);
    expect(made.stdout + made.stderr).not.toContain('WARNING');
    const listed = spawnSync(process.execPath, [vsce, 'ls', '--no-dependencies'], {
      cwd: extensionFolder,
      encoding: 'utf8',
    });
    expect(listed.stdout.trim().split('\n').toSorted()).toMatchInlineSnapshot(`
      [
        "CHANGELOG.md",
        "README.md",
        "dist/desktop.cjs",
        "dist/server-worker.js",
        "dist/server.mjs",
        "dist/web.cjs",
        "images/file-dark.svg",
        "images/file-light.svg",
        "images/icon.png",
        "images/icon.svg",
        "language-configuration.json",
        "package.json",
        "snippets/sluice.json",
        "syntaxes/markdown.tmLanguage.json",
        "syntaxes/sluice.tmLanguage.json",
      ]
    `);
    expect(statSync(out).size).toBeLessThan(2 ** 20);
  });
});
