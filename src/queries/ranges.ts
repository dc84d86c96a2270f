// Ranges of a file: what can be folded, what a selection grows to, and the texts that lead to other files.

import type { Comment } from '../1-parse/syntax-tree.ts';
import { lineIndexAt } from '../source.ts';
import type { SourceFile, Span } from '../source.ts';
import type { Analysis } from './analysis.ts';
import type { FoldingRange, Link } from './results.ts';
import { namesOf } from './syntax-nodes.ts';
import type { SyntaxNode } from './syntax-nodes.ts';
import { importedFile } from './targets.ts';

/** Everything in braces, brackets or backticks that takes more than a line, rows of comments, and the imports. */
export function foldingRangesOf(analysis: Analysis, fileName: string): readonly FoldingRange[] {
  const file = analysis.file(fileName);
  if (file === null) return [];
  const { syntax, source, index } = file;
  const isLong = ({ start, end }: Span): boolean => lineIndexAt(source, start) < lineIndexAt(source, end);
  const code = index.nodesIn({ start: 0, end: Infinity }).flatMap((node): readonly FoldingRange[] => {
    const span = foldedPart(node);
    return span !== null && isLong(span) ? [{ span, kind: 'code' }] : [];
  });
  const imports = spanning(syntax.imports.map(({ span }) => span));
  return [
    ...(imports !== null && isLong(imports) ? [{ span: imports, kind: 'imports' } as const] : []),
    ...commentRows(source, syntax.comments)
      .filter(isLong)
      .map((span) => ({ span, kind: 'comment' }) as const),
    ...code,
  ].sort((a, b) => a.span.start - b.span.start || b.span.end - a.span.end);
}

/** From the opening bracket to the closing one. */
function foldedPart(node: SyntaxNode): Span | null {
  if (
    node.kind === 'block' ||
    node.kind === 'object-literal' ||
    node.kind === 'array-literal' ||
    node.kind === 'template'
  )
    return node.span;
  if (node.kind !== 'type-declaration') return null;
  const brace = node.span.file.text.indexOf('{', node.name.span.end);
  return brace < 0 || brace >= node.span.end ? null : { ...node.span, start: brace };
}

function spanning(spans: readonly Span[]): Span | null {
  const [first, last] = [spans[0], spans.at(-1)];
  return first === undefined || last === undefined ? null : { ...first, end: last.end };
}

/** Lines of comments that follow each other are one. */
function commentRows(source: SourceFile, comments: readonly Comment[]): readonly Span[] {
  const rows: Span[] = [];
  for (const { text, span } of comments) {
    const last = rows.at(-1);
    const follows = last !== undefined && /^[ \t\r]*\n[ \t]*$/.test(source.text.slice(last.end, span.start));
    const isOfLast = follows && text.startsWith('//') && source.text.startsWith('//', last.start);
    if (isOfLast) rows[rows.length - 1] = { ...last, end: span.end };
    else rows.push(span);
  }
  return rows;
}

/** What a selection at an offset grows to, step by step: the word, the expression, the statement, up to the file. */
export function selectionRangesAt(analysis: Analysis, fileName: string, offset: number): readonly Span[] {
  const file = analysis.file(fileName);
  if (file === null) return [];
  const whole: Span = { file: file.source, start: 0, end: file.source.text.length };
  const path = file.index.pathAt(offset);
  const innermost = path.at(-1);
  const name =
    innermost === undefined ? undefined : namesOf(innermost).find(({ name: { span } }) => holds(span, offset));
  const spans = [
    whole,
    ...path.flatMap((node) => [node.span, ...insideOf(node, offset)]),
    ...(name === undefined ? [] : [name.name.span]),
  ];
  const distinct = spans.filter(
    (span, at) => at === 0 || span.start !== spans[at - 1]!.start || span.end !== spans[at - 1]!.end,
  );
  return distinct.toReversed();
}

function holds({ start, end }: Span, offset: number): boolean {
  return start <= offset && offset <= end;
}

/** What stands between the braces, without the white space at its edges; the arguments of a call. */
function insideOf(node: SyntaxNode, offset: number): readonly Span[] {
  const parts =
    node.kind === 'block'
      ? node.statements
      : node.kind === 'call'
        ? node.arguments
        : node.kind === 'array-literal'
          ? node.elements
          : [];
  const inside = spanning(parts.map(({ span }) => span));
  return inside !== null && holds(inside, offset) ? [inside] : [];
}

/** The paths of imports that lead to a file. */
export function linksOf(analysis: Analysis, fileName: string): readonly Link[] {
  const file = analysis.file(fileName);
  if (file === null) return [];
  return file.syntax.imports.flatMap(({ pathSpan, alias }) => {
    const target = importedFile(analysis, file, alias.text);
    return target === null ? [] : [{ span: pathSpan, file: target.name }];
  });
}
