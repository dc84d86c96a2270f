// What people type for a run: `title="May 2026" limit=10 --allow-file-read=data`. Words with an equals sign become
// arguments of main, options stay as they are. And what a lens of the language server wants to be run.

import { isAbsolute } from 'node:path';

/** The options of a run; throws a sentence for a quote that is not closed and for a word that is neither. */
export function optionsOf(line: string): readonly string[] {
  const words = splitWords(line);
  const options: string[] = [];
  for (const [at, word] of words.entries()) {
    const isValueOfShort = ['-a', '-o'].includes(words[at - 1] ?? '');
    if (word.startsWith('-') || isValueOfShort) options.push(word);
    else if (/^[A-Za-z_]\w*=/.test(word)) options.push('-a', word);
    else throw new Error(`${word}: an argument is written name=value, an option --name or --name=value`);
  }
  return options;
}

/** Words are parted by blanks outside of quotes; a backslash takes the meaning of a quote, and of a blank, away. */
export function splitWords(line: string): readonly string[] {
  const words: string[] = [];
  let word: string | null = null;
  let quote: string | null = null;
  for (let at = 0; at < line.length; at++) {
    const sign = line[at]!;
    if (sign === '\\' && quote !== "'" && /["'\\\s]/.test(line[at + 1] ?? '')) word = (word ?? '') + line[++at]!;
    else if (quote !== null) {
      if (sign === quote) quote = null;
      else word += sign;
    } else if (sign === '"' || sign === "'") {
      quote = sign;
      word ??= '';
    } else if (/\s/.test(sign)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? '') + sign;
  }
  if (quote !== null) throw new Error(`the quote ${quote} is not closed`);
  if (word !== null) words.push(word);
  return words;
}

/** The parameters of a script's main as they are written there; null where there are none. */
export function parametersOfMain(text: string): string | null {
  // Comments are taken out, so that none of them looks like main.
  const code = text.replaceAll(/"(?:[^"\\\n]|\\.)*"|\/\/.*|\/\*[^]*?\*\//g, (found) =>
    found.startsWith('"') ? found : ' ',
  );
  const start = /^[ \t]*main\s*\(/m.exec(code);
  if (start === null) return null;
  let depth = 1;
  const from = start.index + start[0].length;
  for (let at = from; at < code.length; at++) {
    const [literal] = /^"(?:[^"\\\n]|\\.)*"|^`(?:[^`\\]|\\.)*`/.exec(code.slice(at, at + 10_000)) ?? [''];
    at += Math.max(0, literal.length - 1);
    if (literal !== '') continue;
    if ('([{'.includes(code[at]!)) depth++;
    if (')]}'.includes(code[at]!)) depth--;
    if (depth === 0) return code.slice(from, at).replaceAll(/\s+/g, ' ').trim() || null;
  }
  return null;
}

/** One command for one script. */
export interface ScriptCommand<Command extends string> {
  readonly command: Command;
  readonly file: string;
  readonly folder: string;
  readonly options: readonly string[];
}

/** Reads `{ words: ['run', 'report.slu'], folder: '/reports' }`; null for anything but a known command for a file. */
export function readTerminalCommand<Command extends string>(
  given: unknown,
  known: readonly Command[],
): ScriptCommand<Command> | null {
  if (typeof given !== 'object' || given === null || !('words' in given) || !('folder' in given)) return null;
  const { words, folder } = given;
  if (typeof folder !== 'string' || !isAbsolute(folder) || !Array.isArray(words)) return null;
  const [name, file, ...options] = words as readonly unknown[];
  const command = known.find((one) => one === name);
  if (command === undefined || typeof file !== 'string' || !/\S/.test(file) || file.startsWith('-')) return null;
  return options.every((word) => typeof word === 'string') ? { command, file, folder, options } : null;
}
