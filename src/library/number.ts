// Methods of int, double and boolean.

import { instruction, intrinsic, prelude, throwingIntrinsic } from '../language/implementation.ts';
import { booleanType, doubleType, intType } from '../language/types.ts';
import { fn, methods } from './declare.ts';

export const intMethods = methods(intType, 'int', 'Methods of int.', [
  fn('double toDouble()', 'The same number as a double, the nearest one beyond 2^53.', instruction('f64.convert_s.i64')),
  fn('string toString()', 'Decimal digits.', prelude('intToText')),
  fn('int abs()', 'Absolute value; the smallest int is its own.', prelude('absoluteInt')),
  fn('int min(int o)', 'The smaller of two.', prelude('smallerInt')),
  fn('int max(int o)', 'The larger of two.', prelude('largerInt')),
  fn('int clamp(int lo, int hi)', 'The nearest value from lo to hi.', prelude('clampInt')),
  fn('string toHex()', 'Lower-case hexadecimal digits of the 64-bit two\'s complement, without leading zeros.', prelude('intToHex')),
  fn('int bitCount()', 'How many bits are set.', instruction('i64.popcnt')),
  fn('int leadingZeros()', 'Zero bits above the highest set bit; 64 for 0.', instruction('i64.clz')),
  fn('int trailingZeros()', 'Zero bits below the lowest set bit; 64 for 0.', instruction('i64.ctz')),
  fn('double bitsToDouble()', 'The double that has these 64 bits.', instruction('f64.reinterpret')),
]);

export const doubleMethods = methods(doubleType, 'double', 'Methods of double.', [
  fn('int toInt()', 'Drops the fraction. ArithmeticError for NaN and beyond int.', throwingIntrinsic('double.truncate')),
  fn('string toString()', 'The shortest text that reads back the same: 4.0, 3.14, 1e-7, NaN, -Infinity.', prelude('doubleToText')),
  fn('boolean isNaN()', 'True for NaN.', intrinsic('double.isNaN')),
  fn('boolean isFinite()', 'False for NaN and the infinities.', intrinsic('double.isFinite')),
  fn('double abs()', 'Absolute value.', instruction('f64.abs')),
  fn('double min(double o)', 'The smaller of two; NaN if either is.', instruction('f64.min')),
  fn('double max(double o)', 'The larger of two; NaN if either is.', instruction('f64.max')),
  fn('double clamp(double lo, double hi)', 'The nearest value from lo to hi.', prelude('clampDouble')),
  fn('string toFixed(int digits)', 'Decimal text with 0 to 20 digits after the point, exactly rounded. IndexOutOfBoundsError for other counts.', prelude('doubleToFixed')),
  fn('int toBits()', 'The 64 bits of the double as an int.', instruction('i64.reinterpret')),
]);

export const booleanMethods = methods(booleanType, 'boolean', 'Methods of boolean.', [
  fn('string toString()', '"true" or "false".', prelude('booleanToText')),
]);
