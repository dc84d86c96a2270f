// Methods of arrays. `T` stands for the element type.

import { prelude } from '../language/implementation.ts';
import { arrayOf, doubleType, intType, stringType, typeVariable } from '../language/types.ts';
import { fn, methods } from './declare.ts';

export const arrayMethods = methods(arrayOf(typeVariable), 'T[]', 'Methods of every array.', [
  fn('int length()', 'Number of elements.', prelude('lengthOfArray')),
  fn('void push(T item)', 'Appends an element at the end.', prelude('pushElement')),
  fn('T pop()', 'Removes the last element and returns it. IndexOutOfBoundsError on an empty array.', prelude('popElement')),
  fn('boolean isEmpty()', 'True if there are no elements.', prelude('arrayIsEmpty')),
  fn('T[] slice(int from, int to)', 'A new array of the elements from `from` up to, not including, `to`. IndexOutOfBoundsError outside the array.', prelude('sliceArray')),
  fn('T[] concat(T[] o)', 'A new array of these elements and then those of o.', prelude('concatArrays')),
  fn('void reverse()', 'Turns the order around, in place.', prelude('reverseArray')),
  fn('int indexOf(T x)', 'Position of the first element that == x; -1 if there is none.', prelude('indexOfElement')),
  fn('boolean contains(T x)', 'True if an element == x.', prelude('arrayContains')),
  fn('void insert(int i, T x)', 'Puts x before position i; i may be the length. IndexOutOfBoundsError otherwise.', prelude('insertElement')),
  fn('T removeAt(int i)', 'Removes the element at i and returns it. IndexOutOfBoundsError outside the array.', prelude('removeElement')),
  fn('void clear()', 'Removes every element.', prelude('clearArray')),
  fn('void fill(T x)', 'Sets every element to x.', prelude('fillArray')),
  fn('T[] copy()', 'A new array of the same elements.', prelude('copyArray')),
]);

const sort = 'Sorts ascending, in place; equal elements keep their order.';

export const intArrayMethods = methods(arrayOf(intType), 'int[]', 'Methods of int[].', [
  fn('void sort()', sort, prelude('sortInts')),
  fn('int sum()', 'The sum, wrapping at 64 bits; 0 when empty.', prelude('sumInts')),
  fn('int min()', 'The smallest element. IndexOutOfBoundsError when empty.', prelude('smallestInt')),
  fn('int max()', 'The largest element. IndexOutOfBoundsError when empty.', prelude('largestInt')),
]);

export const doubleArrayMethods = methods(arrayOf(doubleType), 'double[]', 'Methods of double[].', [
  fn('void sort()', `${sort} NaN comes last.`, prelude('sortDoubles')),
  fn('double sum()', 'The sum from left to right; 0.0 when empty.', prelude('sumDoubles')),
  fn('double min()', 'The smallest element, NaN if one is. IndexOutOfBoundsError when empty.', prelude('smallestDouble')),
  fn('double max()', 'The largest element, NaN if one is. IndexOutOfBoundsError when empty.', prelude('largestDouble')),
]);

export const stringArrayMethods = methods(arrayOf(stringType), 'string[]', 'Methods of string[].', [
  fn('void sort()', `${sort} By code point.`, prelude('sortTexts')),
  fn('string join(string sep)', 'The elements with sep between them.', prelude('joinTexts')),
]);
