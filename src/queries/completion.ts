// Completion: what can stand at the cursor. A name is put there, and what the checker makes of that says what is
// wanted: a member of a value, a type, a field of a literal, or a value of some type.

import { converts } from '../2-check/conversions.ts';
import { errorTypes } from '../language/errors.ts';
import { raisedWhen } from '../language/raised-when.ts';
import type { Type } from '../language/types.ts';
import type { AnalysedFile, Analysis } from './analysis.ts';
import { declaredItem, fileItem, namespaceItem, ranks, wordItem } from './completion-items.ts';
import type { Place } from './completion-items.ts';
import { fieldItems, memberItems } from './completion-members.ts';
import { headerItems, statementItems, typeItems, valueItems } from './completion-words.ts';
import type { StatementPlace } from './completion-words.ts';
import { typeOfName } from './definition.ts';
import type { Declaration } from './file-index.ts';
import { importables, relativePath, sharedDeclarations } from './imports.ts';
import { freshName, probe, wordAt } from './probe.ts';
import type { Probe, Word } from './probe.ts';
import type { Completion } from './results.ts';
import type { SyntaxNode } from './syntax-nodes.ts';
import { scanTokens } from './token-scan.ts';
import type { TokenScan } from './token-scan.ts';

export interface CompletionOptions {
  /** Other programs whose files can be imported. */
  readonly others?: readonly Analysis[];
}

/** What is asked, and where. */
interface Request {
  readonly analysis: Analysis;
  readonly file: AnalysedFile;
  readonly scan: TokenScan;
  readonly word: Word;
  readonly place: Place;
  readonly others: readonly Analysis[];
  /** The text of the token in front of the word, and of the one in front of that. */
  readonly before: string;
  readonly second: string;
}

/** In no order but that of their ranks; what the user has typed of the word does not choose among them. */
export function completionsAt(
  analysis: Analysis,
  fileName: string,
  offset: number,
  { others = [] }: CompletionOptions = {},
): readonly Completion[] {
  const file = analysis.file(fileName);
  if (file === null) return [];
  const { source, syntax } = file;
  const around = syntax.tokens.find(
    ({ start, end, kind }) => start < offset && (goesOn.has(kind) ? offset <= end : offset < end),
  );
  const word = wordAt(source.text, offset);
  const scan = scanTokens(syntax, word.start);
  const replace = { file: source, start: word.start, end: word.end };
  const place: Place = { replace, isCalled: /^[ \t]*\(/.test(source.text.slice(word.end, word.end + 20)) };
  const request: Request = {
    analysis,
    file,
    scan,
    word,
    place,
    others,
    before: scan.textOf(scan.before),
    second: scan.textOf(scan.before - 1),
  };
  if (around?.kind === 'string') return pathItems(request, around.start, around.end, offset);
  if (around !== undefined && noCode.has(around.kind)) return [];
  return lexicalItems(request) ?? probedItems(request);
}

/** What is typed right behind them belongs to them. */
const goesOn: ReadonlySet<string> = new Set(['line-comment', 'template-text', 'number']);
const noCode: ReadonlySet<string> = new Set(['line-comment', 'block-comment', 'template-text', 'number']);

/** In the path of an import, the files that can be imported. */
function pathItems(
  { analysis, file, scan, others, place }: Request,
  start: number,
  end: number,
  offset: number,
): readonly Completion[] {
  const at = scan.tokens.findIndex((token) => token.start === start);
  if (scan.textOf(at - 1) !== 'import') return [];
  const { text } = file.source;
  const isClosed = end - start > 1 && text[end - 1] === '"' && offset < end;
  const replace = { ...place.replace, start: start + 1, end: isClosed ? end - 1 : end };
  const names = [analysis, ...others].flatMap(({ files }) =>
    files.filter((other) => !other.isPlugin && other.name !== file.name).map(({ name }) => name),
  );
  return [...new Set(names)].map((name) => fileItem({ ...place, replace }, relativePath(file.name, name)));
}

/** What the tokens in front of the cursor decide alone; null where they do not. */
function lexicalItems(request: Request): readonly Completion[] | null {
  const { scan, before, second, place } = request;
  if (before === '@')
    return headerItems({ ...place, replace: { ...place.replace, start: scan.tokens[scan.before]!.start } });
  if (second === 'catch' && before === '(')
    return errorTypes.map(({ name }) => wordItem(place, name, 'error-type', raisedWhen[name]));
  const whole = wholeAround(request);
  if (whole !== null) return typesAt(request, probeFor(request, whole));
  if (isForeachName(scan)) return [wordItem(place, 'in', 'keyword')];
  return null;
}

/** Where only a type can stand: what makes one there a whole. */
function wholeAround({ scan, before, second, file }: Request): string | null {
  const name = freshName(file.source.text);
  if (second === 'foreach' && before === '(') return `int ${name} in [0]`;
  if (before === 'new') return 'int[0]';
  const isField = scan.open.at(-1)?.kind === 'fields' && (before === '{' || before === ';');
  if (isField) return `int ${name};`;
  return isParameterPlace(scan, before) ? `int ${name}` : null;
}

/** Where the type of a parameter stands: `int f(…`, `main(…`. */
function isParameterPlace({ open, textOf, tokens }: TokenScan, before: string): boolean {
  const bracket = open.at(-1);
  if (open.length !== 1 || bracket?.kind !== 'parenthesis' || (before !== '(' && before !== ',')) return false;
  if (textOf(bracket.at - 1) === 'main') return true;
  const type = tokens[bracket.at - 2];
  if (tokens[bracket.at - 1]?.kind !== 'name' || type === undefined) return false;
  const word = textOf(bracket.at - 2);
  return type.kind === 'name' || ['int', 'double', 'boolean', 'string', 'json', 'void', ']', '?'].includes(word);
}

/** Behind the variable of a `foreach`, in front of its `in`. */
function isForeachName({ open, textOf, before, tokens }: TokenScan): boolean {
  const bracket = open.at(-1);
  return (
    bracket?.kind === 'parenthesis' &&
    textOf(bracket.at - 1) === 'foreach' &&
    before >= bracket.at + 2 &&
    tokens[before]!.kind === 'name' &&
    textOf(before - 1) !== '.' &&
    !tokens.slice(bracket.at, before + 1).some((_, at) => textOf(bracket.at + at) === 'in')
  );
}

function probeFor({ analysis, file, scan, word }: Request, insert: string): Probe {
  return probe(analysis, file, scan, word, insert);
}

function probedItems(request: Request): readonly Completion[] {
  const { file, scan, before, place } = request;
  const name = freshName(file.source.text);
  const isKey = scan.open.at(-1)?.kind === 'literal' && (before === '{' || before === ',');
  const probed = probeFor(request, isKey ? `${name}: 0` : name);
  const path = probed.file.index.pathAt(probed.offset + 1);
  if (isKey) return fieldItems(place, probed, path, file.source.text);
  if (before === '.') return memberItems(place, probed, path);
  const entry = probed.file.index.nameAt(probed.offset);
  if (entry?.role === 'declares') return isValueBefore(probed, path) ? [wordItem(place, 'as', 'keyword')] : [];
  if (entry?.role === 'type') return typesAt(request, probed);
  return valuesAt(request, probed, path);
}

/** `x as` begins as a declaration would whose type is x. */
function isValueBefore({ file }: Probe, path: readonly SyntaxNode[]): boolean {
  const declaration = path.find((node) => node.kind === 'variable-declaration');
  return (
    declaration?.type.kind === 'named-type' &&
    declaration.type.qualifier === null &&
    !['type', 'import', undefined].includes(
      file.index.resolve(declaration.type.name.text, declaration.span.start)?.kind,
    )
  );
}

function typesAt(request: Request, probed: Probe): readonly Completion[] {
  const { place } = request;
  const types = probed.file.index.declarations.filter(({ kind }) => kind === 'type');
  return [
    ...types.map((declaration) => declaredItem(place, probed.file, declaration, { rank: ranks.file })),
    ...typeItems(place),
    ...elsewhere(request, probed, ({ kind }) => kind === 'type'),
  ];
}

/** What other files declare, those that are imported first. */
function elsewhere(
  { place, others }: Request,
  probed: Probe,
  isWanted: (declaration: Declaration) => boolean,
): readonly Completion[] {
  return importables(probed.analysis, probed.file, others).flatMap(({ file, alias, edits }) =>
    sharedDeclarations(file)
      .filter(isWanted)
      .map((declaration) =>
        declaredItem(place, file, declaration, {
          rank: edits.length === 0 ? ranks.imported : ranks.elsewhere,
          qualifier: `${alias}.`,
          edits,
        }),
      ),
  );
}

const statementStarts: ReadonlySet<string> = new Set(['', ';', '{', '}', ')', 'else', 'do']);

function valuesAt(request: Request, probed: Probe, path: readonly SyntaxNode[]): readonly Completion[] {
  const { place, before, scan } = request;
  const { file, analysis, offset } = probed;
  const node = path.at(-1);
  const expected = node?.kind === 'name' ? (analysis.notes.expectedAt(node) ?? null) : null;
  const isInside = path.some(({ kind }) => kind === 'function-declaration' || kind === 'main-declaration');
  const innermost = scan.open.at(-1)?.kind;
  const isStatement = statementStarts.has(before) && (innermost === undefined || innermost === 'block');
  const declared = file.index
    .visibleAt(offset)
    .filter(({ kind, name }) => kind !== 'global' || isInside || name.span.start < offset)
    .filter(({ kind }) => kind !== 'type' || isStatement)
    .map((declaration) => {
      const rank = rankOf(file, declaration, expected);
      return declaredItem(place, file, declaration, { rank });
    });
  const namespaces = analysis.registry.libraries
    .filter(({ receiver, preludeOnly }) => receiver === null && !preludeOnly)
    .map(({ name, documentation }) => namespaceItem(place, name, documentation));
  return [
    ...declared,
    ...(isStatement
      ? [...statementItems(place, statementPlace(request, file, path, offset)), ...typeItems(place)]
      : []),
    ...(isStatement && before !== ')' ? [] : valueItems(place)),
    ...namespaces,
    ...elsewhere(request, probed, ({ kind }) => kind !== 'type' || isStatement),
  ];
}

function rankOf(file: AnalysedFile, { kind, name }: Declaration, expected: Type | null): number {
  const type = kind === 'import' || kind === 'type' ? null : typeOfName(file, name.span.start);
  if (type !== null && expected !== null && type.kind !== 'invalid' && converts(type, expected)) return ranks.fits;
  if (kind === 'type') return ranks.type;
  return kind === 'global' || kind === 'function' || kind === 'import' ? ranks.file : ranks.local;
}

function statementPlace(
  { scan }: Request,
  file: AnalysedFile,
  path: readonly SyntaxNode[],
  offset: number,
): StatementPlace {
  const loops = new Set(['while', 'do-while', 'for', 'foreach']);
  const block = path.findLast((node) => node.kind === 'block');
  const siblings: readonly SyntaxNode[] = block?.kind === 'block' ? block.statements : file.syntax.items;
  const last = siblings.findLast(({ span }) => span.end <= offset);
  return {
    isTopLevel: block === undefined,
    isInLoop: path.some(({ kind }) => loops.has(kind)),
    takesElse: last?.kind === 'if' && endOfChain(last) === null,
    takesCatch: scan.closed !== null && isTry(scan, scan.closed),
  };
}

/** Whether a brace opens the block of a `try`, or of a clause. */
function isTry({ textOf, tokens }: TokenScan, brace: number): boolean {
  if (textOf(brace - 1) === 'try') return true;
  const opener = tokens.findLastIndex((_, at) => at < brace && textOf(at) === '(');
  return textOf(opener - 1) === 'catch';
}

/** What the last `if` of a chain does otherwise. */
function endOfChain(node: SyntaxNode & { readonly kind: 'if' }): SyntaxNode | null {
  let last = node;
  while (last.otherwise?.kind === 'if') last = last.otherwise;
  return last.otherwise;
}
