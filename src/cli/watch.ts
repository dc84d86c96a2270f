// `--watch`: runs the command in a process of its own, and again whenever one of its files changes. The files are
// polled a few times a second: that works for every editor and every file system.

import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isWasm } from '../../runtime-host/engine/wasm-bytes.ts';
import { checkSource } from '../compile.ts';
import { escapeControls } from '../diagnostics/display.ts';
import type { CommandInput } from './command.ts';
import { exitCodes, UsageError } from './exit.ts';
import { fileReader } from './file-reader.ts';
import { decodeScript, readBytes } from './files.ts';
import { stderr } from './output.ts';
import { standardInput } from './standard-input.ts';

const lookMs = 150;
/** On a terminal the process gets Ctrl-C itself; it has this long to end by itself. */
const ownEndMs = 300;
/** If the search for a script's files takes longer, the files found so far are enough. */
const mostScanMs = 5_000;

/** What is run again and again. */
export interface Watched {
  /** The words of the command that is run. */
  readonly words: readonly string[];
  /** What is looked at from the start of each run on: the other files are found while it runs. */
  readonly first: readonly string[];
  /** The files and folders to look at, existing or not. */
  readonly find: () => readonly string[];
  /** How they are called. */
  readonly describe: (files: readonly string[]) => string;
}

/** `sluice run --watch`: until Ctrl-C. Throws UsageError. */
export function watchScript(input: CommandInput): Promise<number> {
  const { operand } = input;
  if (operand === standardInput) throw new UsageError('--watch looks at a file, and standard input is none', 'run');
  return watch({
    words: wordsOf('run', input),
    first: [operand],
    find: () => filesOf(input),
    describe: (files) => describe(files, operand),
  });
}

/** Runs until Ctrl-C. */
export async function watch(watched: Watched): Promise<number> {
  const session = new WatchSession(watched);
  try {
    return await session.run();
  } finally {
    session.close();
  }
}

class WatchSession {
  readonly #watched: Watched;
  #child: ChildProcess | null = null;
  #childEnd: Promise<void> = Promise.resolve();
  #files: readonly string[] = [];
  #isOver = false;
  #wake = (): void => {};
  readonly #end = (): void => {
    this.#isOver = true;
    this.#wake();
  };

  constructor(watched: Watched) {
    this.#watched = watched;
  }

  async run(): Promise<number> {
    process.on('SIGINT', this.#end);
    while (!this.#isOver) {
      const before = this.#watched.first.map((file) => [file, stateOf(file)] as const);
      this.#start();
      this.#files = this.#watched.find();
      const changed = await this.#change(before);
      await this.#stop();
      if (changed !== null) tell(`${escapeControls(changed)} has changed`);
    }
    return exitCodes.interrupted;
  }

  close(): void {
    process.off('SIGINT', this.#end);
  }

  #start(): void {
    const child = spawn(process.execPath, [...process.execArgv, process.argv[1]!, ...this.#watched.words], {
      stdio: 'inherit',
    });
    this.#child = child;
    this.#childEnd = new Promise((resolve) => {
      const end = (): void => {
        this.#child = null;
        if (!this.#isOver && !child.killed)
          tell(`waiting for a change of ${this.#watched.describe(this.#files)}; Ctrl-C ends it`);
        resolve();
      };
      child.once('exit', end).once('error', end);
    });
  }

  /** Ends the process if it still runs. */
  async #stop(): Promise<void> {
    const child = this.#child;
    if (child === null) {
      if (this.#isOver) stderr.line(`${stderr.isTerminal ? '\n' : ''}sluice: Ctrl-C has ended the watch`);
      return;
    }
    if (!this.#isOver) child.kill('SIGKILL');
    const insist = setTimeout(() => child.kill('SIGINT'), ownEndMs);
    await this.#childEnd;
    clearTimeout(insist);
  }

  /**
   * Waits for a change: the first changed file, once its content is stable, or null for Ctrl-C. `before` are the states
   * of the first files before the run.
   */
  async #change(before: readonly (readonly [string, string])[]): Promise<string | null> {
    const states = new Map([...this.#files.map((file) => [file, stateOf(file)] as const), ...before]);
    const find = (): string | null => [...states].find(([file, state]) => stateOf(file) !== state)?.[0] ?? null;
    let changed: string | null = null;
    while (changed === null && !this.#isOver) {
      await this.#pause();
      changed = find();
    }
    for (let last = ''; changed !== null && !this.#isOver;) {
      const now = stateOf(changed);
      if (now === last) break;
      last = now;
      await this.#pause();
    }
    return this.#isOver ? null : changed;
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, lookMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** The words of the command without --watch. */
export function wordsOf(command: string, { operands, switches, values }: CommandInput): readonly string[] {
  const options = [...values].flatMap(([name, given]) => given.map((value) => `--${name}=${value}`));
  return [
    command,
    ...operands,
    ...[...switches].filter((name) => name !== 'watch').map((name) => `--${name}`),
    ...options,
  ];
}

/** The script, its imports, existing or not, and the files of its options: arguments and plugins. */
function filesOf({ operand, values }: CommandInput): readonly string[] {
  const given = (values.get('arg') ?? []).flatMap((word) => /^[^=]+=@([^@].*)$/s.exec(word)?.[1] ?? []);
  return [...new Set([operand, ...importsOf(operand), ...given, ...(values.get('plugin') ?? [])])];
}

/** The files that a script imports, and these import, existing or not. */
export function importsOf(script: string): readonly string[] {
  const tried: string[] = [];
  const reader = fileReader();
  try {
    const bytes = readBytes(script);
    if (isWasm(bytes)) return [];
    checkSource(script, decodeScript(script, bytes), {
      limits: { timeMs: mostScanMs },
      reader: {
        ...reader,
        read: (path, importer) => {
          if (path !== '') tried.push(join(dirname(importer), path));
          return reader.read(path, importer);
        },
      },
    });
  } catch (error) {
    // The run itself reports what is wrong.
    if (!(error instanceof UsageError)) throw error;
  }
  return tried;
}

/** A text that changes when the file is written, replaced, removed or made. */
function stateOf(file: string): string {
  try {
    const { mtimeNs, size, ino } = statSync(file, { bigint: true });
    return `${mtimeNs} ${size} ${ino}`;
  } catch {
    return 'gone';
  }
}

function describe(files: readonly string[], script: string): string {
  const others = files.length - 1;
  const name = escapeControls(basename(script));
  if (others < 1) return name;
  return `${name} and ${others === 1 ? 'a file' : `${others} files`} that it needs`;
}

function tell(what: string): void {
  stderr.line(`sluice: ${what}`);
}
