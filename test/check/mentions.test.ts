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
  expect([...names].toSorted()).toEqual(['a', 'b', 'c', 'd', 'g', 'h']);
});

it.each([
  ['a parameter', 'int f(int x) { return x; }', []],
  ['a parameter in the default of another', 'int f(int x, int y = x) { return y; }', ['x']],
  ['a variable behind its declaration', 'int f() { int x = 1; while (true) { x++; } }', []],
  ['a variable in front of its declaration', 'int f() { x++; int x = 1; return x; }', ['x']],
  ['a variable in its own declaration', 'int f() { int x = x; return 1; }', ['x']],
  ['a variable behind its block', 'int f() { { int x = 1; x++; } return x; }', ['x']],
  ['a variable behind its loop', 'int f() { for (int x = 0; x < 3; x++) { x--; } return x; }', ['x']],
  ['a variable of another function', 'int g() { int x = 1; return x; } int f() { return x; }', ['x']],
  ['a variable of a branch', 'int f(boolean b) { if (b) { int x = 1; } else { x = 2; } return 1; }', ['x']],
])('knows %s', (_, text, expected) => {
  const { items } = parse(createSourceFile('test.slu', text), new DiagnosticSink());
  const names = findMentionedNames(items.filter((item): item is FunctionDeclaration => 'body' in item));
  expect([...names]).toEqual(expected);
});
