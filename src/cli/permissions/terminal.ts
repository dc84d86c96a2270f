// The terminal of the command: questions go to standard error, answers come from standard input. It is read only while
// a question waits, in whole lines as the terminal edits them.

import { isatty } from 'node:tty';
import { stderr } from '../output.ts';
import type { Terminal } from './prompt.ts';

/** After so much silence, the input that was typed ahead counts as complete. */
const silenceMs = 50;
const interrupt = '\u0003';

/** Null unless standard input and standard error are terminals. */
export function standardTerminal(): Terminal | null {
  return isatty(0) && stderr.isTerminal ? new StandardTerminal() : null;
}

class StandardTerminal implements Terminal {
  #hasEnded = false;

  /**
   * A terminal passes on whole lines only and keeps an unfinished line. Raw mode passes that on too: otherwise a letter
   * typed before the question and Enter after it would count as an answer.
   */
  async discardInput(): Promise<void> {
    if (this.#hasEnded) return;
    const { stdin } = process;
    stdin.setRawMode(true);
    const discarded = await this.#receive(() => false, silenceMs);
    if (!this.#hasEnded) stdin.setRawMode(false);
    // In raw mode Ctrl-C is an ordinary character.
    if (discarded.includes(interrupt)) process.kill(process.pid, 'SIGINT');
  }

  write(text: string): void {
    stderr.text(text);
  }

  async readLine(): Promise<string | null> {
    if (this.#hasEnded) return null;
    const text = await this.#receive((received) => received.includes('\n'), null);
    return this.#hasEnded ? null : text.slice(0, text.indexOf('\n'));
  }

  /** Collects input until it is enough, until nothing has come for some time, or until the end. */
  #receive(isEnough: (text: string) => boolean, patienceMs: number | null): Promise<string> {
    const { stdin } = process;
    return new Promise((resolve) => {
      let text = '';
      let timer: NodeJS.Timeout | undefined;
      const finish = (): void => {
        clearTimeout(timer);
        stdin.off('data', take).off('end', end).off('error', end).off('close', end);
        stdin.pause();
        resolve(text);
      };
      const end = (): void => {
        this.#hasEnded = true;
        finish();
      };
      const wait = (): void => {
        clearTimeout(timer);
        if (patienceMs !== null) timer = setTimeout(finish, patienceMs);
      };
      const take = (chunk: Buffer | string): void => {
        text += chunk.toString();
        if (isEnough(text)) finish();
        else wait();
      };
      stdin.on('data', take).on('end', end).on('error', end).on('close', end);
      stdin.resume();
      wait();
    });
  }
}
