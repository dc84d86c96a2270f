// How a process is started: with nothing of its owner's but the way to it, and so that it does not outlive its owner.

import { spawn } from 'node:child_process';
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { HostError } from '../errors/errors.ts';
import { ownOptions } from '../primordials/own-options.ts';

/** A descriptor of the process, by which it and its owner talk. */
export const channelDescriptor = 3;

const shell = '/bin/sh';
/** Frames of scripts may take half of it. */
const stackKib = 32_768;

/**
 * What the shell does before it becomes the process. Something that waits for the end of the owner is left beside it: a
 * process in an endless loop hears of nothing, and the system tells children nothing. It is of the process's own group,
 * so that the number of the process, which it ends, is nobody else's while it is there.
 */
const launch = [
  '(exec <&- >&- 2>&- 3>&-; read -r _ <&4; kill -9 $$) &',
  'exec 4<&-',
  // No image of its memory when it ends, no byte in any file, and few descriptors.
  'ulimit -c 0; ulimit -f 0; ulimit -n 64',
  `if ulimit -s ${stackKib + 8192} 2>/dev/null; then exec "$0" --stack-size=${stackKib} "$@" ${stackKib * 512}; ` +
    'else exec "$0" "$@" 0; fi',
].join('\n');

/**
 * What the engine itself can refuse. Code that has broken out of a script in there finds no file, process, thread,
 * addon or, from Node 25 on, network.
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
  /** What the engine may take for its heap; null for what it usually does. */
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
    // Without prototypes: Node would take what is left out, such as `shell`, from Object.prototype.
    child = spawn(
      program,
      values,
      ownOptions<SpawnOptions>({
        cwd: hasShell ? '/' : undefined,
        env: ownOptions<Record<string, string>>({}),
        // Windows ends the processes of one that ends, but for those that are detached.
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
  // What Node says of it later has been said here.
  child.on('error', () => {});
  throw new HostError('no process can be started here: too many files are open');
}

/** Node makes none where too many files are open, whatever its types say. */
function hasStreams(child: { readonly stdio?: unknown }): boolean {
  return child.stdio !== undefined;
}

/** What the engine reads is asked for by its real path. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** The one file; where the host runs from its sources, these. */
function readable(path: string): readonly string[] {
  return import.meta.url.endsWith('.ts') && path.endsWith('.ts')
    ? [fileURLToPath(new URL('../../', import.meta.url))]
    : [path];
}
