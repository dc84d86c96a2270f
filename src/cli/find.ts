// `sluice find`: where a name is declared, and where it is used, by what the compiler knows and not by its letters.

import { dirname, isAbsolute, normalize, relative } from 'node:path';
import { escapeControls } from '../diagnostics/display.ts';
import { quote } from '../language/quoted-text.ts';
import { analyse, definitionAt, referencesAt } from '../queries/index.ts';
import type { Analysis, Reference } from '../queries/index.ts';
import { createSourceFile, positionAt } from '../source.ts';
import type { SourceFile, Span } from '../source.ts';
import { valueOf } from './command.ts';
import type { CommandInput } from './command.ts';
import { readScript } from './compile-text.ts';
import { exitCodes, UsageError } from './exit.ts';
import { fileReader } from './file-reader.ts';
import { decodeScript, readBytes } from './files.ts';
import { stderr, stdout } from './output.ts';
import { readPluginOption } from './plugins.ts';
import { scriptsBelow } from './scripts-below.ts';
import { nameOfOperand, standardInput } from './standard-input.ts';

const questions = ['references', 'definition'] as const;

/** Throws UsageError for words that ask nothing. */
export async function findCommand(input: CommandInput): Promise<number> {
  const [word, place, name, ...more] = input.operands;
  const question = questions.find((known) => known === word);
  if (question === undefined)
    throw new UsageError(
      word === undefined ? 'it is not said what to find' : `${quote(word)} is not references or definition`,
      'find',
    );
  if (place === undefined || more.length > 0)
    throw new UsageError(`sluice find ${question} takes FILE.slu:LINE:COLUMN, or FILE.slu NAME`, 'find');
  const { file, position } = name === undefined ? readPlace(place) : { file: place, position: null };
  const plugins = await readPluginOption(input, 'find');
  // Scripts beside it import it by the path without detours.
  const path = file === standardInput ? file : normalize(file);
  const source = createSourceFile(nameOfOperand(path), readScript(file, 'find'));
  const analysis = analyse(source, fileReader(), plugins);
  const offsets = position === null ? offsetsOf(analysis, name!) : [offsetAt(source, position.line, position.column)];
  const others = question === 'references' && path !== standardInput ? importersOf(path, plugins) : [];
  const found = offsets.flatMap((offset) =>
    question === 'references'
      ? referencesAt(analysis, source.name, offset, others)
      : definitionOf(analysis, source.name, offset),
  );
  const format = valueOf(input, 'format') ?? 'text';
  write(distinct(found), format);
  if (found.length === 0 && format === 'text')
    stderr.line(
      name === undefined
        ? `sluice: no name of a script stands at ${quote(place)}`
        : `sluice: ${quote(file)} neither declares nor imports ${quote(name)}`,
    );
  return found.length === 0 ? exitCodes.diagnostics : exitCodes.fine;
}

/** The programs that import anything, in the folder that is looked through and below it: some may import the file. */
function importersOf(path: string, plugins: Parameters<typeof analyse>[2]): readonly Analysis[] {
  return scriptsBelow(folderOfImporters(path)).scripts.flatMap((script) => {
    try {
      const text = script === path ? '' : decodeScript(script, readBytes(script));
      return /^\s*import\b/m.test(text) ? [analyse(createSourceFile(script, text), fileReader(), plugins)] : [];
    } catch (error) {
      // What cannot be read uses nothing.
      if (error instanceof UsageError) return [];
      throw error;
    }
  });
}

/**
 * The current folder if the file is in it, as an editor looks through its workspace; otherwise that of the file. It is
 * absolute where the path is, so that scripts in it import the file by that name.
 */
function folderOfImporters(path: string): string {
  const fromHere = relative(process.cwd(), path);
  if (/^\.\.(?:[/\\]|$)/.test(fromHere) || isAbsolute(fromHere)) return dirname(path);
  return isAbsolute(path) ? process.cwd() : '.';
}

/** `report.slu:3:14` */
function readPlace(text: string): { readonly file: string; readonly position: { line: number; column: number } } {
  const [, file, line, column] = /^(.+?):(\d+):(\d+)$/.exec(text) ?? [];
  if (file === undefined || Number(line) === 0 || Number(column) === 0)
    throw new UsageError(`${quote(text)} is no place such as report.slu:3:14, and no name follows it`, 'find');
  return { file, position: { line: Number(line), column: Number(column) } };
}

/** The offset of a column, which counts characters. Throws UsageError for one that the file does not have. */
function offsetAt(source: SourceFile, line: number, column: number): number {
  const start = source.lineStarts[line - 1];
  if (start === undefined)
    throw new UsageError(`${source.name} has ${source.lineStarts.length} lines, and none is ${line}`, 'find');
  const end = source.lineStarts[line] ?? source.text.length + 1;
  let offset = start;
  for (let at = 1; at < column && offset < end - 1; at++) offset += source.text.codePointAt(offset)! > 0xffff ? 2 : 1;
  return offset;
}

/** Where a file declares a name, or else uses it, which it may for several things. */
function offsetsOf(analysis: Analysis, name: string): readonly number[] {
  const { declarations, names } = analysis.entry.index;
  const declared = declarations.filter((declaration) => declaration.name.text === name);
  const used = names.find((entry) => entry.name.text === name);
  const offsets = declared.map((declaration) => declaration.name.span.start);
  return offsets.length > 0 || used === undefined ? offsets : [used.name.span.start];
}

function definitionOf(analysis: Analysis, fileName: string, offset: number): readonly Reference[] {
  const definition = definitionAt(analysis, fileName, offset);
  return definition === null ? [] : [{ span: definition.target.name, kind: 'declaration' }];
}

function distinct(found: readonly Reference[]): readonly Reference[] {
  return [...new Map(found.map((one) => [`${one.span.file.name}:${one.span.start}`, one])).values()];
}

function write(found: readonly Reference[], format: string): void {
  if (format === 'json') {
    const places = found.map(({ span, kind }) => ({ ...placeOf(span), kind, text: lineOf(span) }));
    stdout.line(JSON.stringify({ found: places }));
    return;
  }
  for (const { span, kind } of found) {
    const { file, line, column } = placeOf(span);
    stdout.line(escapeControls(`${file}:${line}:${column}: ${kind}: ${lineOf(span)}`));
  }
}

function placeOf(span: Span) {
  const { line, column } = positionAt(span.file, span.start);
  const end = positionAt(span.file, span.end);
  return { file: span.file.name, line, column, endLine: end.line, endColumn: end.column };
}

function lineOf({ file, start }: Span): string {
  const { line } = positionAt(file, start);
  return file.text.slice(file.lineStarts[line - 1], file.lineStarts[line] ?? file.text.length).trim();
}
