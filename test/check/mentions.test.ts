// Which names functions mention: found in the syntax alone, in time that grows with it.

import { expect, it } from 'vitest';
import { findMentionedNames } from '../../src/2-check/mentions.ts';
import { parse } from '../../src/1-parse/parse.ts';
import type { FunctionDeclaration } from '../../src/1-parse/syntax-tree.ts';
import { DiagnosticSink } from '../../src/diagnostics/diagnostic.ts';
import { createSourceFile } from '../../src/source.ts';

it('does not look at the lines of the file for each function', () => {
  const text =
    'int f(int x = a) { int y = b + 1; if (c) y++; else { y += d[0].e; } ' +
    'for (int i = 0; i < 3; i++) g(i, `${h}`); return y; }';
  const source = createSourceFile('test.slu', text);
  const { items } = parse(source, new DiagnosticSink());
  const looksAt = {
    enumerable: true,
    get: () => {
      throw new Error('the file was looked at');
    },
  };
  Object.defineProperty(source, 'lineStarts', looksAt);
  const names = findMentionedNames(items.filter((item): item is FunctionDeclaration => 'body' in item));
  expect([...names].toSorted()).toEqual(['a', 'b', 'c', 'd', 'g', 'h', 'i', 'y']);
});
