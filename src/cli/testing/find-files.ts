// Which files are tested: those that are named, and below a folder each *.test.slu and each script with a comment that
// says what a line hands out.

import { readFileSync, statSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { parse } from '../../1-parse/parse.ts';
import { escapeControls } from '../../diagnostics/display.ts';
import { DiagnosticSink } from '../../diagnostics/diagnostic.ts';
import { createSourceFile } from '../../source.ts';
import { hasExpectations } from '../../testing/expectations.ts';
import { isTestFile } from '../../testing/tests.ts';
import { UsageError } from '../exit.ts';
import { decodeScript, readBytes } from '../files.ts';
import { scriptsBelow } from '../scripts-below.ts';

export interface FoundFiles {
  /** As they are named, each once, in the order of their names below each operand. */
  readonly files: readonly string[];
  /** The folders that were looked through. */
  readonly folders: readonly string[];
}

/**
 * `written` is a folder that tests write to. Throws UsageError for a name that leads nowhere, and for a named file
 * without tests.
 */
export function findTestFiles(operands: readonly string[], written?: string): FoundFiles {
  const files = new Set<string>();
  const folders: string[] = [];
  for (const operand of operands.length === 0 ? ['.'] : operands) {
    if (statSync(operand, { throwIfNoEntry: false })?.isDirectory() === true) {
      const below = scriptsBelow(operand);
      folders.push(...below.folders.filter((folder) => written === undefined || !isIn(folder, written)));
      for (const file of below.scripts) if (mayHaveTests(file)) files.add(file);
    } else {
      if (!isTestFile(operand) && !hasComments(operand, decodeScript(operand, readBytes(operand))))
        throw new UsageError(
          `${escapeControls(operand)} has no tests: none of its lines says behind // → what it hands out, ` +
            'and its name does not end in .test.slu',
          'test',
        );
      files.add(operand);
    }
  }
  return { files: [...files], folders };
}

/** Whether a folder is another one, or in it. */
function isIn(folder: string, other: string): boolean {
  return (resolve(folder) + sep).startsWith(resolve(other) + sep);
}

function mayHaveTests(path: string): boolean {
  if (isTestFile(path)) return true;
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return false;
  }
  return hasComments(path, text);
}

/** Whether a comment is a marker; in a file with mistakes, what looks like one. */
function hasComments(path: string, text: string): boolean {
  if (!/\/\/ ?(?:→|->)/u.test(text)) return false;
  return hasExpectations(parse(createSourceFile(path, text), new DiagnosticSink()));
}
