// A real VS Code: code-server serves it to browsers. Where it is installed, how the extension is packaged and installed
// in it from the file, and a server with data of its own, which ends without a trace.

import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { root } from '../../tools/entries.ts';

const installed = join(import.meta.dirname, 'node_modules/code-server');
const program = join(installed, 'out/node/entry.js');

/** What keeps questions, news and the network away. */
const quietSettings = {
  'chat.disableAIFeatures': true,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  // As on the desktop.
  'files.autoSave': 'off',
  'git.enabled': false,
  'security.workspace.trust.enabled': false,
  'telemetry.telemetryLevel': 'off',
  // Drawn on a canvas its text could not be read.
  'terminal.integrated.gpuAcceleration': 'off',
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

export class CodeServer {
  readonly url: string;
  readonly #process: ChildProcess;
  readonly #home: string;

  private constructor(url: string, child: ChildProcess, home: string) {
    this.url = url;
    this.#process = child;
    this.#home = home;
  }

  /** Installs an extension from its file and starts a server; its settings are those of a user. */
  static async start(vsix: string, settings: Readonly<Record<string, unknown>> = {}): Promise<CodeServer> {
    const home = mkdtempSync(join(tmpdir(), 'sluice-code-'));
    mkdirSync(join(home, 'data/User'), { recursive: true });
    writeFileSync(join(home, 'data/User/settings.json'), JSON.stringify({ ...quietSettings, ...settings }));
    // VS Code asks a login shell for PATH, which is to have this very Node.
    writeFileSync(join(home, '.bash_profile'), `export PATH=${JSON.stringify(environmentOf(home)['PATH'])}\n`);
    const { status, stdout, stderr } = spawnSync(process.execPath, wordsFor(home, '--install-extension', vsix), {
      env: environmentOf(home),
      encoding: 'utf8',
    });
    if (status !== 0 || !stdout.includes('was successfully installed')) throw new Error(stdout + stderr);
    const options = ['--auth=none', '--bind-addr=127.0.0.1:0', '--disable-telemetry', '--disable-update-check'];
    const child = spawn(process.execPath, wordsFor(home, ...options), {
      env: environmentOf(home),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new CodeServer(await addressOf(child), child, home);
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#process.once('exit', resolve));
    this.#process.kill();
    await ended;
    rmSync(this.#home, { recursive: true, force: true, maxRetries: 5 });
  }
}

function wordsFor(home: string, ...words: readonly string[]): string[] {
  const places = [
    `--config=${home}/config.yaml`,
    `--user-data-dir=${home}/data`,
    `--extensions-dir=${home}/extensions`,
  ];
  return [program, ...places, ...words];
}

/** Nothing of whoever runs the tests. */
function environmentOf(home: string): NodeJS.ProcessEnv {
  const path = [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter);
  return { HOME: home, PATH: path, LANG: 'C.UTF-8', SHELL: '/bin/bash' };
}

async function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    for (const stream of [child.stdout!, child.stderr!])
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        const [, url] = /HTTP server listening on (http\S+)/.exec(said) ?? [];
        if (url !== undefined) resolve(url);
      });
    child.once('exit', (code) => reject(new Error(`code-server ended with ${code}:\n${said}`)));
  });
}

/** Throws what to do where it is not installed. */
export function needCodeServer(): void {
  // npm writes this one at the end of an installation.
  if (!existsSync(join(installed, 'lib/vscode/node_modules/.package-lock.json')))
    throw new Error('`npm run install:code-server` installs the VS Code that the extension is tested in');
}

/** Packages the extension, and says where the file is. */
export function packageExtension(): string {
  const extension = join(root, 'editors/vscode');
  const { status, stdout, stderr } = spawnSync('npm', ['run', '-s', 'package'], { cwd: extension, encoding: 'utf8' });
  if (status !== 0) throw new Error(stdout + stderr);
  return join(extension, 'dist/sluice.vsix');
}
