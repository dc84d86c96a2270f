// Standard output and standard error: written synchronously, in order, so that a script's values are out
// while it still runs. Neither a terminal nor standard error, which people read wherever it goes, gets control
// characters of a script.

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
  /** Standard error, and a terminal, get every line at once. */
  readonly #isPrompt: boolean;
  #pending = '';
  #flushedAt = 0;
  /** Hears that something is about to be written. */
  #onWrite: (() => void) | null = null;

  constructor(descriptor: number, isTerminal: boolean = isatty(descriptor)) {
    this.#descriptor = descriptor;
    this.isTerminal = isTerminal;
    this.#isPrompt = isTerminal || descriptor === 2;
  }

  /** Has somebody hear that something is about to be written, before it is. */
  watch(onWrite: (() => void) | null): void {
    this.#onWrite = onWrite;
  }

  /**
   * Text in place of the line of a terminal where the cursor is; it is no output, and nobody who watches hears of it.
   */
  status(text: string): void {
    this.#writeWhole(`\r\u001b[K${text}`);
  }

  /** Text of our own making that is no line yet, at once. */
  text(text: string): void {
    this.#pending += this.#shown(text);
    this.flush();
  }

  /** A line of our own making; our colours pass. */
  line(text: string): void {
    this.rawLine(this.#shown(text));
  }

  /** A line as it is, whatever it does to a terminal. */
  rawLine(text: string): void {
    this.#pending += `${text}\n`;
    const now = performance.now();
    if (!this.#isPrompt && this.#pending.length < flushBytes && now - this.#flushedAt < flushMs) return;
    this.flush();
    this.#flushedAt = now;
  }

  /** A line with text of a script: as it is for a file or a pipe, made harmless for a terminal. */
  scriptLine(text: string): void {
    this.rawLine(this.isTerminal ? escapeForTerminal(text) : text);
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
    const bytes = Buffer.from(text, 'utf8');
    let written = 0;
    while (written < bytes.length) written += this.#write(bytes, written);
  }

  #write(bytes: Uint8Array, from: number): number {
    try {
      return writeSync(this.#descriptor, bytes, from);
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === 'EAGAIN') return this.#wait();
      // There is nobody to tell, and what the command does is not the worse for it.
      if (this.#descriptor === 2) return bytes.length - from;
      if (code === 'EPIPE' || code === 'EOF') throw new ClosedOutput();
      throw new OutputFault(reasonOf(code));
    }
  }

  /** For a pipe that is full and does not block. Nothing was written. */
  #wait(): number {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    return 0;
  }
}
export const stdout = new OutputStream(1);
export const stderr = new OutputStream(2);

/** Colours for standard error where it is a terminal that wants them. */
export function terminalStyle(): Style {
  if (!stderr.isTerminal && process.env['FORCE_COLOR'] === undefined) return plainStyle;
  const paint = (format: Parameters<typeof styleText>[0]) => (text: string) =>
    styleText(format, text, { stream: process.stderr });
  return {
    error: paint(['bold', 'red']),
    warning: paint(['bold', 'yellow']),
    label: paint('cyan'),
    faint: paint('gray'),
    strong: paint('bold'),
  };
}
