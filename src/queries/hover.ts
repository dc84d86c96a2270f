// Hovers: what a name is, its type, and what its documentation says, as Markdown.

import { raisedWhen } from '../language/raised-when.ts';
import type { Example, LibraryFunction } from '../library/declare.ts';
import type { Analysis } from './analysis.ts';
import { documentationOf } from './comments.ts';
import { declarationText, kindWords, libraryText } from './descriptions.ts';
import { relativePath } from './imports.ts';
import type { Hover } from './results.ts';
import { findName, importedFile } from './targets.ts';
import type { DeclaredTarget, FoundName, Target } from './targets.ts';

export function hoverAt(analysis: Analysis, fileName: string, offset: number): Hover | null {
  const found = findName(analysis, fileName, offset);
  if (found === null || found.target === null) return null;
  return { span: found.entry.name.span, markdown: describe(analysis, found, found.target) };
}

function describe(analysis: Analysis, found: FoundName, target: Target): string {
  switch (target.kind) {
    case 'declared':
      return describeDeclared(analysis, target);
    case 'library':
      return sections(fence(libraryText(target.row, target.typeArgument)), libraryDocumentation(target.row));
    case 'namespace':
      return sections(fence(`namespace ${target.library.name}`), target.library.documentation);
    case 'json-key':
      return sections(fence(`json ${found.entry.name.text}`), 'A key of a json; a missing one is a KeyNotFoundError.');
    case 'error-type':
      return sections(
        fence(`error ${target.error.name}`),
        raisedWhen[target.error.name],
        target.error.guard ? 'It passes through `catch (e)`, and ends the run.' : null,
      );
  }
}

function describeDeclared(analysis: Analysis, { file, declaration }: DeclaredTarget): string {
  const imported = declaration.kind === 'import' ? importedFile(analysis, file, declaration.name.text) : null;
  const opening = imported === null ? null : openingOf(imported.syntax.source.text);
  return sections(
    fence(declarationText(declaration)),
    documentationOf(file.syntax, declaration) ?? opening,
    declaration.kind === 'function' || declaration.kind === 'main' || declaration.kind === 'type'
      ? null
      : `*${kindWords[declaration.kind]}*`,
    file === analysis.entry || file.isPlugin ? null : `\`${relativePath(analysis.entry.name, file.name)}\``,
  );
}

/** The comment with which a file begins. */
function openingOf(text: string): string | null {
  const lines = /^(?:#![^\n]*\n)?\s*((?:\/\/[^\n]*\n)+)/.exec(text)?.[1];
  return lines === undefined ? null : lines.replaceAll(/^\/\/ ?/gm, '').trim();
}

/** What a row says of itself: a sentence, what it asks the host for, and an example. */
export function libraryDocumentation({ documentation, implementation, example }: LibraryFunction): string {
  const permission = implementation.kind === 'host' ? implementation.permission : null;
  return sections(
    documentation,
    permission === null ? null : `Asks for \`${permission}\`.`,
    example === null ? null : fence(exampleText(example)),
  );
}

function exampleText({ statements, expression, result }: Example): string {
  return `${statements === '' ? '' : `${statements}\n`}${expression}  // ${result}`;
}

export function fence(code: string): string {
  return `\`\`\`sluice\n${code}\n\`\`\``;
}

/** Paragraphs, those that are null left out. */
export function sections(...parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null).join('\n\n');
}
