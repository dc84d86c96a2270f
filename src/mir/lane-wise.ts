// Operators that work on the lanes of vectors, each with the instruction that it becomes. An operator or a function that
// is not here keeps a loop from being vectorised: the units of the usual processors have no such instruction, or, as for
// products of ints, one that is slower than two products.

/** By the ids of operators and of library functions; `select` takes two vectors and the result of a comparison. `pair`, which is not here, makes
 * a vector of two numbers. */
export const laneInstructions: Readonly<Record<string, string>> = {
  '+(double,double)': 'f64x2.add',
  '-(double,double)': 'f64x2.sub',
  '*(double,double)': 'f64x2.mul',
  '/(double,double)': 'f64x2.div',
  '-(double)': 'f64x2.neg',
  '<(double,double)': 'f64x2.lt',
  '<=(double,double)': 'f64x2.le',
  '>(double,double)': 'f64x2.gt',
  '>=(double,double)': 'f64x2.ge',
  '==(double,double)': 'f64x2.eq',
  '!=(double,double)': 'f64x2.ne',
  'Math.sqrt': 'f64x2.sqrt',
  'Math.abs': 'f64x2.abs',
  'Math.min': 'f64x2.min',
  'Math.max': 'f64x2.max',
  'double.abs': 'f64x2.abs',
  'double.min': 'f64x2.min',
  'double.max': 'f64x2.max',
  '+(int,int)': 'i64x2.add',
  '-(int,int)': 'i64x2.sub',
  '-(int)': 'i64x2.neg',
  '<(int,int)': 'i64x2.lt_s',
  '<=(int,int)': 'i64x2.le_s',
  '>(int,int)': 'i64x2.gt_s',
  '>=(int,int)': 'i64x2.ge_s',
  '==(int,int)': 'i64x2.eq',
  '!=(int,int)': 'i64x2.ne',
  'int.abs': 'i64x2.abs',
  '&(int,int)': 'v128.and',
  '|(int,int)': 'v128.or',
  '^(int,int)': 'v128.xor',
  '~(int)': 'v128.not',
  '&(boolean,boolean)': 'v128.and',
  '|(boolean,boolean)': 'v128.or',
  '^(boolean,boolean)': 'v128.xor',
  '!(boolean)': 'v128.not',
  'int.min': 'i64x2.lt_s bitselect',
  'int.max': 'i64x2.gt_s bitselect',
  select: 'v128.bitselect',
  // Of what no operator of the language does: both lanes changed over.
  swap: 'i8x16.shuffle',
};
