// Small scripts with a cursor: `§` marks the place that is asked about. Other files stand beside, by their names.

import { analyse } from '../../src/queries/index.ts';
import type { Analysis } from '../../src/queries/index.ts';
import { memoryReader } from '../../src/memory-reader.ts';
import { createSourceFile } from '../../src/source.ts';
import type { Span } from '../../src/source.ts';

export interface Asked {
  readonly analysis: Analysis;
  readonly file: string;
  readonly offset: number;
}

export const mark = '§';

/** Analyses a script, with the mark taken out of it or of one of the other files. */
export function ask(
  script: string,
  others: Readonly<Record<string, string>> = {},
  plugins?: readonly unknown[],
): Asked {
  const texts: Record<string, string> = { ...others, 'main.slu': script };
  const file = Object.keys(texts).find((name) => texts[name]!.includes(mark)) ?? 'main.slu';
  const offset = Math.max(texts[file]!.indexOf(mark), 0);
  for (const name of Object.keys(texts)) texts[name] = texts[name]!.replace(mark, '');
  const entry = createSourceFile('main.slu', texts['main.slu']!);
  const analysis = analyse(entry, memoryReader(texts), plugins === undefined ? {} : { plugins });
  return { analysis, file, offset };
}

/** The text of a span, with its file where that is not the entry, and the number of its line. */
export function place({ file, start, end }: Span): string {
  const line = file.text.slice(0, start).split('\n').length;
  return `${file.name === 'main.slu' ? '' : `${file.name} `}${line}: ${file.text.slice(start, end)}`;
}
