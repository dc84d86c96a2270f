// The fenced blocks of a page of Markdown, with what their opening lines say of them, and the comments that hold what a
// reader need not see: files of the scratch folder, and lines in front of a program.

export interface Block {
  /** `file` and `before` are comments: `<!-- file: data/note.txt … -->`, `<!-- before … -->`. */
  readonly kind: 'fence' | 'file' | 'before';
  readonly language: string;
  /** What follows the language: `output`, `error`, `warning`. */
  readonly words: readonly string[];
  /** The file that it is: `[orders.csv]` behind the language, or a comment in its first line, `// mean.slu: …`. */
  readonly name: string | null;
  readonly text: string;
  /** Of the opening line, counted from 1. */
  readonly line: number;
  /** Where its text stands in the page, in UTF-16 units. */
  readonly start: number;
}

const fence = /^```(.*)\n([^]*?)^```$/gm;
const comment = /^<!-- (file|before)(?:: (\S+))?\n([^]*?)^-->$/gm;

/** In the order of the page. Throws an Error for a fence that is indented or not closed. */
export function blocksOf(page: string): readonly Block[] {
  const lineAt = (offset: number): number => page.slice(0, offset).split('\n').length;
  const found = [...page.matchAll(fence)].map((match): Block => {
    const [language = '', ...words] = match[1]!.trim().split(/\s+/);
    const text = match[2]!;
    const bracketed = words.find((word) => /^\[.*\]$/.test(word))?.slice(1, -1);
    const commented = /^(?:\/\/|#) ([\w./-]+\.\w+)(?=:|$)/m.exec(text.split('\n')[0]!)?.[1];
    return {
      kind: 'fence',
      language,
      words: words.filter((word) => !word.startsWith('[')),
      name: bracketed ?? (words.includes('output') ? null : (commented ?? null)),
      text,
      line: lineAt(match.index),
      start: match.index + match[0].indexOf('\n') + 1,
    };
  });
  const marks = page.match(/^\s*```/gm) ?? [];
  if (marks.some((mark) => mark.trim() !== mark && mark.includes(' ')) || marks.length !== found.length * 2)
    throw new Error('a fence is indented or not closed');
  const hidden = [...page.matchAll(comment)].map((match): Block => ({
    kind: match[1] as 'file' | 'before',
    language: '',
    words: [],
    name: match[2] ?? null,
    text: match[3]!,
    line: lineAt(match.index),
    start: match.index + match[0].indexOf('\n') + 1,
  }));
  return [...found, ...hidden].toSorted((one, other) => one.start - other.start);
}

export const isOutput = (block: Block | undefined): boolean => block?.words.includes('output') === true;

/** Languages whose blocks are files for others to read. */
export const fileLanguages: readonly string[] = ['csv', 'json', 'html', 'css', 'toml', 'ini', 'yaml'];
export const programLanguages: readonly string[] = ['js', 'ts'];
/** Those whose blocks are run, written or compared; others are shown as they are, and counted. */
export const runLanguages: readonly string[] = ['sluice', 'console', 'sh', ...programLanguages, ...fileLanguages];

/** Whether what a script shows stands in its own comments, in the notation of docs/language.md. */
export const hasNotes = (text: string): boolean => /\/\/ (?:→ |throws [A-Z]|error E\d|warning W\d)/.test(text);

/** `// → 1`, `// throws T`, `// error E1` and `// warning W1` as the conformance cases write them. */
export const asCase = (text: string): string =>
  text.replaceAll('// → ', '// expect: ').replace(/\/\/ (throws|error|warning) (?=[A-Z])/g, '// $1: ');
