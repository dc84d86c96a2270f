// The rules of Mir for what makes values, chains and calls, each with a program that breaks it.

import { describe, expect, it } from 'vitest';
import type { Expression } from '../../src/mir/mir.ts';
import { doubleType, intType, jsonType, stringType } from '../../src/language/types.ts';
import { faultsOf, finds, half, nothing, one, span, struct, text, yes } from './breaking.ts';

describe('types of what is made', () => {
  finds([
    [
      'int[] a = [1]; yield a[0];',
      { 'array-literal': (node) => ({ ...node, elements: [half] }) },
      'an element is of the type double, not int: [0.5]',
    ],
    [
      'int[] a = [1]; yield a[0];',
      { 'array-literal': (node) => ({ ...node, type: intType }) },
      'the node is no array: [1]',
    ],
    [
      `${struct}P p = { x: 1, y: 2.0 }; yield p.x;`,
      { 'struct-literal': (node) => ({ ...node, fields: node.fields.slice(1) }) },
      'a field is missing, or there twice: {1: 2.0}',
    ],
    [
      `${struct}P p = { x: 1, y: 2.0 }; yield p.x;`,
      { 'struct-literal': (node) => ({ ...node, fields: [node.fields[0]!, node.fields[0]!] }) },
      'a field is missing, or there twice: {0: 1, 0: 1}',
    ],
    [
      `${struct}P p = { x: 1, y: 2.0 }; yield p.x;`,
      { 'struct-literal': (node) => ({ ...node, fields: node.fields.map(({ field }) => ({ field, value: text })) }) },
      'field 1 is of the type string, not double: {0: "a", 1: "a"}',
    ],
    [
      `${struct}P p = { x: 1, y: 2.0 }; yield p.x;`,
      { 'struct-literal': (node) => ({ ...node, type: intType }) },
      'the node is no #P',
    ],
    [
      'int[] a = new int[2]; yield a[0];',
      { 'new-array': (node) => ({ ...node, lengths: [half] }) },
      'a length is of the type double, not int: new[0.5]',
    ],
    [
      'int[] a = new int[2]; yield a[0];',
      { 'new-array': (node) => ({ ...node, lengths: [] }) },
      'there is no length: new[]',
    ],
    [
      'int[] a = new int[2]; yield a[0];',
      { 'new-array': (node) => ({ ...node, lengths: [one, one] }) },
      'there are more lengths than dimensions: new[1, 1]',
    ],
    [
      'json j = { a: 1, b: 2 }; yield j;',
      { 'json-object': (node) => ({ ...node, members: [node.members[0]!, node.members[0]!] }) },
      'a key is there twice: json{"a": json(1), "a": json(1)}',
    ],
    [
      'json j = { a: 1 }; yield j;',
      { 'json-object': (node) => ({ ...node, members: [{ key: 'a', value: one }] }) },
      'a member is of the type int, not json: json{"a": 1}',
    ],
    [
      'json j = [1]; yield j;',
      { 'json-array': (node) => ({ ...node, elements: [one] }) },
      'an element is of the type int, not json: json[1]',
    ],
    [
      'json j = [1]; yield j;',
      { 'to-json': (node) => ({ ...node, type: intType }) },
      'the node is of the type int, not json: json(1)',
    ],
    [
      'json j = { a: 1 }; yield j.a;',
      { 'get-member': (node) => ({ ...node, key: one }) },
      'the key is of the type int, not string',
    ],
    [
      'json j = { a: 1 }; yield j.a;',
      { 'get-member': (node) => ({ ...node, json: one }) },
      'what has members is of the type int, not json: 1["a"]',
    ],
    [
      'json j = [1]; yield j[0];',
      { 'get-item': (node) => ({ ...node, index: half }) },
      'the index is of the type double, not int',
    ],
    [
      'json j = [1]; foreach (int i in j) yield i;',
      { 'item-count': (node) => ({ ...node, json: text }) },
      'what has items is of the type string, not json: count("a")',
    ],
    [
      'json j = { a: 1 }; yield j.a as int;',
      { cast: (node) => ({ ...node, operand: one }) },
      'the operand is of the type int, not json: cast<int>(1)',
    ],
    [
      'yield `a${1}`;',
      { 'to-text': (node) => ({ ...node, type: intType }) },
      'the node is of the type int, not string: text(1)',
    ],
  ]);
});

describe('chains', () => {
  const f = (body: string): string => `boolean f(boolean a, string s) { ${body} } yield f(true, "a");`;
  finds([
    [
      f('return a && s == null;'),
      { logical: (node) => ({ ...node, operands: [yes] }) },
      'f: && has fewer than two operands: (true)',
    ],
    [
      f('return a && s == null;'),
      { logical: (node) => ({ ...node, operands: [node, yes] }) },
      'f: an operand of && is one itself: ((a && isnull(s)) && true)',
    ],
    [
      f('return a || s == null;'),
      { logical: (node) => ({ ...node, operands: [yes, one] }) },
      'f: an operand is of the type int, not boolean: (true || 1)',
    ],
    [
      'yield `a${1}b`;',
      { concat: (node) => ({ ...node, parts: [text] }) },
      'fewer than two texts are joined: concat("a")',
    ],
    [
      'yield `a${1}b`;',
      { concat: (node) => ({ ...node, parts: [node, text] }) },
      'a text that is joined is joined itself',
    ],
    [
      'yield `a${1}b`;',
      { concat: (node) => ({ ...node, parts: [nothing, text] }) },
      'a text that is joined may be null: concat(null, "a")',
    ],
    [
      'yield `a${1}b`;',
      { concat: (node) => ({ ...node, parts: [{ ...text, type: jsonType } as Expression, text] }) },
      'a text is of the type json, not string',
    ],
    [f('if (a) return a; return s == null;'), { if: (node) => ({ ...node, arms: [] }) }, 'f: there is no arm'],
    [
      f('if (a) return a; return s == null;'),
      { if: (node) => ({ ...node, arms: [{ condition: one, then: [] }] }) },
      'f: the condition is of the type int, not boolean: if 1',
    ],
  ]);

  it('end somewhere: nodes nest only so deep', () => {
    let deep: Expression = one;
    for (let level = 0; level < 2000; level++)
      deep = { kind: 'operate', operator: '-(int)', operands: [deep], type: intType, span };
    expect(faultsOf('yield 1;', { yield: (node) => ({ ...node, value: deep }) })).toBe(
      '<top level>: it nests more than 1100 levels deep, down to operate',
    );
  });
});

describe('calls', () => {
  const script = 'int f(int n) { return n; } yield f(1);';
  finds([
    [script, { call: (node) => ({ ...node, arguments: [] }) }, '<top level>: it takes 1 arguments, not 0: #f()'],
    [
      script,
      { call: (node) => ({ ...node, arguments: [half] }) },
      'argument 1 is of the type double, not int: #f(0.5)',
    ],
    [script, { call: (node) => ({ ...node, type: doubleType }) }, 'the node is of the type double, not int: #f(1)'],
    [
      script,
      { call: (node) => ({ ...node, typeArgument: intType }) },
      'what stands for T is missing, or there is no T: #f(1)',
    ],
    [
      'yield Math.sqrt(2.0);',
      { 'library-call': (node) => ({ ...node, arguments: [one] }) },
      'argument 1 is of the type int, not double: Math.sqrt(1)',
    ],
    [
      'yield Math.sqrt(2.0);',
      { 'library-call': (node) => ({ ...node, arguments: [] }) },
      'it takes 1 arguments, not 0: Math.sqrt()',
    ],
    [
      'int[] a = [1]; a.push(2); yield a;',
      { 'library-call': (node) => ({ ...node, typeArgument: doubleType }) },
      'argument 1 is of the type int[], not double[]',
    ],
    [
      'int[] a = [1]; yield a.pop();',
      { 'library-call': (node) => ({ ...node, type: stringType }) },
      'the node is of the type string, not int',
    ],
  ]);
});
