// The Math namespace. Functions that the engine knows are imported bare, so that calls cost nothing extra.

import { constant, host, instruction, throwingIntrinsic } from '../language/implementation.ts';
import { fn, library } from './declare.ts';

export const math = library('Math', 'Mathematical functions and constants. Angles are in radians.', [
  fn('double PI', 'The ratio of a circle\'s circumference to its diameter, 3.141592653589793.', constant(Math.PI)),
  fn('double E', 'The base of natural logarithms, 2.718281828459045.', constant(Math.E)),
  fn('double sqrt(double x)', 'Square root; NaN for negative x.', instruction('f64.sqrt')),
  fn('double abs(double x)', 'Absolute value.', instruction('f64.abs')),
  fn('double min(double a, double b)', 'The smaller of two; NaN if either is.', instruction('f64.min')),
  fn('double max(double a, double b)', 'The larger of two; NaN if either is.', instruction('f64.max')),
  fn('int floor(double x)', 'Rounds down. ArithmeticError for NaN and beyond int.', throwingIntrinsic('double.floor')),
  fn('int ceil(double x)', 'Rounds up. ArithmeticError for NaN and beyond int.', throwingIntrinsic('double.ceil')),
  fn('int round(double x)', 'Rounds to the nearest int, halves up: 2.5 to 3, -2.5 to -2. ArithmeticError for NaN and beyond int.', throwingIntrinsic('double.round')),
  fn('int trunc(double x)', 'Drops the fraction. ArithmeticError for NaN and beyond int.', throwingIntrinsic('double.truncate')),
  fn('double random()', 'A random value, at least 0.0 and below 1.0.', host()),
  fn('double pow(double base, double exp)', 'base raised to exp.', host()),
  fn('double sign(double x)', '-1.0, 1.0, or x itself for a zero or NaN.', host()),
  fn('double sin(double x)', 'Sine.', host()),
  fn('double cos(double x)', 'Cosine.', host()),
  fn('double tan(double x)', 'Tangent.', host()),
  fn('double asin(double x)', 'Arc sine, from -PI/2 to PI/2; NaN outside [-1, 1].', host()),
  fn('double acos(double x)', 'Arc cosine, from 0 to PI; NaN outside [-1, 1].', host()),
  fn('double atan(double x)', 'Arc tangent, from -PI/2 to PI/2.', host()),
  fn('double atan2(double y, double x)', 'The angle of the point (x, y), from -PI to PI.', host()),
  fn('double sinh(double x)', 'Hyperbolic sine.', host()),
  fn('double cosh(double x)', 'Hyperbolic cosine.', host()),
  fn('double tanh(double x)', 'Hyperbolic tangent.', host()),
  fn('double exp(double x)', 'E raised to x.', host()),
  fn('double expm1(double x)', 'exp(x) - 1, exact for small x.', host()),
  fn('double log(double x)', 'Natural logarithm; NaN for negative x.', host()),
  fn('double log2(double x)', 'Logarithm to base 2.', host()),
  fn('double log10(double x)', 'Logarithm to base 10.', host()),
  fn('double log1p(double x)', 'log(1 + x), exact for small x.', host()),
  fn('double cbrt(double x)', 'Cube root.', host()),
  fn('double hypot(double a, double b)', 'The square root of a*a + b*b, without overflow on the way.', host()),
]);
