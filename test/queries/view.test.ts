// What values look like, by the types that a compiled script says it yields.

import { expect, it } from 'vitest';
import { compile } from '../../src/index.ts';
import { isPicture, viewOf } from '../../src/queries/view.ts';
import type { View } from '../../src/queries/view.ts';

const types = `type Point { double x; double y; double z; }
type Bird { string name; int count; }
type Name { string first; }
type Pair { int t; }
`;

async function viewsOf(body: string): Promise<readonly View[]> {
  const { artifact, diagnostics } = await compile('view.slu', `${types}main() { ${body} }`);
  if (artifact === null) throw new Error(diagnostics[0]!.message);
  const { yields, structs } = artifact.manifest;
  return yields!.map((type) => viewOf(type, structs));
}

const rows: readonly (readonly [yielded: string, view: View])[] = [
  ['1', { kind: 'series', extent: 'one' }],
  ['1.5', { kind: 'series', extent: 'one' }],
  ['[1, 2]', { kind: 'series', extent: 'many' }],
  ['true', { kind: 'text' }],
  ['"<svg></svg>"', { kind: 'svg' }],
  ['Json.parse("1")', { kind: 'text' }],
  ['null', { kind: 'text' }],
  ['["a"]', { kind: 'table', extent: 'many', columns: [{ name: 'value', isNumber: false }] }],
  ['[[1, 2], [3, 4]]', { kind: 'table', extent: 'many', columns: [] }],
];

it.each(rows)('shows what `yield %s` gives', async (yielded, view) => {
  expect(await viewsOf(`yield ${yielded};`)).toEqual([view]);
});

it('takes number fields of structs for lines, the first one for what they go along if its name says so', async () => {
  const point = ['x', 'y', 'z'].map((name) => ({ name, isNumber: true }));
  expect(await viewsOf('Point p = { x: 1.0, y: 2.0, z: 3.0 }; yield p;')).toEqual([
    { kind: 'lines', extent: 'one', columns: point, lines: ['y', 'z'], across: 'x' },
  ]);
  expect(await viewsOf('Bird[] birds = [{ name: "tit", count: 2 }]; yield birds;')).toEqual([
    {
      kind: 'lines',
      extent: 'many',
      columns: [
        { name: 'name', isNumber: false },
        { name: 'count', isNumber: true },
      ],
      lines: ['count'],
      across: null,
    },
  ]);
  expect(await viewsOf('Pair p = { t: 1 }; yield p;')).toMatchObject([{ lines: ['t'], across: null }]);
});

it('takes structs without numbers for rows of a table', async () => {
  expect(await viewsOf('Name name = { first: "Ann" }; yield name;')).toEqual([
    { kind: 'table', extent: 'one', columns: [{ name: 'first', isNumber: false }] },
  ]);
});

it('knows a picture by how its text begins', () => {
  expect(['<svg viewBox="0 0 1 1"/>', '\n <svg>', '<svgish>', 'an <svg>', '<p>'].map(isPicture)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
