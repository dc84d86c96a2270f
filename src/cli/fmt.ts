// `sluice fmt`: formats scripts where they are, says which are not formatted, or formats standard input. Where a script
// has mistakes, what did not parse stays as it was.

import { statSync } from 'node:fs';
import { InternalError } from '../../runtime-host/errors/errors.ts';
import { parse } from '../1-parse/parse.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { DiagnosticSink } from '../diagnostics/diagnostic.ts';
import { escapeControls } from '../diagnostics/display.ts';
import { formatFile } from '../formatter/format.ts';
import { quote } from '../language/quoted-text.ts';
import { createSourceFile } from '../source.ts';
import { commandLine } from './command-line.ts';
import type { CommandInput } from './command.ts';
import { compileLimits } from './compile-text.ts';
import { printDiagnostics } from './diagnostics.ts';
import { formatOptionsOf } from './editor-config.ts';
import { exitCodes, FileFault, UsageError } from './exit.ts';
import { decodeScript, readBytes, replaceScript } from './files.ts';
import { stderr, stdout } from './output.ts';
import { scriptsBelow } from './scripts-below.ts';
import { nameOfOperand, readOperand, standardInput } from './standard-input.ts';

export async function fmtCommand(input: CommandInput): Promise<number> {
  const checks = input.switches.has('check');
  const name = nameOfInput(input);
  return name === null ? formatFiles(input.operands, checks) : formatInput(name, checks);
}

/** What standard input is called; null if files are formatted. */
function nameOfInput({ operands, switches, values }: CommandInput): string | null {
  const given = values.get('stdin')?.[0] ?? '';
  const isAsked = switches.has('stdin') || values.has('stdin');
  if (!isAsked && !operands.includes(standardInput)) return null;
  const file = operands.find((operand) => operand !== standardInput);
  if (file !== undefined)
    throw new UsageError(`sluice fmt takes standard input or files, and ${quote(file)} is a file`, 'fmt');
  return given === '' ? nameOfOperand(standardInput) : given;
}

interface Formatted {
  readonly text: string;
  readonly isChanged: boolean;
  /** What did not parse. */
  readonly mistakes: readonly Diagnostic[];
}

/** `place` is where `.editorconfig` is looked for. Throws FileFault, or InternalError for a fault of the formatter. */
function formatText(name: string, text: string, place: string): Formatted {
  if (text.length > compileLimits.sourceBytes)
    throw new FileFault(`format ${escapeControls(name)}`, 'it is larger than 16 MiB', null);
  const sink = new DiagnosticSink();
  const result = formatFile(parse(createSourceFile(name, text), sink), text, formatOptionsOf(place));
  if (result.fault !== null) throw new InternalError(`formatting ${quote(name)}: ${quote(result.fault)}`, [], null);
  return { text: result.text, isChanged: result.edits.length > 0, mistakes: sink.sorted() };
}

function formatInput(name: string, checks: boolean): number {
  const bytes = readOperand(standardInput);
  const hasMark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const { text, isChanged, mistakes } = formatText(name, decodeScript(name, bytes), name);
  printDiagnostics(name, mistakes);
  if (!checks) stdout.scriptText(hasMark ? `\ufeff${text}` : text);
  else if (isChanged) stdout.line(escapeControls(name));
  return mistakes.length > 0 || (checks && isChanged) ? exitCodes.diagnostics : exitCodes.fine;
}

/** One file that fails does not keep the others from being formatted. */
function formatFiles(operands: readonly string[], checks: boolean): number {
  const { files, faults } = findFiles(operands);
  const mistakes: Diagnostic[] = [];
  let changed = 0;
  let done = 0;
  for (const path of files) {
    try {
      const before = readFile(path);
      const formatted = formatText(path, before, path);
      mistakes.push(...formatted.mistakes);
      if (formatted.isChanged) {
        if (!checks) replaceScript(path, before, formatted.text);
        changed += 1;
        stdout.line(escapeControls(path));
      }
      done += 1;
    } catch (error) {
      if (!(error instanceof UsageError || error instanceof InternalError)) throw error;
      faults.push(error);
    }
  }
  stdout.flush();
  printDiagnostics(files[0] ?? '', mistakes);
  for (const fault of faults) stderr.line(fault instanceof UsageError ? `sluice: ${fault.message}` : fault.message);
  if (mistakes.length > 0) stderr.line('what did not parse stays as it was written');
  if (done > 0) stderr.line(summary(operands, checks, changed, done));
  if (faults.some((fault) => fault instanceof InternalError)) return exitCodes.internalFault;
  if (faults.length > 0) return exitCodes.wrongUse;
  return mistakes.length > 0 || (checks && changed > 0) ? exitCodes.diagnostics : exitCodes.fine;
}

interface FoundFiles {
  /** Each once. */
  readonly files: readonly string[];
  readonly faults: (UsageError | InternalError)[];
}

/** Throws UsageError if there is nothing to format. */
function findFiles(operands: readonly string[]): FoundFiles {
  const files = new Set<string>();
  const faults: UsageError[] = [];
  for (const operand of operands.length === 0 ? ['.'] : operands) {
    if (statSync(operand, { throwIfNoEntry: false })?.isDirectory() !== true) {
      files.add(operand);
      continue;
    }
    const { scripts, unreadable } = scriptsBelow(operand);
    for (const script of scripts) files.add(script);
    for (const { folder, reason } of unreadable) faults.push(new FileFault(`read ${folder}`, reason, null));
    if (scripts.length === 0 && unreadable.length === 0)
      faults.push(
        new UsageError(
          operands.length === 0
            ? 'there are no scripts below this folder'
            : `there are no scripts in ${escapeControls(operand)}`,
        ),
      );
  }
  if (files.size === 0) throw faults[0]!;
  return { files: [...files], faults };
}

/** The text of a script. A file of another kind is refused: what looks like white space may mean something in it. */
function readFile(path: string): string {
  const text = decodeScript(path, readBytes(path));
  if (!path.endsWith('.slu') && !text.startsWith('#!'))
    throw new FileFault(
      `format ${escapeControls(path)}`,
      'it does not look like a script, whose name ends in .slu or whose first line begins with #!',
      null,
    );
  return text;
}

function summary(operands: readonly string[], checks: boolean, changed: number, count: number): string {
  const files = (number: number): string => `${number} file${number === 1 ? '' : 's'}`;
  if (!checks) return changed === 0 ? `nothing to change in ${files(count)}` : `${files(changed)} formatted`;
  if (changed === 0) return `${files(count)} checked`;
  const verb = changed === 1 ? 'is' : 'are';
  return `${changed} of ${files(count)} ${verb} not formatted: ${commandLine('fmt', ...operands)}`;
}
