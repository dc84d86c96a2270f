// A name that is spelt much like one that there is: the advice names that one, and an edit writes it. The edit is made
// without asking only where no more than upper and lower case differ.

import { expect, it } from 'vitest';
import { checkSource } from '../../src/compile.ts';
import { applyFixes } from '../../src/diagnostics/fixes.ts';
import { memoryReader } from '../../src/memory-reader.ts';

const reader = memoryReader({
  'shapes.slu': 'type Square { int side; }\nint unit = 1;\nint square(int n) { return n * n; }',
});
const imported = 'import "shapes.slu" as shapes; ';

/** Script, code, and the word that is written instead. */
const misspelt: readonly (readonly [text: string, code: string, meant: string])[] = [
  ['int count = 1; yield conut;', 'E2012', 'count'],
  ['int count = 1; yield Count;', 'E2012', 'count'],
  ['int twice(int n) { return 2 * n; } yield twise(2);', 'E2014', 'twice'],
  ['yield Math.sqrd(2.0);', 'E2015', 'sqrt'],
  ['yield "text".lenght();', 'E2016', 'length'],
  ['type Point { int x; } Pont p = { x: 1 }; yield p.x;', 'E2013', 'Point'],
  ['type Point { int left; } Point p = { left: 1 }; yield p.lfet;', 'E2017', 'left'],
  [`${imported}yield shapes.sqare(2);`, 'E2073', 'square'],
  [`${imported}yield shapes.unti;`, 'E2073', 'unit'],
  [`${imported}shapes.Sqare s = { side: 1 }; yield s.side;`, 'E2073', 'Square'],
  [`${imported}shaps.Square s = { side: 1 }; yield s.side;`, 'E2012', 'shapes'],
  ['import "shape.slu" as shapes; yield shapes.unit;', 'E2070', '"shapes.slu"'],
  ['try { throw "a"; } catch (ParseEror e) { yield e; }', 'W5003', 'ParseError'],
];

it.each(misspelt)('%s', (text, code, meant) => {
  const { diagnostics } = checkSource('main.slu', text, { reader });
  expect(diagnostics.map((found) => found.code)).toEqual([code]);
  const { fix, help, span } = diagnostics[0]!;
  const word = text.slice(fix!.span.start, fix!.span.end);
  expect(help).toContain('Did you mean');
  expect(fix).toMatchObject({ replacement: meant, span: { start: span.start, end: span.end } });
  expect(fix!.sure).toBe(word.toLowerCase() === meant.toLowerCase());
  expect(checkSource('main.slu', applyFixes(text, [fix!]), { reader }).diagnostics).toEqual([]);
});

it('writes no error type without asking: the script runs as it is', () => {
  const { diagnostics } = checkSource('main.slu', 'try { throw "a"; } catch (parseError e) { yield e; }');
  expect(diagnostics).toMatchObject([{ fix: { replacement: 'ParseError', sure: false } }]);
});
