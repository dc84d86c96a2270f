// What people install packages with, each in a folder and a home of its own, from the registry of the test.

import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { packageNames } from '../../tools/entries.ts';

const execute = promisify(execFile);

const tools = join(import.meta.dirname, 'node_modules');

export interface Installer {
  readonly name: string;
  /** How a command of Node is run there, if not by itself. */
  readonly node?: readonly string[];
  readonly install: (folder: string, registry: string) => Promise<void>;
}

/** Why the tools of the packages cannot be run here; null if they can. */
export function whyNoTools(): string | null {
  return existsSync(join(tools, 'publint')) ? null : '`npm ci` in test/packages installs what this test runs';
}

/** The path of a tool that is installed here. */
export function toolPath(path: string): string {
  return join(tools, path);
}

const yarn = toolPath('@yarnpkg/cli-dist/bin/yarn.js');

function yarnWith(linker: string): Installer['install'] {
  return async (folder, registry) => {
    const settings = {
      npmRegistryServer: registry,
      unsafeHttpWhitelist: ['127.0.0.1'],
      enableTelemetry: false,
      enableGlobalCache: false,
      nodeLinker: linker,
      npmMinimalAgeGate: 0,
      enableImmutableInstalls: false,
    };
    writeFileSync(join(folder, '.yarnrc.yml'), JSON.stringify(settings));
    writeFileSync(join(folder, 'yarn.lock'), '');
    await run(folder, [yarn, 'add', ...packageNames]);
  };
}

export const installers: readonly Installer[] = [
  {
    name: 'npm',
    install: async (folder, registry) =>
      void (await execute('npm', ['install', ...packageNames, `--registry=${registry}`, '--no-audit', '--no-fund'], {
        cwd: folder,
        env: surroundings(folder),
        shell: process.platform === 'win32',
      })),
  },
  {
    name: 'pnpm',
    install: (folder, registry) =>
      run(folder, [
        toolPath('pnpm/bin/pnpm.mjs'),
        'add',
        ...packageNames,
        `--registry=${registry}`,
        '--config.minimum-release-age=0',
      ]),
  },
  { name: 'yarn', install: yarnWith('node-modules') },
  { name: 'yarn without node_modules', node: [yarn, 'node'], install: yarnWith('pnp') },
];

/** Runs what Node is given, in a folder as its user would find it. */
export async function run(folder: string, given: readonly string[]): Promise<void> {
  await runNode(folder, given);
}

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export async function runNode(folder: string, given: readonly string[]): Promise<Ended> {
  try {
    return { code: 0, ...(await execute(process.execPath, [...given], { cwd: folder, env: surroundings(folder) })) };
  } catch (error) {
    const { code, stdout, stderr } = error as { readonly code: unknown } & Ended;
    if (typeof code !== 'number') throw error;
    if (given[0]!.startsWith(tools)) throw new Error(`${given.join(' ')}: ${stdout}${stderr}`, { cause: error });
    return { code, stdout, stderr };
  }
}

/** Nothing of who runs the test: only this Node is in front of every other. */
function surroundings(folder: string): NodeJS.ProcessEnv {
  const home = join(dirname(folder), 'home');
  mkdirSync(home, { recursive: true });
  const { PATH = '', SystemRoot } = process.env;
  return {
    PATH: `${dirname(process.execPath)}${delimiter}${PATH}`,
    HOME: home,
    USERPROFILE: home,
    XDG_CACHE_HOME: join(home, 'cache'),
    CI: 'true',
    COREPACK_ENABLE_STRICT: '0',
    ...(SystemRoot === undefined ? {} : { SystemRoot }),
  };
}
