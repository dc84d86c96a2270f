// The Math namespace. Functions that the engine knows are imported bare, so that calls cost nothing extra.

import { constant, host, instruction, throwingIntrinsic } from '../../../src/language/implementation.ts';
import { fn, library } from '../../../src/library/declare.ts';
import { pure } from '../../../src/library/effects.ts';

export const rows = library('Math', 'Mathematical functions and constants. Angles are in radians.', [
  fn('double PI', 'The ratio of a circle\'s circumference to its diameter, 3.141592653589793.', constant(Math.PI), 'Math.PI → 3.141592653589793'),
  fn('double E', 'The base of natural logarithms, 2.718281828459045.', constant(Math.E), 'Math.E → 2.718281828459045'),
  fn('double sqrt(double x)', 'Square root; NaN for negative x.', instruction('f64.sqrt'), 'Math.sqrt(2.0) → 1.4142135623730951'),
  fn('double abs(double x)', 'Absolute value.', instruction('f64.abs'), 'Math.abs(-1.5) → 1.5'),
  fn('double min(double a, double b)', 'The smaller of two; NaN if either is.', instruction('f64.min'), 'Math.min(1.0, 2.5) → 1.0'),
  fn('double max(double a, double b)', 'The larger of two; NaN if either is.', instruction('f64.max'), 'Math.max(1.0, 2.5) → 2.5'),
  fn('int floor(double x)', 'Rounds down. ArithmeticError for NaN and beyond int.', throwingIntrinsic('double.floor'), 'Math.floor(-1.5) → -2', { throws: true, cost: '0' }),
  fn('int ceil(double x)', 'Rounds up. ArithmeticError for NaN and beyond int.', throwingIntrinsic('double.ceil'), 'Math.ceil(-1.5) → -1', { throws: true, cost: '0' }),
  fn('int round(double x)', 'Rounds to the nearest int, halves up: 2.5 to 3, -2.5 to -2. ArithmeticError for NaN and beyond int.', throwingIntrinsic('double.round'), 'Math.round(2.5) → 3', { throws: true, cost: '0' }),
  fn('int trunc(double x)', 'Drops the fraction. ArithmeticError for NaN and beyond int.', throwingIntrinsic('double.truncate'), 'Math.trunc(-1.5) → -1', { throws: true, cost: '0' }),
  fn('double random()', 'A random value, at least 0.0 and below 1.0.', host(), 'double x = Math.random(); x >= 0.0 && x < 1.0 → true', { external: true, cost: '0' }),
  fn('double pow(double base, double exp)', 'base raised to exp.', host(), 'Math.pow(2.0, 10.0) → 1024.0', pure),
  fn('double sign(double x)', '-1.0, 1.0, or x itself for a zero or NaN.', host(), 'Math.sign(-3.0) → -1.0', pure),
  fn('double sin(double x)', 'Sine.', host(), 'Math.sin(0.0) → 0.0', pure),
  fn('double cos(double x)', 'Cosine.', host(), 'Math.cos(0.0) → 1.0', pure),
  fn('double tan(double x)', 'Tangent.', host(), 'Math.tan(0.0) → 0.0', pure),
  fn('double asin(double x)', 'Arc sine, from -PI/2 to PI/2; NaN outside [-1, 1].', host(), 'Math.asin(1.0) → 1.5707963267948966', pure),
  fn('double acos(double x)', 'Arc cosine, from 0 to PI; NaN outside [-1, 1].', host(), 'Math.acos(1.0) → 0.0', pure),
  fn('double atan(double x)', 'Arc tangent, from -PI/2 to PI/2.', host(), 'Math.atan(1.0) → 0.7853981633974483', pure),
  fn('double atan2(double y, double x)', 'The angle of the point (x, y), from -PI to PI.', host(), 'Math.atan2(1.0, -1.0) → 2.356194490192345', pure),
  fn('double sinh(double x)', 'Hyperbolic sine.', host(), 'Math.sinh(0.0) → 0.0', pure),
  fn('double cosh(double x)', 'Hyperbolic cosine.', host(), 'Math.cosh(0.0) → 1.0', pure),
  fn('double tanh(double x)', 'Hyperbolic tangent.', host(), 'Math.tanh(0.0) → 0.0', pure),
  fn('double exp(double x)', 'E raised to x.', host(), 'Math.exp(0.0) → 1.0', pure),
  fn('double expm1(double x)', 'exp(x) - 1, exact for small x.', host(), 'Math.expm1(0.0) → 0.0', pure),
  fn('double log(double x)', 'Natural logarithm; NaN for negative x.', host(), 'Math.log(Math.E) → 1.0', pure),
  fn('double log2(double x)', 'Logarithm to base 2.', host(), 'Math.log2(8.0) → 3.0', pure),
  fn('double log10(double x)', 'Logarithm to base 10.', host(), 'Math.log10(1000.0) → 3.0', pure),
  fn('double log1p(double x)', 'log(1 + x), exact for small x.', host(), 'Math.log1p(0.0) → 0.0', pure),
  fn('double cbrt(double x)', 'Cube root.', host(), 'Math.cbrt(27.0) → 3.0', pure),
  fn('double hypot(double a, double b)', 'The square root of a*a + b*b, without overflow on the way.', host(), 'Math.hypot(3.0, 4.0) → 5.0', pure),
]);
