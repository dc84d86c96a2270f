// Runs the command as a user does, in a process of its own and a folder of its own.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';

// Each command is a process; a busy machine may take its time over them.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const entry = fileURLToPath(new URL('../../packages/sluice/bin/sluice.mjs', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Surroundings {
  readonly folder?: string;
  readonly nodeOptions?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** What it reads from standard input; nothing if left out. */
  readonly input?: string | Uint8Array;
  /** The rights of files hold for root too. */
  readonly unprivileged?: boolean;
}

export function sluice(
  words: readonly string[],
  { folder, nodeOptions = [], environment = {}, input, unprivileged = false }: Surroundings = {},
): Ended {
  const command = [process.execPath, ...nodeOptions, entry, ...words];
  // Root reads everything by two capabilities, which a child can be started without.
  const [program, ...rest] =
    unprivileged && process.getuid?.() === 0
      ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search', ...command]
      : command;
  const { status, stdout, stderr } = spawnSync(program!, rest, {
    encoding: 'utf8',
    ...(input === undefined ? {} : { input }),
    // Nothing is kept from one run to the next, unless a test says where.
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      FORCE_COLOR: undefined,
      NO_COLOR: '1',
      XDG_CACHE_HOME: '/dev/null',
      ...environment,
    },
    ...(folder === undefined ? {} : { cwd: folder }),
  });
  return { code: status, stdout, stderr };
}

/** A folder with files in it, which is gone after the tests of the file that calls `remove`. */
export class Folder {
  readonly path = mkdtempSync(join(tmpdir(), 'sluice-cli-'));

  write(name: string, content: string | Uint8Array): string {
    writeFileSync(join(this.path, name), content);
    return name;
  }

  run(...words: readonly string[]): Ended {
    return sluice(words, { folder: this.path });
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
