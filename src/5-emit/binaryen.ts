// The only import of Binaryen: its names under the ones used here, the engine features that a program
// may use, and what its declarations leave out.

import binaryen from '#binaryen';

export type WasmModule = binaryen.Module;
export type ExpressionRef = binaryen.ExpressionRef;
export type FunctionRef = binaryen.FunctionRef;
export type WasmType = binaryen.Type;
export type HeapType = binaryen.HeapType;
export type HeapTypeBuilder = binaryen.TypeBuilder;

export const { i32, i64, f64, externref, eqref, nullref, none, i8, i16, notPacked, unreachable } = binaryen;

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
} = binaryen.Features;

// Named one by one: with all features Binaryen writes types that engines do not take yet.
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
  ExtendedConst;

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

/** The functions of Binaryen that its JavaScript module does not wrap. */
const raw = binaryen as unknown as {
  _BinaryenPop(module: number, type: WasmType): ExpressionRef;
  _BinaryenBrOnSetCastType(expression: ExpressionRef, type: WasmType): void;
};

/** Branches to the label with the value unless it is null. */
export function branchOnNonNull(module: WasmModule, label: string, value: ExpressionRef): ExpressionRef {
  const branch = module.br_on_non_null(label, value);
  // The wrapper leaves a cast type behind, which Binaryen's own validator refuses.
  raw._BinaryenBrOnSetCastType(branch, none);
  return branch;
}

/** What a catch body begins with: the values that the exception carries. */
export function popPayload(module: WasmModule, type: WasmType): ExpressionRef {
  return raw._BinaryenPop((module as unknown as { ptr: number }).ptr, type);
}

export function typeOf(expression: ExpressionRef): WasmType {
  return binaryen.getExpressionType(expression);
}

/** Whether evaluating the expression again gives the same and does nothing else. */
export function isRepeatable(expression: ExpressionRef): boolean {
  const id = binaryen.getExpressionId(expression) as typeof binaryen.LocalGetId;
  return id === binaryen.LocalGetId || id === binaryen.ConstId || id === binaryen.GlobalGetId;
}

/** The settings of the optimiser, which Binaryen keeps for the whole process. */
export function setOptimiserOptions(options: { readonly debugInfo: boolean }): void {
  binaryen.setOptimizeLevel(2);
  binaryen.setShrinkLevel(0);
  binaryen.setDebugInfo(options.debugInfo);
  // An engine replaces a running baseline function only at its next call: a loop that is inlined into
  // its one caller may never see optimised code.
  binaryen.setOneCallerInlineMaxSize(0);
  binaryen.setFlexibleInlineMaxSize(24);
  binaryen.setAllowInliningFunctionsWithLoops(false);
}
