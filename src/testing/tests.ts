// Which tests a file has: the run of its main or its statements, and, if it is named *.test.slu, each exported function
// without parameters. One with parameters that nothing in the file calls was meant as a test, too.

import type { SyntaxFile } from '../1-parse/syntax-tree.ts';
import type { Span } from '../source.ts';

export interface Test {
  /** The function; `main` for the run of a script, whichever form it has. */
  readonly name: string;
  readonly kind: 'run' | 'function';
  /** The whole function; of a run the whole file. */
  readonly span: Span;
  /** The name of the function; the beginning of a script. */
  readonly place: Span;
}

export function isTestFile(name: string): boolean {
  return name.endsWith('.test.slu');
}

/** In the order of the text. */
export function findTests(file: SyntaxFile): readonly Test[] {
  const functions = isTestFile(file.source.name) ? testFunctions(file) : [];
  const run = runOf(file);
  return [...functions, ...(run === null ? [] : [run])].toSorted((a, b) => a.place.start - b.place.start);
}

function testFunctions(file: SyntaxFile): readonly Test[] {
  return exportedFunctions(file, (parameters) => parameters === 0);
}

/** Why no test: what `findSkipped` gives is told with this. */
export const whySkipped = 'it has parameters: a test is an exported function without any';

/**
 * The exported functions of a test file that nobody runs: they have parameters, and their names stand nowhere else in
 * the file. In the order of the text.
 */
export function findSkipped(file: SyntaxFile): readonly Test[] {
  const { source, tokens } = file;
  if (!isTestFile(source.name)) return [];
  return exportedFunctions(file, (parameters) => parameters > 0).filter(
    ({ name, span }) =>
      !tokens.some(
        ({ kind, start, end }) =>
          kind === 'name' && (start < span.start || start >= span.end) && source.text.slice(start, end) === name,
      ),
  );
}

function exportedFunctions({ items }: SyntaxFile, fits: (parameters: number) => boolean): readonly Test[] {
  return items.flatMap((item): readonly Test[] =>
    item.kind === 'function-declaration' && item.exported && fits(item.parameters.length)
      ? [{ name: item.name.text, kind: 'function', span: item.span, place: item.name.span }]
      : [],
  );
}

/** The run of main, or of the statements; null for a file that only declares. */
function runOf({ source, items }: SyntaxFile): Test | null {
  const whole: Span = { file: source, start: 0, end: source.text.length };
  for (const item of items) {
    switch (item.kind) {
      case 'type-declaration':
      case 'function-declaration':
      case 'variable-declaration':
      case 'empty':
      case 'broken':
        break;
      case 'main-declaration':
        return { name: 'main', kind: 'run', span: whole, place: item.name.span };
      case 'if':
      case 'while':
      case 'do-while':
      case 'for':
      case 'foreach':
      case 'try':
      case 'block':
      case 'assignment':
      case 'break':
      case 'continue':
      case 'return':
      case 'yield':
      case 'throw':
      case 'expression-statement':
        return { name: 'main', kind: 'run', span: whole, place: item.span };
    }
  }
  return null;
}

/** The JSON of `// args: {…}`, the arguments of main, and where it stands; null where there is none. */
export function readArgumentsComment(file: SyntaxFile): { readonly json: string; readonly span: Span } | null {
  for (const { text, span } of file.comments) {
    const json = /^\/\/ ?args: *(.*)$/.exec(text)?.[1];
    if (json !== undefined) return { json, span };
  }
  return null;
}
