// Refactorings in tests: `«…»` marks a selection, `§` a cursor; what is offered there, and the text after it.

import { expect } from 'vitest';
import { applyEdits, refactoringsAt } from '../../src/queries/index.ts';
import type { CodeAction } from '../../src/queries/index.ts';
import { ask } from './cursor.ts';

export function offered(
  script: string,
  others: Readonly<Record<string, string>> = {},
): readonly (CodeAction & { readonly text: string })[] {
  const plain = script.replace(/[«»§]/g, '');
  const start = script.search(/[«§]/);
  const end = script.includes('«') ? script.indexOf('»') - 1 : start;
  const { analysis, file } = ask(plain, others);
  return refactoringsAt(analysis, file, { start, end }).map((action) => ({
    ...action,
    text: applyEdits(file, plain, action.edits),
  }));
}

/** The text after one of the refactorings; why not, behind `no: `; null where it is not offered. */
export function after(title: string, script: string, others?: Readonly<Record<string, string>>): string | null {
  const found = offered(script, others).find((action) => action.title === title);
  if (found === undefined) return null;
  expect(found.disabled === null).toBe(found.edits.length > 0);
  return found.disabled === null ? found.text : `no: ${found.disabled}`;
}
