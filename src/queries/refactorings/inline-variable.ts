// Inline variable: its value in place of each read, and no declaration. The value must be one that nothing can change
// meanwhile, or be read once, with nothing between that could notice that it is evaluated later.

import type { VariableDeclaration } from '../../1-parse/syntax-tree.ts';
import type { AnalysedFile } from '../analysis.ts';
import type { Declaration, NameEntry } from '../file-index.ts';
import { isProgram } from '../imports.ts';
import { findReferences } from '../references.ts';
import type { TextEdit } from '../results.ts';
import { childrenOf } from '../syntax-nodes.ts';
import type { SyntaxNode } from '../syntax-nodes.ts';
import { findName } from '../targets.ts';
import type { DeclaredTarget } from '../targets.ts';
import { allEffects, commute, isInert, isQuiet } from './effects.ts';
import { hasComment, wholeLines } from './layout.ts';
import { canBeRepeated, convertedTo, writtenAsItIs } from './moved-values.ts';
import { keepsNames } from './names.ts';
import { isExpression, pathInFile } from './nodes.ts';
import type { OffsetRange } from './nodes.ts';
import { momentIn } from './order.ts';
import { placed } from './precedence.ts';
import { edit } from './refactoring.ts';
import type { Refactoring, RefactoringContext } from './refactoring.ts';

type DeclaratorNode = Extract<SyntaxNode, { readonly kind: 'declarator' }>;

export function inlineVariable(context: RefactoringContext, range: OffsetRange): Refactoring | null {
  const { analysis, file } = context;
  const found = findName(analysis, file.name, range.start);
  const target = found?.target;
  if (target?.kind !== 'declared' || target.file !== file || range.end > found!.entry.name.span.end) return null;
  const { declaration } = target;
  const { kind, node, whole } = declaration;
  if ((kind !== 'local' && kind !== 'global') || node.kind !== 'declarator' || whole.kind !== 'variable-declaration')
    return null;
  const parent = pathInFile(file, whole).at(-2);
  if (node.part.initialiser === null || (parent !== undefined && parent.kind !== 'block')) return null;
  const references = findReferences([analysis], target, declaration.name.text);
  const reads = references.map(({ entry }) => entry).filter(({ use }) => use !== 'declaration');
  if (reads.length === 0) return null;
  if (reads.some(({ use }) => use !== 'read')) return { disabled: 'It is assigned to again.' };
  if (references.some((reference) => reference.file !== file)) return { disabled: 'Another file uses it.' };
  const fault =
    (kind === 'global' ? faultOfGlobal(context, target, reads) : null) ??
    faultOfMove(context, node, whole, parent === undefined ? file.syntax.items : childrenOf(parent), reads);
  return fault === null ? inlined(context, declaration, node, whole, reads) : { disabled: fault };
}

/** A variable of a file is read by whoever imports it, and by functions before it is set. */
function faultOfGlobal(
  { file, effects }: RefactoringContext,
  { declaration }: DeclaredTarget,
  reads: readonly NameEntry[],
): string | null {
  const meaning = file.notes?.meanings.get(declaration.name.span.start);
  if (!isProgram(file)) return 'Files that import this one may use it.';
  if (meaning?.kind === 'variable' && meaning.value !== null) return null;
  if (reads.some(({ container }) => container !== null)) return 'A function may read it before it is set.';
  const isExporting = file.syntax.items.some((item) => item.kind === 'function-declaration' && item.exported);
  return isExporting && !isQuiet(effects.of(file, declaration.node))
    ? 'Calls of exported functions evaluate it too.'
    : null;
}

function faultOfMove(
  { analysis, file, effects }: RefactoringContext,
  node: DeclaratorNode,
  whole: VariableDeclaration,
  row: readonly SyntaxNode[],
  reads: readonly NameEntry[],
): string | null {
  const value = node.part.initialiser!;
  const own = effects.of(file, value);
  if (isInert(own) && canBeRepeated(analysis.notes, value) && [...own.reads].every((local) => !isSet(file, local)))
    return null;
  if (reads.length > 1) return 'It is read several times, and its value may be another one each time.';
  const read = reads[0]!.node;
  const at = row.indexOf(whole);
  const last = row.findIndex(({ span }) => span.start <= read.span.start && read.span.end <= span.end);
  if (last < 0) return 'It is read in a function.';
  const later = whole.declarators.slice(whole.declarators.indexOf(node.part) + 1);
  const between: readonly SyntaxNode[] =
    last === at
      ? []
      : [
          ...later.map((part): SyntaxNode => ({ kind: 'declarator', part, span: part.span })),
          ...row.slice(at + 1, last),
        ];
  const moment = momentIn(effects, file, row[last]!, read);
  if (moment === null || moment.isRepeated) return 'A loop would evaluate it again in each turn.';
  if (moment.isConditional && !isQuiet(own)) return 'It would not be evaluated each time.';
  if (moment.isGuarded && own.fails) return 'Its errors would be caught.';
  const before = allEffects([...between.map((part) => effects.of(file, part)), moment.before]);
  return commute(own, before) ? null : 'What comes between could change its value, or notice that it comes later.';
}

/** Whether a local is set again behind its declaration. */
function isSet({ index, notes }: AnalysedFile, local: number): boolean {
  return index.names.some(({ use, noted }) => {
    const meaning = use === 'write' ? notes?.meanings.get(noted) : undefined;
    return meaning?.kind === 'variable' && meaning.span.start === local;
  });
}

function inlined(
  context: RefactoringContext,
  declaration: Declaration,
  node: DeclaratorNode,
  whole: VariableDeclaration,
  reads: readonly NameEntry[],
): Refactoring {
  const { analysis, file } = context;
  const value = node.part.initialiser!;
  const meaning = file.notes?.meanings.get(declaration.name.span.start);
  if (meaning?.kind !== 'variable') return { disabled: 'Its type is not known.' };
  const edits: TextEdit[] = [];
  for (const { node: read } of reads) {
    if (!isExpression(read)) return { disabled: 'It is no value where it stands.' };
    if (!keepsNames(file, value, read.span.start)) return { disabled: 'A name in it would stand for something else.' };
    const written = convertedTo(analysis.notes, value, writtenAsItIs(value), meaning.type, read);
    if (written === null) return { disabled: 'Its value would have another type where it is read.' };
    edits.push(edit(context, read.span, placed(written.text, written.precedence, pathInFile(file, read).at(-2), read)));
  }
  const removed = removedRange(file.source.text, node, whole);
  if (hasComment(file, removed, [value.span])) return { disabled: 'A comment at its declaration would be lost.' };
  return { edits: [edit(context, removed, ''), ...edits], name: null };
}

/** The declaration, or of several in one statement that of the variable with its comma. */
function removedRange(
  text: string,
  { part, span }: DeclaratorNode,
  { declarators, span: whole }: VariableDeclaration,
): OffsetRange {
  if (declarators.length === 1) return wholeLines(text, whole);
  const at = declarators.indexOf(part);
  return at === 0
    ? { start: span.start, end: declarators[1]!.span.start }
    : { start: declarators[at - 1]!.span.end, end: span.end };
}
