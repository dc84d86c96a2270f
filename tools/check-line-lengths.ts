// Lines of the sources have at most 120 characters. oxfmt leaves longer ones where a literal stands in them, and those
// are broken by hand; a few cannot be: see `isExcused`.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';

export const longestLine = 120;
const root = join(import.meta.dirname, '..');
/** Not written by hand, or as other programs of their kind are; and the middle of the compiler, which is made anew. */
const elsewhere =
  /^benchmarks\/(?:programs|report)\/|(?:^|\/)generated\/|^src\/(?:3-lower|4-optimise|5-emit|mir|2-check\/typed-tree\.ts)/;

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

export interface LongLine {
  readonly line: number;
  readonly length: number;
  /** Whether one literal alone makes it long that cannot be broken. */
  readonly isExcused: boolean;
}

/** Sources that are ours, by path. */
export function ownSources(): readonly string[] {
  const paths = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  return paths.split('\n').filter((path) => /\.(?:ts|mjs|js|cjs)$/.test(path) && !elsewhere.test(path));
}

export function findLongLines(path: string, text: string): readonly LongLine[] {
  const long: { readonly line: number; readonly start: number; readonly end: number; readonly length: number }[] = [];
  let start = 0;
  for (const [at, line] of text.split('\n').entries()) {
    const { length } = Array.from(line);
    if (length > longestLine) long.push({ line: at + 1, start, end: start + line.length, length });
    start += line.length + 1;
  }
  if (long.length === 0) return [];
  const literals = unbreakable(parseAst(text, { lang: path.endsWith('.ts') ? 'ts' : 'js' }) as unknown as Node, text);
  return long.map(({ line, start: from, end: to, length }) => ({
    line,
    length,
    isExcused: literals.some(
      (literal) =>
        length - (Math.min(literal.end, to) - Math.max(literal.start, from)) <= longestLine &&
        !literal.blanks.some((at) => at >= from + leastFilled && at < from + longestLine - 4),
    ),
  }));
}

/** A text is broken behind a blank, unless the line would end early. */
const leastFilled = 60;

interface Literal {
  readonly start: number;
  readonly end: number;
  /** Where it can be broken. */
  readonly blanks: readonly number[];
}

/**
 * Regular expressions, texts of several lines, texts with values in them, and names: any other text is broken by `+`.
 */
function unbreakable(program: Node, text: string): readonly Literal[] {
  const found: Literal[] = [];
  const visit = (value: unknown, key: string): void => {
    if (Array.isArray(value)) for (const one of value) visit(one, key);
    if (typeof value !== 'object' || value === null || typeof (value as Partial<Node>).type !== 'string') return;
    const node = value as Node;
    if (
      node.type === 'Literal' &&
      (node['regex'] !== undefined || (key === 'key' && typeof node['value'] === 'string'))
    )
      found.push({ ...node, blanks: [] });
    if (node.type === 'TemplateLiteral') {
      const isWhole = text.slice(node.start, node.end).includes('\n');
      const quasis = node['quasis'] as readonly Node[];
      if (isWhole) found.push({ ...node, blanks: [] });
      else if (quasis.length > 1) found.push({ ...node, blanks: quasis.flatMap((quasi) => blanksIn(quasi, text)) });
    }
    for (const [inner, part] of Object.entries(node)) visit(part, inner);
  };
  visit(program, '');
  return found;
}

function blanksIn({ start, end }: Node, text: string): readonly number[] {
  return Array.from(text.slice(start, end).matchAll(/ /g), ({ index }) => start + index);
}

if (import.meta.main) {
  const lines = ownSources().flatMap((path) =>
    findLongLines(path, readFileSync(join(root, path), 'utf8')).map((line) => ({ path, ...line })),
  );
  const wrong = lines.filter(({ isExcused }) => !isExcused);
  for (const { path, line, length } of wrong) console.log(`${path}:${line}: ${length} characters`);
  const excused = `${lines.length - wrong.length} are longer by a literal that cannot be broken`;
  console.log(
    wrong.length === 0 ? `No line has more than ${longestLine} characters; ${excused}.` : 'Break these lines.',
  );
  process.exitCode = wrong.length === 0 ? 0 : 1;
}
