// One completion each: of a declaration, a row of the library, a word of the language.

import type { Type } from '../language/types.ts';
import { formatType } from '../language/types.ts';
import type { LibraryFunction } from '../library/declare.ts';
import type { Span } from '../source.ts';
import type { AnalysedFile } from './analysis.ts';
import { documentationOf } from './comments.ts';
import { declarationText, libraryText } from './descriptions.ts';
import type { Declaration } from './file-index.ts';
import { libraryDocumentation } from './hover.ts';
import type { Completion, CompletionKind, TextEdit } from './results.ts';
import { isConstant } from './semantic-tokens.ts';

/** Where completions go, and what stands behind that place. */
export interface Place {
  readonly replace: Span;
  /** A parenthesis follows: arguments are there already. */
  readonly isCalled: boolean;
}

/** The lower, the more likely: what is near and fits comes first. */
export const ranks = {
  fits: 0,
  local: 1,
  member: 1,
  file: 2,
  method: 3,
  imported: 4,
  keyword: 5,
  library: 6,
  type: 6,
  elsewhere: 8,
} as const;

function item(
  { replace }: Place,
  label: string,
  kind: CompletionKind,
  rank: number,
  rest: Partial<Completion> = {},
): Completion {
  return {
    label,
    kind,
    detail: null,
    documentation: null,
    text: label,
    isSnippet: false,
    replace,
    edits: [],
    rank,
    ...rest,
  };
}

/** `f(${1:a}, ${2:b})`: a place for each argument that must be given. */
function callOf(name: string, required: readonly string[], takesMore: boolean): Pick<Completion, 'text' | 'isSnippet'> {
  if (required.length === 0 && !takesMore) return { text: `${name}()`, isSnippet: false };
  const places = required.map((parameter, at) => `\${${at + 1}:${parameter}}`).join(', ');
  return { text: `${name}(${places === '' ? '$1' : places})`, isSnippet: true };
}

export interface DeclaredOptions {
  readonly rank: number;
  /** What stands before the dot is the first argument. */
  readonly hasReceiver?: boolean;
  /** What goes in front of the name: `geometry.` */
  readonly qualifier?: string;
  readonly edits?: readonly TextEdit[];
}

const kinds: Readonly<Record<Declaration['kind'], CompletionKind>> = {
  function: 'function',
  main: 'function',
  type: 'type',
  field: 'field',
  global: 'variable',
  local: 'variable',
  parameter: 'parameter',
  foreach: 'variable',
  catch: 'variable',
  import: 'import',
};

export function declaredItem(
  place: Place,
  file: AnalysedFile,
  declaration: Declaration,
  { rank, hasReceiver = false, qualifier = '', edits = [] }: DeclaredOptions,
): Completion {
  const { kind, name, node } = declaration;
  const written = `${qualifier}${name.text}`;
  const rest = {
    detail: declarationText(declaration).replaceAll(/\s*\n\s*/g, ' '),
    documentation: documentationOf(file.syntax, declaration),
    edits,
    text: written,
  };
  if (node.kind !== 'function-declaration')
    return item(place, written, isConstant(declaration) ? 'constant' : kinds[kind], rank, rest);
  const parameters = hasReceiver && node.parameters[0]?.variadic !== true ? node.parameters.slice(1) : node.parameters;
  const required = parameters.filter(({ initialiser, variadic }) => initialiser === null && !variadic);
  const call = place.isCalled
    ? {}
    : callOf(
        written,
        required.map((parameter) => parameter.name.text),
        parameters.length > required.length,
      );
  return item(place, written, hasReceiver ? 'method' : 'function', rank, { ...rest, ...call });
}

export function libraryItem(place: Place, row: LibraryFunction, typeArgument: Type | null, rank: number): Completion {
  const rest = {
    detail: libraryText(row, typeArgument),
    documentation: libraryDocumentation(row),
  };
  if (row.implementation.kind === 'constant') return item(place, row.name, 'constant', rank, rest);
  const required = row.parameters.filter(({ initialiser }) => initialiser === null).map(({ name }) => name);
  const call = place.isCalled ? {} : callOf(row.name, required, row.parameters.length > required.length);
  return item(place, row.name, row.receiver === null ? 'function' : 'method', rank, { ...rest, ...call });
}

export function namespaceItem(place: Place, name: string, documentation: string): Completion {
  return item(place, name, 'namespace', ranks.library, { detail: `namespace ${name}`, documentation });
}

/** A field of a literal, with its colon. */
export function fieldEntryItem(
  place: Place,
  name: string,
  type: Type,
  documentation: string | null,
  hasColon: boolean,
): Completion {
  return item(place, name, 'field', ranks.fits, {
    detail: formatType(type),
    documentation,
    text: hasColon ? name : `${name}: `,
  });
}

/** All fields of a literal at once. */
export function wholeLiteralItem(place: Place, struct: string, fields: readonly string[]): Completion {
  return item(place, fields.map((name) => `${name}: …`).join(', '), 'snippet', ranks.fits, {
    detail: `all fields of ${struct}`,
    text: fields.map((name, at) => `${name}: \${${at + 1}}`).join(', '),
    isSnippet: true,
  });
}

export function wordItem(
  place: Place,
  word: string,
  kind: CompletionKind,
  documentation: string | null = null,
): Completion {
  return item(place, word, kind, kind === 'type' ? ranks.type : ranks.keyword, { documentation });
}

export function snippetItem(place: Place, label: string, text: string, detail: string): Completion {
  return item(place, label, 'snippet', ranks.keyword, { text, isSnippet: true, detail });
}

export function fileItem(place: Place, path: string): Completion {
  return item(place, path, 'file', ranks.fits);
}
