// Standard output and standard error. They are written synchronously and in order, so that a script's values appear
// while it runs. Control characters of a script reach neither a terminal nor standard error, which people read in any
// case.

import { writeSync } from 'node:fs';
import { isatty } from 'node:tty';
import { styleText } from 'node:util';
import { escapeForTerminal, keepColours } from '../diagnostics/display.ts';
import { plainStyle } from '../diagnostics/render.ts';
import type { Style } from '../diagnostics/render.ts';
import { ClosedOutput, OutputFault } from './exit.ts';
import { reasonOf } from './files.ts';

const flushBytes = 65_536;
const flushMs = 20;

/** One of the two standard streams. */
export class OutputStream {
  readonly #descriptor: number;
  readonly isTerminal: boolean;
  /** Whether each line is written at once: on standard error and on a terminal. */
  readonly #isPrompt: boolean;
  #pending = '';
  #flushedAt = 0;
  /** Called when something is about to be written. */
  #onWrite: (() => void) | null = null;

  constructor(descriptor: number, isTerminal: boolean = isatty(descriptor)) {
    this.#descriptor = descriptor;
    this.isTerminal = isTerminal;
    this.#isPrompt = isTerminal || descriptor === 2;
  }

  /** Sets the function that is called before each write. */
  watch(onWrite: (() => void) | null): void {
    this.#onWrite = onWrite;
  }

  /** Replaces the terminal's current line. A status is not output, so the watching function is not called. */
  status(text: string): void {
    this.#writeWhole(`\r\u001b[K${text}`);
  }

  /** Writes text of our own at once, without a line end. */
  text(text: string): void {
    this.#pending += this.#shown(text);
    this.flush();
  }

  /** Writes a line of our own; our colours pass. */
  line(text: string): void {
    this.rawLine(this.#shown(text));
  }

  /** Writes a line unchanged, whatever it does to a terminal. */
  rawLine(text: string): void {
    this.#pending += `${text}\n`;
    const now = performance.now();
    if (!this.#isPrompt && this.#pending.length < flushBytes && now - this.#flushedAt < flushMs) return;
    this.flush();
    this.#flushedAt = now;
  }

  /** Writes a line with text of a script: unchanged for a file or a pipe, escaped for a terminal. */
  scriptLine(text: string): void {
    this.rawLine(this.isTerminal ? escapeForTerminal(text) : text);
  }

  /** Writes text of a script, as `scriptLine` does, without a line end behind it. */
  scriptText(text: string): void {
    this.#pending += this.isTerminal ? escapeForTerminal(text) : text;
    this.flush();
  }

  /** Writes bytes at once; waits while whoever reads them has no place for more. */
  bytes(bytes: Uint8Array): void {
    this.flush();
    this.#onWrite?.();
    this.#writeAll(bytes);
  }

  #shown(text: string): string {
    return this.#isPrompt ? keepColours(text) : text;
  }

  flush(): void {
    if (this.#pending === '') return;
    this.#onWrite?.();
    const text = this.#pending;
    this.#pending = '';
    this.#writeWhole(text);
  }

  #writeWhole(text: string): void {
    this.#writeAll(Buffer.from(text, 'utf8'));
  }

  #writeAll(bytes: Uint8Array): void {
    let written = 0;
    while (written < bytes.length) written += this.#write(bytes, written);
  }

  #write(bytes: Uint8Array, from: number): number {
    try {
      return writeSync(this.#descriptor, bytes, from);
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === 'EAGAIN') return this.#wait();
      // A failure of standard error cannot be reported, and the command can go on without it.
      if (this.#descriptor === 2) return bytes.length - from;
      if (code === 'EPIPE' || code === 'EOF') throw new ClosedOutput();
      throw new OutputFault(reasonOf(code));
    }
  }

  /** Waits while a pipe is full that does not block. Answers that nothing was written. */
  #wait(): number {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    return 0;
  }
}
export const stdout = new OutputStream(1);
export const stderr = new OutputStream(2);

/** Colours for standard error if it is a terminal with colours. */
export function terminalStyle(): Style {
  return styleFor(stderr, process.stderr) ?? plainStyle;
}

/** Colours for standard output if it is a terminal with colours, one more for what is well. */
export function outputStyle(): Style & { readonly passed: (text: string) => string } {
  const style = styleFor(stdout, process.stdout);
  if (style === null) return { ...plainStyle, passed: (text) => text };
  return { ...style, passed: (text) => styleText(['bold', 'green'], text, { stream: process.stdout }) };
}

/** Null where there are to be no colours. */
function styleFor(output: OutputStream, stream: NodeJS.WriteStream): Style | null {
  if (!output.isTerminal && process.env['FORCE_COLOR'] === undefined) return null;
  const paint = (format: Parameters<typeof styleText>[0]) => (text: string) => styleText(format, text, { stream });
  return {
    error: paint(['bold', 'red']),
    warning: paint(['bold', 'yellow']),
    label: paint('cyan'),
    faint: paint('gray'),
    strong: paint('bold'),
  };
}
