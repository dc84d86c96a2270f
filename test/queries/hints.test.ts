// Hints, folding, selection, links and the call hierarchy.

import { describe, expect, it } from 'vitest';
import {
  callHierarchyAt,
  foldingRangesOf,
  hintsOf,
  incomingCalls,
  linksOf,
  outgoingCalls,
  selectionRangesAt,
  semanticTokensOf,
} from '../../src/queries/index.ts';
import { ask, place } from './cursor.ts';

/** The script with its hints in brackets. */
function hinted(script: string): string {
  const { analysis } = ask(script);
  return hintsOf(analysis, 'main.slu').reduceRight(
    (text, { at, text: hint }) => `${text.slice(0, at.start)}<${hint}>${text.slice(at.start)}`,
    script,
  );
}

const area = 'double area(double width, double height, string ...notes[]) { return width * height; }\n';

describe('hints', () => {
  it.each<readonly [string, string, string]>([
    ['names of parameters', 'yield area(1.0, 2.0);', 'yield area(<width:>1.0, <height:>2.0);'],
    ['variadic ones', 'yield area(1.0, 2.0, "a", "b");', 'yield area(<width:>1.0, <height:>2.0, <...notes:>"a", "b");'],
    [
      'not where the argument says it',
      'double width = 1.0; yield area(width, width);',
      'double width = 1.0; yield area(width, <height:>width);',
    ],
    ['not for what is worked out', 'yield area(1.0 + 2.0, 3.0);', 'yield area(1.0 + 2.0, <height:>3.0);'],
    ['behind a dot', 'double w = 1.0; yield w.area(2.0);', 'double w = 1.0; yield w.area(<height:>2.0);'],
    ['of the library', 'yield "a".padStart(2, "b");', 'yield "a".padStart(<n:>2, <fill:>"b");'],
    [
      'ints that widen',
      'int n = 1; double d = n; yield d + n;',
      'int n = 1; double d = n<as double>; yield d + n<as double>;',
    ],
    ['not constants', 'double d = 1; yield d;', 'double d = 1; yield d;'],
  ])('%s', (_, script, shown) => {
    expect(hinted(`${area}${script}`)).toBe(`${area}${shown}`);
  });

  it('copies as json', () => {
    expect(hinted('type P { int a; }\nP p = { a: 1 };\njson j = p;\njson k = { p: p };\nyield [j, k];')).toBe(
      'type P { int a; }\nP p = { a: 1 };\njson j = p<as json>;\n' + 'json k = { p: p<as json> };\nyield [j, k];',
    );
  });

  it('of a range alone', () => {
    const { analysis } = ask(`${area}yield area(1.0, 2.0);\nyield area(3.0, 4.0);`);
    expect(hintsOf(analysis, 'main.slu', { start: area.length, end: area.length + 20 })).toHaveLength(2);
  });
});

it('tokens tell what the grammar cannot', () => {
  const { analysis } = ask(
    'type P { int a; }\nconst int most = 1;\n' +
      'int f(P p) { p.a += most; return p.a; }\nyield Math.abs(1.0) + f({ a: 2 });',
  );
  const shown = semanticTokensOf(analysis, 'main.slu').map(
    ({ span, type, modifiers }) => `${place(span)} ${[type, ...modifiers].join(' ')}`,
  );
  expect(shown).toEqual([
    '1: P type declaration',
    '1: a property declaration',
    '2: most variable declaration readonly',
    '3: f function declaration',
    '3: P type',
    '3: p parameter declaration',
    '3: p parameter',
    '3: a property modification',
    '3: most variable readonly',
    '3: p parameter',
    '3: a property',
    '4: Math namespace defaultLibrary',
    '4: abs function defaultLibrary',
    '4: f function',
    '4: a property',
  ]);
});

const lib = 'int inner() { return 1; }\nint far() { return inner(); }\n';
const script = `import "lib.slu" as lib;
import "lib.slu" as again;
// One
// two.
int f(int a) {
  return lib.far() +
    a;
}
main() {
  yield f(f(1));
  yield [
    1,
  ];
}
`;

describe('ranges', () => {
  it('fold', () => {
    const { analysis } = ask(script, { 'lib.slu': lib });
    expect(
      foldingRangesOf(analysis, 'main.slu').map(({ span, kind }) => `${kind} ${place(span).replaceAll(/\s+/g, ' ')}`),
    ).toEqual([
      'imports 1: import "lib.slu" as lib; import "lib.slu" as again;',
      'comment 3: // One // two.',
      'code 5: { return lib.far() + a; }',
      'code 9: { yield f(f(1)); yield [ 1, ]; }',
      'code 11: [ 1, ]',
    ]);
  });

  it('grow with a selection', () => {
    const { analysis, file, offset } = ask('int f(int a) {\n  return a + §a * 2;\n}');
    expect(selectionRangesAt(analysis, file, offset).map(place)).toEqual([
      '2: a',
      '2: a * 2',
      '2: a + a * 2',
      '2: return a + a * 2;',
      '1: {\n  return a + a * 2;\n}',
      '1: int f(int a) {\n  return a + a * 2;\n}',
    ]);
  });

  it('lead to files', () => {
    const { analysis } = ask(script, { 'lib.slu': lib });
    expect(linksOf(analysis, 'main.slu').map(({ span, file }) => `${place(span)} ${file}`)).toEqual([
      '1: "lib.slu" lib.slu',
      '2: "lib.slu" lib.slu',
    ]);
  });
});

describe('call hierarchy', () => {
  const at = (text: string, others = { 'lib.slu': lib }) => {
    const { analysis, file, offset } = ask(text, others);
    return { analysis, item: callHierarchyAt(analysis, file, offset)! };
  };
  const shown = (calls: ReturnType<typeof incomingCalls>): string[] =>
    calls.map(({ item, calls: names }) => `${item.kind} ${item.name}: ${names.map(place).join(', ')}`);

  it('has who calls a function', () => {
    const { analysis, item } = at(script.replace('f(int a)', '§f(int a)'));
    expect(shown(incomingCalls(analysis, item))).toEqual(['main main: 10: f, 10: f']);
  });

  it('has what a function calls, in other files too', () => {
    const { analysis, item } = at(script.replace('f(int a)', '§f(int a)'));
    const [call] = outgoingCalls(analysis, item);
    expect(shown(outgoingCalls(analysis, item))).toEqual(['function far: 6: far']);
    expect(shown(outgoingCalls(analysis, call!.item))).toEqual(['function inner: lib.slu 2: inner']);
    expect(shown(incomingCalls(analysis, call!.item))).toEqual(['function f: 6: far']);
  });

  it('has the top level', () => {
    const { analysis, item } = at('int §f() { return 1; }\nyield f();');
    const [call] = incomingCalls(analysis, item);
    expect(call!.item).toMatchObject({ kind: 'script', name: 'main.slu' });
    expect(shown(outgoingCalls(analysis, call!.item))).toEqual(['function f: 2: f']);
  });

  it('begins at functions alone', () => {
    const { analysis, file, offset } = ask('int §x = 1; yield x;');
    expect(callHierarchyAt(analysis, file, offset)).toBeNull();
  });
});
