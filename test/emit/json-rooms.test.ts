// The members that the compiler foresees for objects of json literals.

import { expect, it } from 'vitest';
import { collectKeyUsages, likelyMembers } from '../../src/5-emit/json-rooms.ts';
import { nodesOf, visitAll } from '../../src/mir/children.ts';
import type { JsonObjectLiteral } from '../../src/mir/mir.ts';
import { mirOf } from '../optimise/lowering.ts';

/** The likely number of members of each literal, in the order of the text. */
function likely(source: string): readonly number[] {
  const { functions, entry, initialiser } = mirOf(source);
  const all = [...functions.values(), entry, initialiser].filter((fn) => fn !== null);
  const rooms = collectKeyUsages(all);
  const literals: JsonObjectLiteral[] = [];
  for (const fn of all) visitAll(nodesOf(fn), (node) => void (node.kind === 'json-object' && literals.push(node)));
  return literals.toSorted((a, b) => a.span.start - b.span.start).map((literal) => likelyMembers(literal, rooms));
}

const make = 'json make(int i) { return { "id": i, "name": "n", "size": i }; }';

it.each([
  ['nothing but its own keys', `${make} main() { json o = make(1); return o.id as int; }`, [3]],
  [
    'what other functions store',
    `${make} void sum(json o) { o.total = o.id as int; o["seen"] = true; } main() { sum(make(1)); }`,
    [5],
  ],
  [
    'what setters store',
    `${make} void sum(json o) { o.setInt("total", o.getInt("size", 0)); } main() { sum(make(1)); }`,
    [4],
  ],
  ['what is stored in others', `${make} void sum(json o) { o.total = o.weight as int; } main() { sum(make(1)); }`, [3]],
  [
    'keys that are not constants',
    `${make} void sum(json o, string key) { o[key] = o.id as int; } main() { sum(make(1), "x"); }`,
    [3],
  ],
  [
    'what follows from what is stored',
    `${make}
void sum(json o) { o.total = o.id as int; }
void mark(json o) { o.mark = o.total as int; }
main() { json o = make(1); sum(o); mark(o); }`,
    [5],
  ],
  [
    'the keys of an object that is filled',
    'main() { json o = {}; o.a = 1; o["b"] = 2; o.setInt("c", 3); return o; }',
    [3],
  ],
  ['an object of unknown keys', 'main() { json o = {}; for (int i = 0; i < 9; i++) o[`k${i}`] = i; return o; }', [0]],
  [
    'many members',
    `main() { json o = { "a": 1 }; ${Array.from({ length: 9 }, (_, i) => `o.k${i} = o.a;`).join(' ')} return o; }`,
    [5],
  ],
])('foresees %s', (_name, source, expected) => {
  expect(likely(source)).toEqual(expected);
});
