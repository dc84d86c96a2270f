// Methods of arrays. `T` stands for the element type.

import { genericPrelude, prelude } from '../language/implementation.ts';
import { arrayOf, doubleType, intType, stringType, typeVariable } from '../language/types.ts';
import { fn, methods } from './declare.ts';
import { lengths, positions } from './effects.ts';
import type { EffectsRow } from './effects.ts';

const reading: EffectsRow = { reads: ['this'] };
const removing: EffectsRow = {
  reads: ['this'],
  stores: ['this'],
  resizes: ['this'],
  flows: ['result = this[]'],
  closed: true,
  throws: true,
};
const sorting: EffectsRow = { reads: ['this'], stores: ['this'], closed: true, allocates: true };
const choosing: EffectsRow = { reads: ['this'], flows: ['result = this[]'], closed: true, throws: true };

export const arrayMethods = methods(arrayOf(typeVariable), 'T[]', 'Methods of every array.', [
  fn('int length()', 'Number of elements.', prelude('lengthOfArray'), '[1, 2].length() → 2', {
    reads: ['this'],
    range: lengths,
    cost: '0',
  }),
  fn(
    'void push(T item)',
    'Appends an element at the end.',
    prelude('pushElement'),
    'int[] xs = [1]; xs.push(2); xs → [1,2]',
    {
      reads: ['this'],
      stores: ['this'],
      resizes: ['this'],
      flows: ['this[] = item'],
      closed: true,
      throws: true,
      allocates: true,
      cost: '0',
    },
  ),
  fn(
    'T pop()',
    'Removes the last element and returns it. IndexOutOfBoundsError on an empty array.',
    prelude('popElement'),
    'int[] xs = [1, 2]; xs.pop() → 2',
    { ...removing, cost: '0' },
  ),
  fn('boolean isEmpty()', 'True if there are no elements.', prelude('arrayIsEmpty'), '[1].isEmpty() → false', {
    ...reading,
    cost: '0',
  }),
  fn(
    'T[] slice(int from, int to)',
    'A new array of the elements from `from` up to, not including, `to`. IndexOutOfBoundsError outside the array.',
    prelude('sliceArray'),
    '[1, 2, 3].slice(1, 3) → [2,3]',
    { reads: ['this'], flows: ['result[] = this[]'], closed: true, throws: true, allocates: true, cost: 'result' },
  ),
  fn(
    'T[] concat(T[] o)',
    'A new array of these elements and then those of o.',
    prelude('concatArrays'),
    '[1].concat([2, 3]) → [1,2,3]',
    {
      reads: ['this', 'o'],
      flows: ['result[] = this[]', 'result[] = o[]'],
      closed: true,
      throws: true,
      allocates: true,
      cost: 'this + o',
    },
  ),
  fn(
    'void reverse()',
    'Turns the order around, in place.',
    prelude('reverseArray'),
    'int[] xs = [1, 2]; xs.reverse(); xs → [2,1]',
    { reads: ['this'], stores: ['this'], closed: true, cost: 'this' },
  ),
  fn(
    'int indexOf(T x)',
    'Position of the first element that == x; -1 if there is none.',
    prelude('indexOfElement'),
    '["a", "b"].indexOf("b") → 1',
    { reads: ['this', 'x'], range: positions, cost: 'this' },
  ),
  fn('boolean contains(T x)', 'True if an element == x.', prelude('arrayContains'), '[1, 2].contains(3) → false', {
    reads: ['this', 'x'],
    cost: 'this',
  }),
  fn(
    'void insert(int i, T x)',
    'Puts x before position i; i may be the length. IndexOutOfBoundsError otherwise.',
    prelude('insertElement'),
    'int[] xs = [1, 3]; xs.insert(1, 2); xs → [1,2,3]',
    {
      reads: ['this'],
      stores: ['this'],
      resizes: ['this'],
      flows: ['this[] = x'],
      closed: true,
      throws: true,
      allocates: true,
      cost: 'this',
    },
  ),
  fn(
    'T removeAt(int i)',
    'Removes the element at i and returns it. IndexOutOfBoundsError outside the array.',
    prelude('removeElement'),
    'int[] xs = [1, 2]; xs.removeAt(0) → 1',
    { ...removing, cost: 'this' },
  ),
  fn('void clear()', 'Removes every element.', prelude('clearArray'), 'int[] xs = [1]; xs.clear(); xs → []', {
    reads: ['this'],
    stores: ['this'],
    resizes: ['this'],
    closed: true,
    cost: 'this',
  }),
  fn(
    'void fill(T x)',
    'Sets every element to x.',
    prelude('fillArray'),
    'double[] xs = new double[2]; xs.fill(1.5); xs → [1.5,1.5]',
    { reads: ['this'], stores: ['this'], flows: ['this[] = x'], closed: true, cost: 'this' },
  ),
  fn(
    'T[] copy()',
    'A new array of the same elements.',
    prelude('copyArray'),
    'int[] xs = [1]; int[] ys = xs.copy(); ys.push(2); xs → [1]',
    { reads: ['this'], flows: ['result[] = this[]'], closed: true, throws: true, allocates: true, cost: 'this' },
  ),
]);

const sort = 'Sorts ascending, in place; equal elements keep their order.';

export const intArrayMethods = methods(arrayOf(intType), 'int[]', 'Methods of int[].', [
  fn('void sort()', sort, genericPrelude('sortArray'), 'int[] xs = [3, 1, 2]; xs.sort(); xs → [1,2,3]', {
    ...sorting,
    cost: '16 this',
  }),
  fn('int sum()', 'The sum, wrapping at 64 bits; 0 when empty.', genericPrelude('sumInts'), '[1, 2, 3].sum() → 6', {
    ...reading,
    cost: 'this',
  }),
  fn(
    'int min()',
    'The smallest element. IndexOutOfBoundsError when empty.',
    genericPrelude('smallestInt'),
    '[3, 1, 2].min() → 1',
    { ...choosing, cost: 'this' },
  ),
  fn(
    'int max()',
    'The largest element. IndexOutOfBoundsError when empty.',
    genericPrelude('largestInt'),
    '[3, 1, 2].max() → 3',
    { ...choosing, cost: 'this' },
  ),
]);

export const doubleArrayMethods = methods(arrayOf(doubleType), 'double[]', 'Methods of double[].', [
  fn(
    'void sort()',
    `${sort} NaN comes last.`,
    genericPrelude('sortArray'),
    'double[] xs = [2.5, 1.0]; xs.sort(); xs → [1.0,2.5]',
    { ...sorting, cost: '16 this' },
  ),
  fn(
    'double sum()',
    'The sum from left to right; 0.0 when empty.',
    genericPrelude('sumDoubles'),
    '[0.5, 0.25].sum() → 0.75',
    {
      ...reading,
      cost: 'this',
    },
  ),
  fn(
    'double min()',
    'The smallest element, NaN if one is. IndexOutOfBoundsError when empty.',
    genericPrelude('smallestDouble'),
    '[2.5, 1.0].min() → 1.0',
    { reads: ['this'], throws: true, cost: 'this' },
  ),
  fn(
    'double max()',
    'The largest element, NaN if one is. IndexOutOfBoundsError when empty.',
    genericPrelude('largestDouble'),
    '[2.5, 1.0].max() → 2.5',
    { reads: ['this'], throws: true, cost: 'this' },
  ),
]);

export const stringArrayMethods = methods(arrayOf(stringType), 'string[]', 'Methods of string[].', [
  fn(
    'void sort()',
    `${sort} By code point.`,
    prelude('sortTexts'),
    'string[] xs = ["b", "a"]; xs.sort(); xs → ["a","b"]',
    { reads: ['this'], stores: ['this'], closed: true, throws: true, allocates: true, cost: '16 this' },
  ),
  fn(
    'string join(string sep)',
    'The elements with sep between them.',
    prelude('joinTexts'),
    '["a", "b"].join(" and ") → a and b',
    { reads: ['this'], throws: true, allocates: true, cost: 'this + result' },
  ),
]);
