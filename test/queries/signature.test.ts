// Signatures while arguments are being written, most of them in text that is not whole.

import { expect, it } from 'vitest';
import { signatureAt } from '../../src/queries/index.ts';
import { ask } from './cursor.ts';

const declared = `// Adds three.
int add(int a, int b, int c = 3) { return a + b + c; }
int count(string text, int ...rest[]) { return rest.length(); }
`;

/** The label with the active parameter in brackets. */
function signature(script: string): string | null {
  const { analysis, file, offset } = ask(script, { 'lib.slu': declared });
  const help = signatureAt(analysis, file, offset);
  if (help === null) return null;
  const active = help.active === null ? undefined : help.parameters[help.active];
  return active === undefined
    ? help.label
    : `${help.label.slice(0, active.start)}<${help.label.slice(active.start, active.end)}>${help.label.slice(active.end)}`;
}

it.each<readonly [string, string, string | null]>([
  ['the first argument', 'yield add(§1, 2);', 'int add(<int a>, int b, int c = 3)'],
  ['the second argument', 'yield add(1, §2);', 'int add(int a, <int b>, int c = 3)'],
  ['nothing written yet', 'yield add(§);', 'int add(<int a>, int b, int c = 3)'],
  ['no parenthesis yet', 'yield add(1, §', 'int add(int a, <int b>, int c = 3)'],
  ['no parenthesis, and more below', 'int x = add(1, 2, §\nyield x;', 'int add(int a, int b, <int c = 3>)'],
  ['a parenthesis that the editor has closed', 'yield add(1, §)\nyield 2;', 'int add(int a, <int b>, int c = 3)'],
  ['brackets that the editor has closed', 'int x = add([1][§])', 'int add(<int a>, int b, int c = 3)'],
  ['a block on the same line', 'main() { yield add(§) }', 'int add(<int a>, int b, int c = 3)'],
  ['in the middle of an argument', 'int n = 1; yield add(n + §, 2);', 'int add(<int a>, int b, int c = 3)'],
  ['behind an argument', 'int n = 1; yield add(n §, 2);', 'int add(<int a>, int b, int c = 3)'],
  ['too many arguments', 'yield add(1, 2, 3, §4);', 'int add(int a, int b, int c = 3)'],
  ['behind the call', 'yield add(1, 2)§;', null],
  ['a call in a call', 'yield add(1, add(2, §));', 'int add(int a, <int b>, int c = 3)'],
  ['behind a call in a call', 'yield add(add(2, 3), §);', 'int add(int a, <int b>, int c = 3)'],
  ['in an array in a call', 'yield "a".repeat([1, §2].length());', 'string string.repeat(<int n>)'],
  ['a function behind a dot', 'yield 1.add(§);', 'int add(int a, <int b>, int c = 3)'],
  ['variadic', 'yield count("a", 1, 2, §);', 'int count(string text, <int ...rest[]>)'],
  ['an imported function', 'import "lib.slu" as lib;\nyield lib.add(1, §);', 'int add(int a, <int b>, int c = 3)'],
  ['a namespace', 'yield Math.pow(2.0, §);', 'double Math.pow(double base, <double exp>)'],
  ['a method', 'yield "abc".substring(1, §', 'string string.substring(int from, <int to>)'],
  ['a method of a new expression', 'int[] xs = [1];\nxs.push(§', 'void int[].push(<int item>)'],
  ['a condition is no call', 'if (§) yield 1;', null],
  ['in a template', 'yield `${add(1, §)}`;', 'int add(int a, <int b>, int c = 3)'],
  ['nothing known', 'yield unknown(§);', null],
])('%s', (_, script, shown) => {
  const text = script.startsWith('import') ? script : `${declared}${script}`;
  expect(signature(text)).toBe(shown);
});

it('has the documentation', () => {
  const { analysis, file, offset } = ask(`${declared}yield add(§);`);
  expect(signatureAt(analysis, file, offset)?.documentation).toBe('Adds three.');
});

it('is found inside a function while others are broken', () => {
  expect(signature(`${declared}int f() {\n  int x = add(§\n}`)).toBe('int add(<int a>, int b, int c = 3)');
});
