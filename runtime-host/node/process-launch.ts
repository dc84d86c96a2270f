// Starts a process that inherits nothing from its owner except the channel, and that does not outlive its owner.

import { spawn } from 'node:child_process';
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { HostError } from '../errors/errors.ts';
import { ownOptions } from '../primordials/own-options.ts';

/** The descriptor through which the process and its owner communicate. */
export const channelDescriptor = 3;

const shell = '/bin/sh';
/** The estimated frames of scripts may take half of it. */
const stackKib = 32_768;

/**
 * What the shell does before it becomes the process. It leaves a watcher that waits for the owner's end and then kills
 * the process: a process in an endless loop notices nothing, and the system does not tell children. The watcher is in
 * the group of the process, so that the process's number cannot be reused while the watcher exists.
 */
const launch = [
  '(exec <&- >&- 2>&- 3>&-; read -r _ <&4; kill -9 $$) &',
  'exec 4<&-',
  // No core dump, no writing to files, and few descriptors.
  'ulimit -c 0; ulimit -f 0; ulimit -n 64',
  `if ulimit -s ${stackKib + 8192} 2>/dev/null; then exec "$0" --stack-size=${stackKib} "$@" ${stackKib * 512}; ` +
    'else exec "$0" "$@" 0; fi',
].join('\n');

/**
 * What the engine itself can deny. Code that escapes from a script in the process finds no files, processes, threads,
 * addons or, from Node 25 on, network.
 */
const flags = [
  '--permission',
  '--disallow-code-generation-from-strings',
  '--disable-proto=throw',
  '--no-addons',
  '--no-global-search-paths',
  '--no-deprecation',
  '--no-warnings',
];

export interface LaunchOptions {
  readonly file: URL | string;
  /** The greatest heap of the engine; null for its default. */
  readonly heapBytes: number | null;
}

/** Throws HostError. */
export function launchProcess({ file, heapBytes }: LaunchOptions): ChildProcess {
  const path = realPath(file instanceof URL || file.startsWith('file:') ? fileURLToPath(file) : file);
  const heap = heapBytes === null ? [] : [`--max-old-space-size=${Math.ceil(heapBytes / 2 ** 20)}`];
  const given = [...flags, ...heap, ...readable(path).map((place) => `--allow-fs-read=${place}`), path];
  const hasShell = process.platform !== 'win32' && existsSync(shell);
  const [program, values] = hasShell
    ? [shell, ['-c', launch, process.execPath, ...given]]
    : [process.execPath, [...given, '0']];
  let child: ChildProcess;
  try {
    // Without prototypes: Node would read missing options, such as `shell`, from Object.prototype.
    child = spawn(
      program,
      values,
      ownOptions<SpawnOptions>({
        cwd: hasShell ? '/' : undefined,
        env: ownOptions<Record<string, string>>({}),
        // When a process ends, Windows ends its children, except detached ones.
        detached: process.platform !== 'win32',
        windowsHide: true,
        stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
      }),
    );
  } catch (error) {
    throw new HostError(
      `no process can be started here: ${(error as { readonly code?: string }).code ?? 'the system refuses it'}`,
    );
  }
  if (hasStreams(child)) return child;
  // Errors that Node reports later are handled elsewhere.
  child.on('error', () => {});
  throw new HostError('no process can be started here: too many files are open');
}

/** Despite its types, Node makes no streams if too many files are open. */
function hasStreams(child: { readonly stdio?: unknown }): boolean {
  return child.stdio !== undefined;
}

/** The engine checks its reads by their real path. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** The files that the process may read: one bundle, or the sources if the host runs from those. */
function readable(path: string): readonly string[] {
  return import.meta.url.endsWith('.ts') && path.endsWith('.ts')
    ? [fileURLToPath(new URL('../../', import.meta.url))]
    : [path];
}
