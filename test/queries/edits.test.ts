// Some edits of a program. Many more: edits.full.ts.

import { describe, expect, it } from 'vitest';
import { analyse } from '../../src/queries/index.ts';
import { createSourceFile } from '../../src/source.ts';
import { faultOfProgramEdits, faultOfProgramTyping } from './edits.ts';

describe('an analysis that takes over what did not change says what one says that does not', () => {
  it.each([1, 2, 3])('edits %d', (seed) => expect(faultOfProgramEdits(60, seed)).toBeNull());

  it.each([
    ['as lib;\n', 'int f(Point p, int n = SIZE) { return p.x + n; }\n'],
    ['double sum = 0;\n', 'Line l = makeLine(counter); if (l.from.x > 2) {\nint norm = 2; sum += l.length(norm); }\n'],
    ['string text(Point p) {\n', 'string s = `a ${defaults(2)} b`; double norm = norm(p);'],
    ['int counter = 0;\n', 'type Q { Point? p; int n = 1; }\nQ q = { p: null };\n'],
  ])('typing behind %j', (place, keys) => expect(faultOfProgramTyping(place, keys)).toBeNull());
});

describe('functions that did not change are not checked again', () => {
  const functions = Array.from({ length: 100 }, (_, at) => `int f${at}(int x) {\n  return x + ${at};\n}\n`).join('');
  const countPolls = (text: string, previous: ReturnType<typeof analyse> | null): number => {
    let polls = 0;
    const poll = (): void => {
      polls += 1;
    };
    analyse(createSourceFile('a.slu', text), null, { previous, poll });
    return polls;
  };

  it.each(['  int y = x;\n', '  return f3(', '  f3(1).max(2', '  {\n', '  "'])('with %j typed into one', (words) => {
    const first = analyse(createSourceFile('a.slu', functions), null);
    const text = functions.replace('int f50(int x) {\n', `$&${words}`);
    expect(countPolls(text, first)).toBeLessThan(countPolls(text, null) / 8);
  });

  it.each(['x', 'int y = 1;\n', '}', 'int g(int', 'type T {'])('with %j typed between them', (words) => {
    const text = `const int SIZE = 2;\n${functions}main() {\n  yield f1(SIZE);\n}\n`;
    const first = analyse(createSourceFile('a.slu', text), null);
    const edited = text.replace('int f50', `${words}$&`);
    expect(countPolls(edited, first)).toBeLessThan(countPolls(edited, null) / 8);
  });

  it('but for those that name what has another head', () => {
    const first = analyse(createSourceFile('a.slu', `${functions}int g() { return f3(1); }\n`), null);
    const text = `${functions.replace('int f3(int x)', 'int f3(string x)')}int g() { return f3(1); }\n`;
    const found = analyse(createSourceFile('a.slu', text), null, { previous: first }).diagnostics;
    expect(found.map(({ span }) => text.slice(span.start, span.end))).toEqual(['+', '1']);
  });
});
