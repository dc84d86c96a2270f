// The only import of Binaryen: renames its functions, lists the engine features that a program may use, and adds what
// its type declarations lack.

import binaryen from '#binaryen';

export type WasmModule = binaryen.Module;
export type ExpressionRef = binaryen.ExpressionRef;
export type FunctionRef = binaryen.FunctionRef;
export type WasmType = binaryen.Type;
export type HeapType = binaryen.HeapType;
export type HeapTypeBuilder = binaryen.TypeBuilder;
/** The kind of an expression, and what the expression does to its operands. */
type ExpressionId = typeof binaryen.ConstId;
type Operation = typeof binaryen.EqInt32;

export const { i32, i64, f64, v128, externref, eqref, nullref, none, i8, i16, notPacked, unreachable } = binaryen;

export const eqHeapType: HeapType = binaryen.getHeapType(eqref);
/** Non-null reference to an int of 31 bits. */
export const smallInt: WasmType = binaryen.getTypeFromHeapType(binaryen.getHeapType(binaryen.i31ref), false);

/** Non-null reference to a JS string. */
export const externString: WasmType = binaryen.getTypeFromHeapType(binaryen.getHeapType(externref), false);

const {
  MutableGlobals,
  NontrappingFPToInt,
  BulkMemory,
  BulkMemoryOpt,
  SignExt,
  ExceptionHandling,
  ReferenceTypes,
  Multivalue,
  GC,
  ExtendedConst,
  SIMD128,
} = binaryen.Features;

// Listed one by one: with all features, Binaryen writes types that engines do not accept yet.
const features =
  MutableGlobals |
  NontrappingFPToInt |
  BulkMemory |
  BulkMemoryOpt |
  SignExt |
  ExceptionHandling |
  ReferenceTypes |
  Multivalue |
  GC |
  ExtendedConst |
  SIMD128;

export function createModule(): WasmModule {
  const module = new binaryen.Module();
  module.setFeatures(features);
  return module;
}

export function createTypeBuilder(size: number): HeapTypeBuilder {
  return new binaryen.TypeBuilder(size);
}

export function tupleType(types: readonly WasmType[]): WasmType {
  return binaryen.createType(types);
}

export function referenceTo(heapType: HeapType, nullable: boolean): WasmType {
  return binaryen.getTypeFromHeapType(heapType, nullable);
}

/** Functions of Binaryen that its JavaScript module does not wrap. */
const raw = binaryen as unknown as {
  _BinaryenPop(module: number, type: WasmType): ExpressionRef;
  _BinaryenBrOnSetCastType(expression: ExpressionRef, type: WasmType): void;
  _BinaryenBinaryGetOp(expression: ExpressionRef): Operation;
  _BinaryenBinarySetOp(expression: ExpressionRef, op: Operation): void;
  _BinaryenUnaryGetOp(expression: ExpressionRef): Operation;
  _BinaryenUnaryGetValue(expression: ExpressionRef): ExpressionRef;
  _BinaryenConstGetValueI32(expression: ExpressionRef): number;
  _BinaryenConstGetValueI64(expression: ExpressionRef): bigint;
};

/** Branches to the label with the value unless it is null. */
export function branchOnNonNull(module: WasmModule, label: string, value: ExpressionRef): ExpressionRef {
  const branch = module.br_on_non_null(label, value);
  // The wrapper leaves a cast type in the branch, which Binaryen's own validator refuses.
  raw._BinaryenBrOnSetCastType(branch, none);
  return branch;
}

/** The first instruction of a catch body: the values of the exception. */
export function popPayload(module: WasmModule, type: WasmType): ExpressionRef {
  return raw._BinaryenPop((module as unknown as { ptr: number }).ptr, type);
}

export function typeOf(expression: ExpressionRef): WasmType {
  return binaryen.getExpressionType(expression);
}

function idOf(expression: ExpressionRef): ExpressionId {
  return binaryen.getExpressionId(expression);
}

/** Whether the expression can be evaluated again with the same result and without side effects. */
export function isRepeatable(expression: ExpressionRef): boolean {
  const id = idOf(expression);
  return id === binaryen.LocalGetId || id === binaryen.ConstId || id === binaryen.GlobalGetId;
}

/** Whether the expression is a number known at compile time. */
export function isConstant(expression: ExpressionRef): boolean {
  return idOf(expression) === binaryen.ConstId;
}

const opposites: ReadonlyMap<Operation, Operation> = new Map(
  [
    [binaryen.EqInt32, binaryen.NeInt32],
    [binaryen.LtSInt32, binaryen.GeSInt32],
    [binaryen.LtUInt32, binaryen.GeUInt32],
    [binaryen.GtSInt32, binaryen.LeSInt32],
    [binaryen.GtUInt32, binaryen.LeUInt32],
    [binaryen.EqInt64, binaryen.NeInt64],
    [binaryen.LtSInt64, binaryen.GeSInt64],
    [binaryen.LtUInt64, binaryen.GeUInt64],
    [binaryen.GtSInt64, binaryen.LeSInt64],
    [binaryen.GtUInt64, binaryen.LeUInt64],
    // Other comparisons of doubles have no opposite: with NaN, neither of the two holds.
    [binaryen.EqFloat64, binaryen.NeFloat64],
  ].flatMap(([one, other]): [Operation, Operation][] => [
    [one!, other!],
    [other!, one!],
  ]),
);

/** The opposite of a condition; the condition itself must not be used any more. */
export function negate(module: WasmModule, condition: ExpressionRef): ExpressionRef {
  const id = idOf(condition);
  if (id === binaryen.ConstId) return module.i32.const(raw._BinaryenConstGetValueI32(condition) === 0 ? 1 : 0);
  if (id === binaryen.UnaryId && raw._BinaryenUnaryGetOp(condition) === binaryen.EqZInt32)
    return raw._BinaryenUnaryGetValue(condition);
  const opposite = id === binaryen.BinaryId ? opposites.get(raw._BinaryenBinaryGetOp(condition)) : undefined;
  if (opposite === undefined) return module.i32.eqz(condition);
  raw._BinaryenBinarySetOp(condition, opposite);
  return condition;
}

/** The low 32 bits of a value; the value itself must not be used any more. */
export function wrap(module: WasmModule, value: ExpressionRef): ExpressionRef {
  const id = idOf(value);
  if (id === binaryen.ConstId) return module.i32.const(Number(BigInt.asIntN(32, raw._BinaryenConstGetValueI64(value))));
  if (id === binaryen.UnaryId) {
    const op = raw._BinaryenUnaryGetOp(value);
    if (op === binaryen.ExtendUInt32 || op === binaryen.ExtendSInt32) return raw._BinaryenUnaryGetValue(value);
  }
  return module.i32.wrap(value);
}

/** Sets the options of Binaryen's optimiser, which are global for the whole process. */
export function setOptimiserOptions(options: { readonly debugInfo: boolean }): void {
  binaryen.setOptimizeLevel(2);
  binaryen.setShrinkLevel(0);
  binaryen.setDebugInfo(options.debugInfo);
}
