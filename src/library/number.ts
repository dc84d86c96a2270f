// Methods of int, double and boolean.

import { instruction, intrinsic, prelude, throwingIntrinsic } from '../language/implementation.ts';
import { booleanType, doubleType, intType } from '../language/types.ts';
import { fn, methods } from './declare.ts';
import { making, pure } from './effects.ts';

export const intMethods = methods(intType, 'int', 'Methods of int.', [
  fn(
    'double toDouble()',
    'The same number as a double, the nearest one beyond 2^53.',
    instruction('f64.convert_s.i64'),
    '7.toDouble() → 7.0',
  ),
  fn('string toString()', 'Decimal digits.', prelude('intToText'), '7.toString() + "!" → 7!', {
    throws: true,
    allocates: true,
    cost: '0',
  }),
  fn('int abs()', 'Absolute value; the smallest int is its own.', intrinsic('int.abs'), '(-7).abs() → 7', pure),
  fn('int min(int o)', 'The smaller of two.', intrinsic('int.min'), '3.min(5) → 3', {
    flows: ['result = this', 'result = o'],
    closed: true,
    cost: '0',
  }),
  fn('int max(int o)', 'The larger of two.', intrinsic('int.max'), '3.max(5) → 5', {
    flows: ['result = this', 'result = o'],
    closed: true,
    cost: '0',
  }),
  fn('int clamp(int lo, int hi)', 'The nearest value from lo to hi.', intrinsic('int.clamp'), '12.clamp(0, 10) → 10', {
    flows: ['result = hi', 'result = lo', 'result = this'],
    closed: true,
    cost: '0',
  }),
  fn(
    'string toHex()',
    "Lower-case hexadecimal digits of the 64-bit two's complement, without leading zeros.",
    prelude('intToHex'),
    '255.toHex() → ff',
    making,
  ),
  fn('int bitCount()', 'How many bits are set.', instruction('i64.popcnt'), '7.bitCount() → 3'),
  fn(
    'int leadingZeros()',
    'Zero bits above the highest set bit; 64 for 0.',
    instruction('i64.clz'),
    '1.leadingZeros() → 63',
  ),
  fn(
    'int trailingZeros()',
    'Zero bits below the lowest set bit; 64 for 0.',
    instruction('i64.ctz'),
    '8.trailingZeros() → 3',
  ),
  fn(
    'double bitsToDouble()',
    'The double that has these 64 bits.',
    instruction('f64.reinterpret'),
    '4607182418800017408.bitsToDouble() → 1.0',
  ),
]);

export const doubleMethods = methods(doubleType, 'double', 'Methods of double.', [
  fn(
    'int toInt()',
    'Drops the fraction. ArithmeticError for NaN and beyond int.',
    throwingIntrinsic('double.truncate'),
    '(-2.9).toInt() → -2',
    { throws: true, cost: '0' },
  ),
  fn(
    'string toString()',
    'The shortest text that reads back the same: 4.0, 3.14, 1e-7, NaN, -Infinity.',
    prelude('doubleToText'),
    '4.0.toString() → 4.0',
    { throws: true, allocates: true, cost: '0' },
  ),
  fn('boolean isNaN()', 'True for NaN.', intrinsic('double.isNaN'), '(0.0 / 0.0).isNaN() → true', pure),
  fn(
    'boolean isFinite()',
    'False for NaN and the infinities.',
    intrinsic('double.isFinite'),
    '(1.0 / 0.0).isFinite() → false',
    pure,
  ),
  fn('double abs()', 'Absolute value.', instruction('f64.abs'), '(-1.5).abs() → 1.5'),
  fn('double min(double o)', 'The smaller of two; NaN if either is.', instruction('f64.min'), '1.0.min(2.5) → 1.0'),
  fn('double max(double o)', 'The larger of two; NaN if either is.', instruction('f64.max'), '1.0.max(2.5) → 2.5'),
  fn(
    'double clamp(double lo, double hi)',
    'The nearest value from lo to hi.',
    intrinsic('double.clamp'),
    '1.5.clamp(0.0, 1.0) → 1.0',
    { flows: ['result = hi', 'result = lo', 'result = this'], closed: true, cost: '0' },
  ),
  fn(
    'string toFixed(int digits)',
    'Decimal text with 0 to 20 digits after the point, exactly rounded. IndexOutOfBoundsError for other counts.',
    prelude('doubleToFixed'),
    '3.14159.toFixed(2) → 3.14',
    { throws: true, allocates: true, cost: '0' },
  ),
  fn(
    'int toBits()',
    'The 64 bits of the double as an int, 0x7FF8000000000000 for every NaN.',
    intrinsic('double.toBits'),
    '1.0.toBits() → 4607182418800017408',
    pure,
  ),
]);

export const booleanMethods = methods(booleanType, 'boolean', 'Methods of boolean.', [
  fn('string toString()', '"true" or "false".', prelude('booleanToText'), '(1 < 2).toString() → true', pure),
]);
