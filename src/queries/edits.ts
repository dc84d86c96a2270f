// Edits of texts: applied, and analysed as if they had been made.

import { createSourceFile } from '../source.ts';
import type { SourceReader } from '../source-reader.ts';
import { analyse } from './analysis.ts';
import type { Analysis } from './analysis.ts';
import type { TextEdit } from './results.ts';

/** The text of one file after those of the edits that are in it. They must not overlap. */
export function applyEdits(fileName: string, text: string, edits: readonly TextEdit[]): string {
  let edited = text;
  const own = edits.filter(({ span }) => span.file.name === fileName);
  // Of two insertions at one place the first one comes first.
  for (const { span, text: replacement } of own.toSorted((a, b) => a.span.start - b.span.start).reverse())
    edited = edited.slice(0, span.start) + replacement + edited.slice(span.end);
  return edited;
}

/** The analysis of a program after edits of any of its files. */
export function analyseEdited(program: Analysis, edits: readonly TextEdit[]): Analysis {
  const { source } = program.entry;
  const { reader, plugins } = program.origin;
  return analyse(
    createSourceFile(source.name, applyEdits(source.name, source.text, edits)),
    reader === null ? null : editingReader(reader, edits),
    { ...(plugins === undefined ? {} : { plugins }), previous: program },
  );
}

function editingReader(reader: SourceReader, edits: readonly TextEdit[]): SourceReader {
  return {
    read(path, importer) {
      const found = reader.read(path, importer);
      return 'reason' in found ? found : { ...found, text: applyEdits(found.name, found.text, edits) };
    },
    identify: (name) => reader.identify(name),
  };
}
