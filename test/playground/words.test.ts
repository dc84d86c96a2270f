// The words that the editor of the playground paints at once are those of the language.

import { expect, it } from 'vitest';
import { constants, control, declaring, namespaces, types } from '../../site/playground/src/editor/words.ts';
import { keywords } from '../../src/language/keywords.ts';
import { builtInLibraries } from '../../src/library/registry.ts';

it('paints the keywords of the compiler and no other words, each as one kind', () => {
  expect([...control, ...declaring, ...constants, ...types].toSorted()).toEqual(keywords.toSorted());
});

it('paints the namespaces that scripts have', () => {
  const scripts = builtInLibraries.filter(({ receiver, preludeOnly }) => receiver === null && !preludeOnly);
  expect(namespaces.toSorted()).toEqual(scripts.map(({ name }) => name).toSorted());
});
